# Precompiled headers (-DWEIR_PRECOMPILE=ON), for builds that start from nothing. Not the default: without them every file has
# to include what it uses, and ccache finds more.
function(precompile_folder folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(kind ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(LENGTH sources count)
    if(NOT kind MATCHES "LIBRARY|EXECUTABLE" OR kind STREQUAL "INTERFACE_LIBRARY" OR count LESS 4)
      continue()
    endif()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set>
                              <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
  endforeach()
endfunction()

precompile_folder(${PROJECT_SOURCE_DIR})
if(WEIR_HAS_C)
  target_precompile_headers(weir_c PRIVATE <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
endif()
if(WEIR_TESTS)
  precompile_folder(${PROJECT_SOURCE_DIR}/tests <gmock/gmock.h> <gtest/gtest.h>)
endif()
