#include "report/execution/source_names.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <regex>
#include <set>

#include "program/address.hpp"
#include "report/execution/storyline.hpp"

namespace weir {

namespace {

constexpr const char* kLibraryBlock = "memory of the library";
constexpr std::uint64_t kFirstVariable = 0x0555'0000'1000;  // of C programs, where pointers have 64 bits

const SourceFrame* own_frame(const std::vector<SourceFrame>& chain) {
  const auto found = std::ranges::find(chain, false, &SourceFrame::foreign);
  return found == chain.end() ? nullptr : &*found;
}

// How programs name blocks: "t1.heap0+4".
const std::regex& block_pattern() {
  static const std::regex kBlock(R"(\b(main|t\d+)\.(heap|stack)(\d{1,9})([+-]\d{1,9})?)");
  return kBlock;
}

bool is_character(Value value) { return value >= ' ' && value <= '~'; }

// The program of the user begins in a function of the runtime, which calls its main by another name.
std::string written_name(const std::string& function) {
  constexpr std::string_view kPrefix = "__weir_program_";
  return function.starts_with(kPrefix) ? function.substr(kPrefix.size()) : function;
}

// "mutex" of "std::mutex", "_State_impl" of "std::thread::_State_impl<...>".
std::string_view last_part(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

SourceNames::SourceNames(const Program& program, const Witness& witness)
    : program_(program),
      terms_(terms_of(program)),
      has_terms_(terms_ != nullptr),
      calls_(program.threads.size()),
      functions_(program.threads.size()) {
  if (!has_terms_) terms_ = std::make_shared<const SourceTerms>();
  if (program.sources.size() > 0) {
    const std::string& path = program.sources.file(FileId(0)).path;
    is_cplusplus_ = !path.ends_with(".c") && !path.ends_with(".i");
  }
  find_places(witness);
  find_blocks(witness);
}

// --- Places

bool SourceNames::is_system(SourcePosition position) const {
  if (!position.file) return false;
  const std::filesystem::path path(program_.sources.file(position.file).path);
  return path.lexically_normal().string().starts_with("/usr/");
}

void SourceNames::find_places(const Witness& witness) {
  std::set<FileId> files;
  std::vector<LocationId> next(functions_.size());  // where each thread is
  for (const WitnessStep& step : witness.steps) {
    auto& calls = calls_[step.thread.index()];
    SourceFrame place = step.edge ? place_in(step.edge, calls) : SourceFrame{};
    if (place.position.file) files.insert(place.position.file);
    std::string& function = functions_[step.thread.index()];
    if (function.empty()) function = outermost_function(step.edge);
    places_.push_back(std::move(place));
    if (step.kind == WitnessStep::Kind::kFlush) continue;
    const Edge& edge = program_.edge(step.edge);
    const Opcode op = edge.instruction.op;
    if (op == Opcode::kCall) calls.push_back(step.edge);
    next[step.thread.index()] =
        op == Opcode::kCall ? program_.function(edge.instruction.callee).entry : edge.target;
    if (op == Opcode::kReturn && !calls.empty()) calls.pop_back();
  }
  several_files_ = files.size() > 1;
  // Those that have done nothing of the user's own yet.
  for (std::size_t t = 0; t < functions_.size(); ++t)
    if (functions_[t].empty() && next[t])
      for (const EdgeId edge : program_.location(next[t]).edges)
        if (functions_[t].empty()) functions_[t] = outermost_function(edge);
}

std::string SourceNames::outermost_function(EdgeId edge) const {
  std::string function;
  for (const SourceFrame& frame : frames(edge))
    if (!frame.foreign) function = frame.function == "operator()" ? "lambda" : frame.function;
  return function;
}

SourceFrame SourceNames::place_in(EdgeId edge, const std::vector<EdgeId>& calls) const {
  const auto own = [&](EdgeId each) -> SourceFrame {
    if (const auto chain = terms_->chain_of.find(each); chain != terms_->chain_of.end()) {
      const SourceFrame* frame = own_frame(terms_->chains[chain->second]);
      return frame != nullptr && frame->position.known() ? *frame : SourceFrame{};
    }
    const Edge& known = program_.edge(each);
    if (!known.position.known() || is_system(known.position)) return {};
    return {written_name(program_.function(program_.location(known.source).function).name), known.position,
            false};
  };
  SourceFrame found = own(edge);
  for (auto call = calls.rbegin(); call != calls.rend() && !found.position.known(); ++call)
    found = own(*call);
  return found;
}

SourcePosition SourceNames::end_of(ThreadId thread, EdgeId next) const {
  return place_in(next, calls_[thread.index()]).position;
}

SourcePosition SourceNames::own_position(EdgeId edge) const {
  return weir::own_position(program_, terms_.get(), edge);
}

const std::vector<SourceFrame>& SourceNames::frames(EdgeId edge) const {
  static const std::vector<SourceFrame> kNone;
  const auto found = terms_->chain_of.find(edge);
  return found == terms_->chain_of.end() ? kNone : terms_->chains[found->second];
}

std::string SourceNames::line(SourcePosition position) const {
  if (!position.known() || !position.file) return "";
  if (!several_files_) return fmt::format("line {}", position.line);
  const std::filesystem::path path(program_.sources.file(position.file).path);
  return fmt::format("{}:{}", path.filename().string(), position.line);
}

// --- Threads

std::string SourceNames::thread(ThreadId thread) const {
  const std::string& name = program_.thread(thread).name;
  const std::string& function = functions_[thread.index()];
  return function.empty() || function == name ? name : fmt::format("{} ({})", name, function);
}

// --- Blocks of the heap and of the stack

void SourceNames::find_blocks(const Witness& witness) {
  if (program_.open_memory) return;
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    const WitnessStep& step = witness.steps[i];
    if (step.kind == WitnessStep::Kind::kFlush) continue;
    const Opcode op = program_.edge(step.edge).instruction.op;
    const auto term = terms_->accesses.find(step.edge);
    const SourceTypeId type = term == terms_->accesses.end() ? SourceTypeId() : term->second.type;
    if (op == Opcode::kAllocate && address_kind(step.value) == AddressKind::kBlock) {
      const BlockAddress block = decode_block(step.value);
      const bool stack = block.kind == BlockKind::kStack;
      Block made{.step = i, .type = type, .size = block.size, .stack = stack};
      made.name = block_name(made, witness);
      (stack ? stack_blocks_ : blocks_)[{block.thread, block.number}] = std::move(made);
    } else if (term != terms_->accesses.end() && term->second.whole &&
               address_kind(step.address) == AddressKind::kBlock) {
      const BlockAddress place = decode_block(step.address);
      auto& blocks = place.kind == BlockKind::kStack ? stack_blocks_ : blocks_;
      const auto block = blocks.find({place.thread, place.number});
      if (block != blocks.end() && !block->second.type)
        learn_type(block->second, term->second, place.offset, witness);
    }
  }
  name_blocks();
}

// From an access through a pointer. Of arrays of numbers any element tells the type, of others the first one.
void SourceNames::learn_type(Block& block, const AccessTerm& term, std::int64_t offset,
                             const Witness& witness) const {
  const SourceType& whole = *terms_->type(term.whole);
  const bool is_record = whole.kind == SourceType::Kind::kRecord;
  if (is_record ? offset != static_cast<std::int64_t>(term.offset)
                : whole.bytes == 0 || block.size % whole.bytes != 0)
    return;
  block.type = term.whole;
  block.name = block_name(block, witness);
}

// After its type if that has a name of the user's own, or after the variable that it is for.
std::string SourceNames::block_name(const Block& block, const Witness& witness) const {
  const EdgeId edge = witness.steps[block.step].edge;
  const auto term = terms_->accesses.find(edge);
  const Instruction& instruction = program_.edge(edge).instruction;
  if (block.stack && !instruction.message.empty()) return instruction.message;
  const SourceType* type = terms_->type(block.type);
  if (type != nullptr && type->kind == SourceType::Kind::kRecord && !type->name.empty())
    return is_reserved(last_part(type->name)) ? kLibraryBlock : type->name;
  if (term != terms_->accesses.end() && !term->second.text.empty()) return term->second.text;
  const Function& function = program_.function(program_.location(program_.edge(edge).source).function);
  const std::string& name = instruction.result ? function.registers[instruction.result.index()].name : "";
  const bool plain = !name.empty() && name.find_first_of("%/ .") == std::string::npos && !is_reserved(name);
  return plain ? name : "block";
}

// Those that have a name in common are numbered.
void SourceNames::name_blocks() {
  std::map<std::string, std::vector<Block*>> alike;
  for (auto* blocks : {&blocks_, &stack_blocks_})
    for (auto& [key, block] : *blocks) alike[block.name].push_back(&block);
  for (auto& [name, blocks] : alike) {
    if (blocks.size() < 2) continue;
    std::ranges::sort(blocks, {}, &Block::step);
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i]->name = fmt::format("{}#{}", name, i + 1);
  }
}

const SourceNames::Block* SourceNames::block_at(Value address) const {
  if (program_.open_memory || program_.object_at(address)) return nullptr;
  const AddressKind kind = address_kind(address);
  if (kind != AddressKind::kBlock && kind != AddressKind::kStatus) return nullptr;
  const BlockAddress place = kind == AddressKind::kBlock ? decode_block(address) : decode_status(address);
  const auto& blocks = place.kind == BlockKind::kStack ? stack_blocks_ : blocks_;
  const auto found = blocks.find({place.thread, place.number});
  return found == blocks.end() ? nullptr : &found->second;
}

std::string SourceNames::block_part(const Block& block, std::int64_t offset, SourceTypeId wanted) const {
  const SourceType* type = terms_->type(block.type);
  if (type == nullptr || type->bytes == 0)
    return offset == 0 ? block.name : fmt::format("{}[byte {}]", block.name, offset);
  const auto size = static_cast<std::int64_t>(type->bytes);
  std::string text = block.name;
  const std::int64_t index = offset < 0 ? -1 - (-offset - 1) / size : offset / size;
  if (block.size >= 2 * type->bytes || index != 0) text += fmt::format("[{}]", index);
  return text + inside(block.type, static_cast<std::uint64_t>(offset - index * size), wanted).path;
}

std::string SourceNames::block_place(Value address) const {
  const Block* block = block_at(address);
  if (block == nullptr) return "";
  const SourceFrame& place = places_[block->step];
  if (!place.position.known()) return "";
  return fmt::format("{}: {} in {}, {}", block->name, block->stack ? "declared" : "allocated", place.function,
                     line(place.position));
}

// --- Variables and their parts

const SourceVariable* SourceNames::variable_at(Value address) const {
  auto after = std::ranges::upper_bound(terms_->variables, address, {}, &SourceVariable::address);
  if (after == terms_->variables.begin()) return nullptr;
  const SourceVariable& found = *--after;
  const auto offset = static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(found.address);
  return offset < found.bytes ? &found : nullptr;
}

// The way to what lies at the offset: to a part of the type wanted, or else as far as it goes.
SourceNames::Inside SourceNames::inside(SourceTypeId id, std::uint64_t offset, SourceTypeId wanted) const {
  constexpr std::size_t kDeepest = 32;
  Inside found;
  while (id && found.types.size() < kDeepest) {
    found.types.push_back(id);
    const SourceType& type = *terms_->type(id);
    if (offset == 0 && id == wanted) break;
    id = {};
    if (type.kind == SourceType::Kind::kArray) {
      const SourceType* element = terms_->type(type.target);
      if (element == nullptr || element->bytes == 0) break;
      found.path += fmt::format("[{}]", offset / element->bytes);
      offset %= element->bytes;
      id = type.target;
    } else if (type.kind == SourceType::Kind::kRecord) {
      for (const SourceMember& member : type.members) {
        const SourceType* part = terms_->type(member.type);
        if (part == nullptr || offset < member.offset || offset >= member.offset + part->bytes) continue;
        if (!member.name.empty()) found.path += "." + member.name;
        offset -= member.offset;
        id = member.type;
        break;
      }
    }
  }
  std::string own = without_reserved_members(found.path);
  found.hidden = own != found.path;
  found.path = std::move(own);
  return found;
}

SourceNames::Inside SourceNames::inside_at(Value address) const {
  if (const SourceVariable* variable = variable_at(address))
    return inside(variable->type, static_cast<std::uint64_t>(address - variable->address), {});
  const Block* block = block_at(address);
  const SourceType* type = block == nullptr ? nullptr : terms_->type(block->type);
  if (type == nullptr || type->bytes == 0 || address_kind(address) != AddressKind::kBlock) return {};
  const std::int64_t offset = decode_block(address).offset;
  if (offset < 0) return {};
  return inside(block->type, static_cast<std::uint64_t>(offset) % type->bytes, {});
}

std::string SourceNames::address(Value address) const {
  if (const Block* block = block_at(address))
    return address_kind(address) == AddressKind::kStatus
               ? block->name
               : block_part(*block, decode_block(address).offset, {});
  const std::string name = program_.address_name(address);
  if (!has_terms_) return name;
  if (const SourceVariable* variable = variable_at(address); variable != nullptr && name.starts_with('['))
    return variable->name +
           inside(variable->type, static_cast<std::uint64_t>(address - variable->address), {}).path;
  const std::string own = without_reserved_members(name);
  return own.substr(0, own.find('+'));
}

std::string SourceNames::whole_block(Value address) const {
  const Block* block = block_at(address);
  return block == nullptr ? this->address(address) : block->name;
}

std::string SourceNames::written(EdgeId edge) const {
  const auto found = terms_->accesses.find(edge);
  return found == terms_->accesses.end() ? "" : found->second.text;
}

bool SourceNames::is_internal(Value address) const {
  if (const auto object = program_.object_at(address))
    return program_.byte_memory && !program_.object(*object).position.known();
  const Block* block = block_at(address);
  return block != nullptr && block->name.starts_with(kLibraryBlock);
}

bool SourceNames::is_hidden_member(Value address) const {
  const Inside found = inside_at(address);
  return found.hidden && std::ranges::none_of(found.types, [&](SourceTypeId id) {
           return terms_->type(id)->name.find("atomic") != std::string::npos;
         });
}

std::string SourceNames::object_of_type(Value address, const std::vector<std::string_view>& parts) const {
  for (const SourceTypeId id : inside_at(address).types)
    for (const std::string_view part : parts)
      if (terms_->type(id)->name.find(part) != std::string::npos) return this->address(address);
  return "";
}

std::string SourceNames::condition_at(Value address) const {
  return object_of_type(address, {"pthread_cond_t", "cnd_t", "condition_variable"});
}

std::string SourceNames::mutex_at(Value address) const {
  return object_of_type(address, {"pthread_mutex_t", "mtx_t", "std::mutex", "recursive_mutex"});
}

// --- Values

std::string SourceNames::pointer(Value value, SourceTypeId target) const {
  if (value == 0) return is_cplusplus_ ? "nullptr" : "NULL";
  if (const Block* block = block_at(value))
    return "&" + block_part(*block, decode_block(value).offset, target ? target : block->type);
  const SourceVariable* variable = variable_at(value);
  if (variable == nullptr) return "";
  if (!variable->type) return variable->name;
  const SourceTypeId wanted = target ? target : variable->type;
  return "&" + variable->name +
         inside(variable->type, static_cast<std::uint64_t>(value - variable->address), wanted).path;
}

std::string SourceNames::value(Value value, Type type, std::optional<Value> address) const {
  if (value == kUninitialised || !has_terms_) return value_text(value, type);
  const std::vector<SourceTypeId> types = address ? inside_at(*address).types : std::vector<SourceTypeId>();
  const SourceType* leaf = types.empty() ? nullptr : terms_->type(types.back());
  if (leaf != nullptr && leaf->bytes * 8 == type.bits) {
    switch (leaf->kind) {
      case SourceType::Kind::kBoolean: return value != 0 ? "true" : "false";
      case SourceType::Kind::kCharacter:
        if (is_character(value)) return fmt::format("'{}'", static_cast<char>(value));
        break;
      case SourceType::Kind::kEnumeration:
        for (const SourceEnumerator& each : leaf->enumerators)
          if (each.value == value) return each.name;
        break;
      case SourceType::Kind::kPointer: {
        const std::string text = pointer(value, leaf->target);
        return text.empty() ? "a pointer to nothing" : text;
      }
      default: break;
    }
  }
  // Where the type is not known, no number is so large by chance.
  if (type.bits == 64 && static_cast<std::uint64_t>(value) >= kFirstVariable && value > 0)
    if (const std::string text = pointer(value, {}); !text.empty()) return text;
  return value_text(value, type);
}

// --- Messages

const SourceNames::Block* SourceNames::block_named(const std::string& thread, const std::string& kind,
                                                   const std::string& number) const {
  const auto id = program_.find_thread(thread);
  const auto& blocks = kind == "stack" ? stack_blocks_ : blocks_;
  const auto block = id ? blocks.find({id->index(), std::stoull(number)}) : blocks.end();
  return block == blocks.end() ? nullptr : &block->second;
}

std::string SourceNames::reworded(const std::string& text, bool whole_blocks) const {
  if (!has_terms_) return text;
  std::string out;
  std::size_t done = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), block_pattern()), end; match != end; ++match) {
    const Block* block = block_named((*match)[1], (*match)[2], (*match)[3]);
    if (block == nullptr) continue;
    const bool has_offset = (*match)[4].matched;
    const std::int64_t offset = has_offset ? std::stoll((*match)[4].str()) : 0;
    const auto start = static_cast<std::size_t>(match->position());
    out += text.substr(done, start - done);
    out += whole_blocks && !has_offset ? block->name : block_part(*block, offset, {});
    done = start + static_cast<std::size_t>(match->length());
  }
  return out + text.substr(done);
}

std::optional<std::size_t> SourceNames::allocation_of(const std::string& text) const {
  std::smatch match;
  if (std::regex_search(text, match, block_pattern()))
    if (const Block* block = block_named(match[1], match[2], match[3])) return block->step;
  for (const auto& [key, block] : blocks_)
    if (text.ends_with(" " + block.name)) return block.step;
  return std::nullopt;
}

}  // namespace weir
