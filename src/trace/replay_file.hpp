// The replay file: a witness together with its program, as JSON, so that it can be replayed and explained
// later and elsewhere without the original input.
//
//   { "schema": 1, "tool": "weir", "version": "0.1.0", "kind": "replay", "model": "tso",
//     "program": { "path": "dekker.imp", "text": "weir 1\n…", "sources": [ { "path": "…", "text": "…" } ] },
//     "steps": [ { "thread": 0, "edge": 3, "address": 0, "value": 1 }, { "thread": 0, "flush": true, … }, …
//     ], "violation": { "kind": "forbidden", "message": "…", "property": 0, "file": 0, "line": 9, "column": 5
//     } }
//
// Threads and edges are the numbers they have in the program's text; fields that are 0, false or unknown are
// left out of steps. The sources are there to show lines of, nothing else. A C program also says how it is
// compiled: "c": { "directory": "/home/…", "files": [ "lock.c" ], "arguments": [ "-DN=2" ] }. Last comes a
// digest
// ("sha256") of all the rest, since a replay cannot tell whether words and sources are still those that were
// written.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "trace/witness.hpp"

namespace weir {

// The C files a program was made of, and how: enough to compile them again. No files: not known.
struct CSources {
  std::string directory;               // where relative paths begin
  std::vector<std::string> files;      // as given
  std::vector<std::string> arguments;  // of the compiler
};

struct ReplayFile {
  std::string program_path;  // of the original input
  std::string version;       // of the Weir that wrote the file
  Program program;
  Witness witness;
  CSources c_sources;    // no files if it is no C program, or the file is older
  bool changed = false;  // since it was written: its digest, if it has one, is that of something else
};

std::string write_replay(const Program& program, const Witness& witness, std::string_view version,
                         const CSources& c_sources = {});

// The text has the form that docs/schema/replay.schema.json says, and ids in the result exist in the program;
// whether the steps are possible is for `replay` to say.
Expected<ReplayFile> read_replay(std::string path, std::string text);

}  // namespace weir
