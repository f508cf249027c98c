#include "native/line_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace weir::native {

namespace {

struct Truncated {};

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T fixed() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;;) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  std::string string() {
    const std::size_t end = bytes_.find('\0');
    if (end == std::string_view::npos) throw Truncated{};
    std::string text(bytes_.substr(0, end));
    bytes_.remove_prefix(end + 1);
    return text;
  }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw Truncated{};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

struct Section {
  std::uint64_t address = 0;
  std::string_view bytes;
};

class Executable {
 public:
  explicit Executable(std::string_view image) : image_(image) {
    header_ = at<Elf64_Ehdr>(0);
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64)
      throw Truncated{};
    const auto names = section_header(header_.e_shstrndx);
    for (std::uint32_t i = 0; i < header_.e_shnum; ++i) {
      const auto section = section_header(i);
      if (section.sh_type == SHT_NOBITS) continue;
      const std::string name = text(names.sh_offset + section.sh_name);
      sections_[name] = {section.sh_addr, slice(section.sh_offset, section.sh_size)};
    }
  }

  Section section(const std::string& name) const {
    const auto found = sections_.find(name);
    return found == sections_.end() ? Section{} : found->second;
  }

  std::map<std::uint64_t, std::string> functions() const {
    std::map<std::uint64_t, std::string> result;
    const std::string_view symbols = section(".symtab").bytes, names = section(".strtab").bytes;
    for (std::size_t i = 0; i + sizeof(Elf64_Sym) <= symbols.size(); i += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + i, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      if (symbol.st_name < names.size()) result[symbol.st_value] = names.data() + symbol.st_name;
    }
    return result;
  }

 private:
  template <class T>
  T at(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, slice(offset, sizeof value).data(), sizeof value);
    return value;
  }
  Elf64_Shdr section_header(std::uint32_t index) const {
    return at<Elf64_Shdr>(header_.e_shoff + std::uint64_t{index} * header_.e_shentsize);
  }
  std::string_view slice(std::uint64_t offset, std::uint64_t size) const {
    if (offset > image_.size() || size > image_.size() - offset) throw Truncated{};
    return image_.substr(offset, size);
  }
  std::string text(std::uint64_t offset) const {
    if (offset >= image_.size()) throw Truncated{};
    return std::string(image_.substr(offset, image_.find('\0', offset) - offset));
  }

  std::string_view image_;
  Elf64_Ehdr header_{};
  std::map<std::string, Section> sections_;
};

// One unit of .debug_line: a header and a program that makes rows.
class LineProgram {
 public:
  LineProgram(Bytes bytes, LineTable& table) : bytes_(bytes), table_(table) {}

  void run() {
    if (bytes_.fixed<std::uint16_t>() != 4) throw Truncated{};
    read_header();
    while (!bytes_.empty()) step();
  }

 private:
  void read_header() {
    const auto length = bytes_.fixed<std::uint32_t>();
    Bytes header(bytes_.take(length));
    least_ = header.fixed<std::uint8_t>();
    header.take(2);  // operations per instruction, default of is_stmt
    line_base_ = header.fixed<std::int8_t>();
    line_range_ = header.fixed<std::uint8_t>();
    opcode_base_ = header.fixed<std::uint8_t>();
    for (int i = 1; i < opcode_base_; ++i)
      lengths_[static_cast<std::size_t>(i)] = header.fixed<std::uint8_t>();
    if (line_range_ == 0) throw Truncated{};
    for (std::string name = header.string(); !name.empty(); name = header.string())
      directories_.push_back(std::move(name));
    for (std::string name = header.string(); !name.empty(); name = header.string()) add_file(header, name);
  }

  void add_file(Bytes& header, const std::string& name) {
    const std::uint64_t directory = header.unsigned_leb();
    header.unsigned_leb();  // time
    header.unsigned_leb();  // size
    std::filesystem::path path = name;
    if (path.is_relative() && directory > 0 && directory <= directories_.size())
      path = directories_[directory - 1] / path;
    const std::string normal = path.lexically_normal().string();
    auto found = std::find(table_.files.begin(), table_.files.end(), normal);
    if (found == table_.files.end()) found = table_.files.insert(found, normal);
    files_.push_back(static_cast<std::uint32_t>(found - table_.files.begin()));
  }

