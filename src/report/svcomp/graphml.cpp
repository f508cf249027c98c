// GraphML, format 1.0: the execution is a path of nodes; its edges say where in the source they are and which
// thread goes on.
#include <array>
#include <fmt/format.h>

#include "base/sha256.hpp"
#include "program/text/edit.hpp"
#include "report/svcomp/svcomp.hpp"
#include "report/svcomp/xml.hpp"

namespace weir {

namespace {

struct Key {
  std::string_view name, type, owner;
};

constexpr std::array kKeys = {
    Key{"witness-type", "string", "graph"},   Key{"witness-format-version", "string", "graph"},
    Key{"sourcecodelang", "string", "graph"}, Key{"producer", "string", "graph"},
    Key{"specification", "string", "graph"},  Key{"programfile", "string", "graph"},
    Key{"programhash", "string", "graph"},    Key{"architecture", "string", "graph"},
    Key{"creationtime", "string", "graph"},   Key{"entry", "boolean", "node"},
    Key{"violation", "boolean", "node"},      Key{"threadId", "string", "edge"},
    Key{"createThread", "string", "edge"},    Key{"enterFunction", "string", "edge"},
    Key{"startline", "int", "edge"},          Key{"startoffset", "int", "edge"},
    Key{"assumption", "string", "edge"},      Key{"assumption.resultfunction", "string", "edge"}};

class Writer {
 public:
  explicit Writer(const SvcompWitness& witness) : witness_(witness) {}

  std::string run() {
    out_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
    for (const Key& key : kKeys) {
      out_ += fmt::format("  <key id=\"{0}\" attr.name=\"{0}\" attr.type=\"{1}\" for=\"{2}\"", key.name,
                          key.type, key.owner);
      out_ += key.type == "boolean" ? "><default>false</default></key>\n" : "/>\n";
    }
    out_ += "  <graph edgedefault=\"directed\">\n";
    write_graph_data();
    write_path();
    return std::move(out_) + "  </graph>\n</graphml>\n";
  }

 private:
  void data(std::string_view indent, std::string_view key, std::string_view value) {
    out_ += fmt::format("{}<data key=\"{}\">{}</data>\n", indent, key, xml_text(value));
  }

  void write_graph_data() {
    data("    ", "witness-type", witness_.violation ? "violation_witness" : "correctness_witness");
    data("    ", "witness-format-version", "1.0");
    data("    ", "sourcecodelang", "C");
    data("    ", "producer", "weir " + witness_.version);
    data("    ", "specification", witness_.specification);
    data("    ", "programfile", witness_.files.front());
    data("    ", "programhash", sha256(source_text(witness_, witness_.files.front())));
    data("    ", "architecture", witness_.narrow ? "32bit" : "64bit");
    data("    ", "creationtime", witness_.time);
  }

  void node(std::size_t number, std::string_view mark) {
    out_ += fmt::format("    <node id=\"N{}\"", number);
    if (mark.empty()) {
      out_ += "/>\n";
      return;
    }
    out_ += ">\n";
    data("      ", mark, "true");
    out_ += "    </node>\n";
  }

  // The main thread is entered first.
  void write_path() {
    node(0, "entry");
    if (!witness_.violation) return;
    node(1, "");
    out_ += "    <edge source=\"N0\" target=\"N1\">\n";
    data("      ", "createThread", "0");
    data("      ", "enterFunction", "main");
    out_ += "    </edge>\n";
    for (std::size_t i = 0; i < witness_.steps.size(); ++i) {
      const bool last = i + 1 == witness_.steps.size();
      node(i + 2, last ? "violation" : "");
      edge(i, witness_.steps[i]);
    }
  }

  void edge(std::size_t index, const SvcompStep& step) {
    out_ += fmt::format("    <edge source=\"N{}\" target=\"N{}\">\n", index + 1, index + 2);
    data("      ", "threadId", std::to_string(step.thread));
    if (step.position.known() && step.position.file) {
      data("      ", "startline", std::to_string(step.position.line));
      data("      ", "startoffset",
           std::to_string(LineTable(witness_.sources->file(step.position.file).text).offset(step.position)));
    }
    if (step.kind == SvcompStep::Kind::kCreate) data("      ", "createThread", std::to_string(step.value));
    if (step.kind == SvcompStep::Kind::kEnter) data("      ", "enterFunction", step.function);
    if (step.kind == SvcompStep::Kind::kChoice) {
      data("      ", "assumption", fmt::format("\\result == {};", step.value));
      data("      ", "assumption.resultfunction", step.function);
    }
    out_ += "    </edge>\n";
  }

  const SvcompWitness& witness_;
  std::string out_;
};

}  // namespace

std::string svcomp_graphml(const SvcompWitness& witness) { return Writer(witness).run(); }

}  // namespace weir
