# Runs weir check on one C program and compares the exit code; called by tests of weir_add_test.
execute_process(COMMAND "${WEIR}" check ${FILES} --model ${MODEL} --timeout ${TIMEOUT} ${OPTIONS}
                RESULT_VARIABLE code)
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "weir check ends with exit code ${code}, and ${CODE} is expected")
endif()
