# What one engine or one language needs and is large (LLVM, Z3, Cbc) is in a module, which weir loads when it needs it
# for the first time (src/base/module.hpp).
#
#   weir_module(NAME SOURCES source… NEEDS library…)
#
# makes libweir_NAME.so. What it contains is its own: of all of it, it shows only the functions that weir calls.
set_property(GLOBAL PROPERTY WEIR_MODULES "")

function(weir_module name)
  cmake_parse_arguments(module "" "" "SOURCES;NEEDS" ${ARGN})
  add_library(weir_${name}_module MODULE ${module_SOURCES})
  target_link_libraries(weir_${name}_module PRIVATE ${module_NEEDS})
  target_link_options(weir_${name}_module PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
  if(NOT WEIR_SANITIZE)
    target_link_options(weir_${name}_module PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(weir_${name}_module PROPERTIES OUTPUT_NAME weir_${name} PREFIX lib
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  set_property(GLOBAL APPEND PROPERTY WEIR_MODULES weir_${name}_module)
endfunction()
