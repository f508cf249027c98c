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
