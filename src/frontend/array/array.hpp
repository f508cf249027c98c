// The front end for parameterized array systems: the language of Cubicle [Conchon12] and of Cubicle-W
// [Conchon18]. A file goes through lexer, parser (to syntax.hpp) and resolver.
//
// Where the two tools leave a choice or differ from each other, Weir reads a file like this:
//   - A disjunction in `unsafe` or `invariant` gives one cube for each of its cases.
//   - A `case` without `_` leaves the cell as it is where no guard holds.
//   - `A[p] := case …` with a parameter p changes one cell; with a new name it changes every cell and binds
//     the name. `A[p, j] := case …` changes the row of p.
//   - `fence(p)` and `p@X` are allowed in transitions if p is the performing process. A transition that has
//     no parameter in brackets gets its performing process from the first of these.
//   - Two transitions may have the same name.
//   - `<` between processes compares ranks, which are added to the system; see process_order.hpp.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "program/array/system.hpp"

namespace weir {

// All mistakes of the syntax are reported together, or else all mistakes in the declarations, or else all
// others: the first one in each transition, cube or initial formula.
Expected<array::ArraySystem> parse_array_system(std::string path, std::string text);

}  // namespace weir
