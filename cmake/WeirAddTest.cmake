# Tests that check inputs with weir.
#
#   weir_add_test(NAME name FILES file... [MODEL sc|tso|pso] [EXPECT verdict] [OPTIONS option...] [TIMEOUT seconds])
#
# adds a test of CTest that runs `weir check`. Several files are one C program. MODEL is sc by default. EXPECT is what
# the answer must be: safe (the default), unsafe, unknown, or an expectation of suites as in "unsafe assertion". TIMEOUT
# is that of weir, 60 seconds by default; without an answer in time the test fails. Files are relative to the current
# source folder. OPTIONS are more options of weir check; what follows -- in them goes to the C compiler.
#
#   weir_add_suite(NAME name FILES file|folder... [EXPECTED manifest] [MODEL ...] [OPTIONS ...] [TIMEOUT seconds])
#
# adds a test for many inputs, each of which says itself what is expected, or the manifest does. Its results are also
# in NAME.junit.xml in the current binary folder.
#
# weir is searched for on the PATH and beside this file; -DWEIR_PROGRAM=... says where it is.

get_filename_component(_weir_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(WEIR_PROGRAM weir HINTS "${_weir_prefix}/bin")

function(_weir_need name)
  if(NOT WEIR_PROGRAM)
    message(FATAL_ERROR "${name}: weir is not found; set WEIR_PROGRAM")
  endif()
endfunction()

function(_weir_absolute out)
  set(result)
  foreach(file IN LISTS ARGN)
    get_filename_component(path "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND result "${path}")
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

function(weir_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;MODEL;EXPECT;TIMEOUT" "FILES;OPTIONS")
  if(NOT arg_NAME OR NOT arg_FILES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weir_add_test(NAME name FILES file... [MODEL model] [EXPECT verdict] [OPTIONS option...] "
                        "[TIMEOUT seconds]); not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  _weir_need(weir_add_test)
  foreach(option MODEL=sc EXPECT=safe TIMEOUT=60)
    string(REPLACE "=" ";" option "${option}")
    list(GET option 0 key)
    list(GET option 1 value)
    if(NOT arg_${key})
      set(arg_${key} "${value}")
    endif()
  endforeach()
  if(NOT arg_MODEL MATCHES "^(sc|tso|pso)$")
    message(FATAL_ERROR "weir_add_test: MODEL is sc, tso or pso, not ${arg_MODEL}")
  endif()
  _weir_absolute(files ${arg_FILES})
  # A manifest says what is expected, so that weir compares, and explains what is different.
  list(GET files 0 first)
  list(LENGTH files count)
  if(count GREATER 1)
    # Several files are one program, which is no suite: the exit code says it.
    set(codes_safe 0)
    set(codes_unsafe 10)
    set(codes_unknown 5)
    string(REGEX MATCH "^[a-z]+" verdict "${arg_EXPECT}")
    if(NOT DEFINED codes_${verdict})
      message(FATAL_ERROR "weir_add_test: EXPECT is safe, unsafe or unknown, not ${arg_EXPECT}")
    endif()
    add_test(NAME ${arg_NAME}
             COMMAND ${CMAKE_COMMAND} "-DWEIR=${WEIR_PROGRAM}" "-DFILES=${files}" -DMODEL=${arg_MODEL}
                     -DCODE=${codes_${verdict}} -DTIMEOUT=${arg_TIMEOUT} "-DOPTIONS=${arg_OPTIONS}"
                     -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/WeirRunTest.cmake")
    return()
  endif()
  set(manifest "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.weir-expected")
  file(WRITE "${manifest}" "${first}: ${arg_MODEL} ${arg_EXPECT}\n")
  add_test(NAME ${arg_NAME} COMMAND "${WEIR_PROGRAM}" check "${first}" --model ${arg_MODEL} --expected "${manifest}"
                                    --timeout ${arg_TIMEOUT} ${arg_OPTIONS})
endfunction()

function(weir_add_suite)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;MODEL;EXPECTED;TIMEOUT" "FILES;OPTIONS")
  if(NOT arg_NAME OR NOT arg_FILES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weir_add_suite(NAME name FILES file|folder... [EXPECTED manifest] [MODEL model] "
                        "[OPTIONS option...] [TIMEOUT seconds]); not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  _weir_need(weir_add_suite)
  _weir_absolute(files ${arg_FILES})
  set(more)
  if(arg_MODEL)
    list(APPEND more --model ${arg_MODEL})
  endif()
  if(arg_EXPECTED)
    _weir_absolute(manifest ${arg_EXPECTED})
    list(APPEND more --expected "${manifest}")
  endif()
  if(arg_TIMEOUT)
    list(APPEND more --timeout ${arg_TIMEOUT})
  endif()
  add_test(NAME ${arg_NAME} COMMAND "${WEIR_PROGRAM}" check ${files} --suite ${more}
                                    --junit "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.junit.xml" ${arg_OPTIONS})
endfunction()
