# web/dist/explorer.html as a C++ file of the report room. The built page is kept in the repository, so that building
# Weir needs neither Node nor a network; tests/web checks that it is what web/ builds to.
set(explorer_page ${PROJECT_SOURCE_DIR}/web/dist/explorer.html)
set(explorer_source ${PROJECT_BINARY_DIR}/generated/explorer_template.cpp)
add_custom_command(
  OUTPUT ${explorer_source}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${explorer_page} -DOUTPUT=${explorer_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${explorer_page} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  VERBATIM)
target_sources(weir_report PRIVATE ${explorer_source})