  void step() {
    const auto opcode = bytes_.fixed<std::uint8_t>();
    if (opcode >= opcode_base_) {
      const int adjusted = opcode - opcode_base_;
      row_.address += static_cast<std::uint64_t>(adjusted / line_range_) * least_;
      row_.line += static_cast<std::uint32_t>(line_base_ + adjusted % line_range_);
      emit();
    } else if (opcode == 0) {
      extended();
    } else {
      standard(opcode);
    }
  }

  void standard(std::uint8_t opcode) {
    switch (opcode) {
      case 1: emit(); break;
      case 2: row_.address += bytes_.unsigned_leb() * least_; break;
      case 3: row_.line += static_cast<std::uint32_t>(bytes_.signed_leb()); break;
      case 4: file_ = bytes_.unsigned_leb(); break;
      case 5: row_.column = static_cast<std::uint32_t>(bytes_.unsigned_leb()); break;
      case 8: row_.address += static_cast<std::uint64_t>((255 - opcode_base_) / line_range_) * least_; break;
      case 9: row_.address += bytes_.fixed<std::uint16_t>(); break;
      default:
        for (int i = 0; i < lengths_[opcode]; ++i) bytes_.unsigned_leb();
    }
  }

  void extended() {
    const std::uint64_t length = bytes_.unsigned_leb();
    Bytes operands(bytes_.take(length));
    const auto opcode = operands.fixed<std::uint8_t>();
    if (opcode == 1) {
      row_.end = true;
      emit();
      row_ = LineRow{.line = 1};
      file_ = 1;
    } else if (opcode == 2) {
      row_.address = operands.fixed<std::uint64_t>();
    }
  }

  void emit() {
    if (file_ == 0 || file_ > files_.size()) throw Truncated{};
    row_.file = files_[file_ - 1];
    table_.rows.push_back(row_);
  }

  Bytes bytes_;
  LineTable& table_;
  std::uint8_t least_ = 1, line_range_ = 1, opcode_base_ = 1;
  std::int8_t line_base_ = 0;
  std::array<std::uint8_t, 256> lengths_{};
  std::vector<std::string> directories_;
  std::vector<std::uint32_t> files_;
  LineRow row_{.line = 1};
  std::uint64_t file_ = 1;
};

void read_rows(std::string_view section, LineTable& table) {
  Bytes bytes(section);
  while (!bytes.empty()) {
    const auto length = bytes.fixed<std::uint32_t>();
    LineProgram(Bytes(bytes.take(length)), table).run();
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const LineRow& a, const LineRow& b) {
    return a.address != b.address ? a.address < b.address : a.end > b.end;
  });
}

// A direct call is the byte 0xe8 and the distance to its target. A byte of another instruction that looks
// like one leads nowhere, or to code with lines.
void find_calls(const Executable& executable, LineTable& table) {
  const Section text = executable.section(".text");
  const auto functions = executable.functions();
  const Section linkage = executable.section(".plt"), secure = executable.section(".plt.sec");
  const auto inside = [](const Section& section, std::uint64_t address) {
    return address >= section.address && address < section.address + section.bytes.size();
  };
  for (std::size_t i = 0; i + 5 <= text.bytes.size(); ++i) {
    if (static_cast<unsigned char>(text.bytes[i]) != 0xe8) continue;
    std::int32_t distance = 0;
    std::memcpy(&distance, text.bytes.data() + i + 1, sizeof distance);
    const std::uint64_t next = text.address + i + 5, target = next + static_cast<std::uint64_t>(distance);
    const auto function = functions.find(target);
    const bool foreign = inside(linkage, target) || inside(secure, target);
    if ((function == functions.end() && !foreign) || table.at(target)) continue;
    if (const auto place = table.at(next - 1))
      table.calls.push_back({next, foreign ? std::string() : function->second, *place});
  }
}

}  // namespace

std::optional<LineRow> LineTable::at(std::uint64_t address) const {
  const auto after = std::upper_bound(rows.begin(), rows.end(), address,
                                      [](std::uint64_t a, const LineRow& row) { return a < row.address; });
  if (after == rows.begin() || std::prev(after)->end) return std::nullopt;
  return *std::prev(after);
}

std::optional<LineTable> read_line_table(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  try {
    const Executable executable(image);
    LineTable table;
    read_rows(executable.section(".debug_line").bytes, table);
    find_calls(executable, table);
    return table;
  } catch (const Truncated&) {
    return std::nullopt;
  }
}

}  // namespace weir::native
