# The C front end: a library for tests, and the same code as a module that weir loads when it is given a C program.
# Loading LLVM takes longer than checking a small program, so nobody else should pay for it.

# The runtime, from C and C++ to one piece of bitcode for each data model, which become part of the library.
file(GLOB runtime_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/frontend/c/runtime/*.c
                                            ${PROJECT_SOURCE_DIR}/src/frontend/c/runtime/*.cpp)
file(GLOB runtime_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/frontend/c/runtime/*.h)
# Debian's headers serve both models; what tells them apart comes with a package that need not be there.
set(narrow_headers ${PROJECT_BINARY_DIR}/headers32)
file(GLOB library_headers /usr/include/c++/*)
list(SORT library_headers COMPARE NATURAL)
list(GET library_headers -1 library_headers)
cmake_path(GET library_headers FILENAME library_version)
file(WRITE ${narrow_headers}/gnu/stubs-32.h "")
set(runtime_bitcode)
foreach(bits 64 32)
  set(runtime_folder ${PROJECT_BINARY_DIR}/runtime${bits})
  file(MAKE_DIRECTORY ${runtime_folder})
  set(model_options -m${bits})
  if(bits EQUAL 32)
    list(APPEND model_options -Wno-atomic-alignment -idirafter ${narrow_headers}
                              -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
  endif()
  set(runtime_objects)
  foreach(source ${runtime_sources})
    cmake_path(GET source STEM name)
    set(language_options)
    if(source MATCHES "cpp$")
      set(language_options --driver-mode=g++ -std=c++20)
      if(bits EQUAL 32)
        list(APPEND language_options -isystem ${library_headers}
                                     -isystem /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/c++/${library_version})
      endif()
    endif()
    set(object ${runtime_folder}/${name}.bc)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${WEIR_CLANG} ${model_options} ${language_options} -O0 -Xclang -disable-O0-optnone -fno-discard-value-names -fexceptions
              -Wall -Wextra
              -emit-llvm -c ${source} -o ${object}
      DEPENDS ${source} ${runtime_headers}
      COMMENT "Compiling runtime/${name} for ${bits} bits" VERBATIM)
    list(APPEND runtime_objects ${object})
  endforeach()
  set(bitcode ${runtime_folder}/runtime.bc)
  add_custom_command(
    OUTPUT ${bitcode}
    COMMAND ${WEIR_LLVM_LINK} ${runtime_objects} -o ${bitcode}
    DEPENDS ${runtime_objects}
    COMMENT "Linking the runtime for ${bits} bits" VERBATIM)
  list(APPEND runtime_bitcode ${bitcode})
endforeach()

room(c frontend/c WITHIN pipeline lowering instructions layout library unwinding NEEDS weir_program)
target_include_directories(weir_c SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
target_compile_definitions(weir_c PRIVATE WEIR_RUNTIME_64="${PROJECT_BINARY_DIR}/runtime64/runtime.bc"
                                          WEIR_RUNTIME_32="${PROJECT_BINARY_DIR}/runtime32/runtime.bc")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/frontend/c/pipeline/runtime_bitcode.cpp
                            PROPERTIES OBJECT_DEPENDS "${runtime_bitcode}"
                                       SKIP_UNITY_BUILD_INCLUSION ON)  # files compiled together lose what they depend on
target_link_libraries(weir_c PUBLIC LLVM)
target_compile_options(weir_c PRIVATE -Wno-mismatched-new-delete)  # g++ 12 misreports LLVM's own allocation functions

weir_module(c SOURCES ${PROJECT_SOURCE_DIR}/src/frontend/c/entry/entry.cpp NEEDS weir_c)
