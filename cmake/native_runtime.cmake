# src/native/runtime as a C++ file of the native room.
file(GLOB native_runtime CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/native/runtime/*.[ch])
set(native_source ${PROJECT_BINARY_DIR}/generated/native_runtime_files.cpp)
add_custom_command(
  OUTPUT ${native_source}
  COMMAND ${CMAKE_COMMAND} "-DFILES=${native_runtime}" -DOUTPUT=${native_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${native_runtime} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  VERBATIM)
target_sources(weir_native PRIVATE ${native_source})

# The pass that clang loads when it compiles the user's own program.
if(WEIR_HAS_C)
  file(GLOB native_pass CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/native/instrumentation/*.cpp)
  add_library(weir_native_pass MODULE ${native_pass})
  target_include_directories(weir_native_pass PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(weir_native_pass SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_options(weir_native_pass PRIVATE -Wno-mismatched-new-delete)  # as for the C front end
  target_compile_options(weir_native_pass PRIVATE -fno-sanitize=all)  # clang, which loads it, has no sanitizers
  target_link_options(weir_native_pass PRIVATE -fno-sanitize=all)
  set_target_properties(weir_native_pass PROPERTIES OUTPUT_NAME weir_native PREFIX lib
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()
