# libweir: what other programs use. It is made of the same rooms as the command, and shows weir::v1 alone.
add_library(weir_library SHARED)
add_folder(weir_library weir/inside)
target_include_directories(weir_library PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
target_compile_features(weir_library PUBLIC cxx_std_20)
target_compile_definitions(weir_library PRIVATE WEIR_VERSION="${PROJECT_VERSION}")
target_link_libraries(weir_library PRIVATE weir_verify weir_report)
if(WEIR_HAS_BUDDY)
  target_compile_definitions(weir_library PRIVATE WEIR_HAS_BUDDY)
  target_link_libraries(weir_library PRIVATE weir_verify_fair)
endif()
set_target_properties(weir_library PROPERTIES OUTPUT_NAME weir EXPORT_NAME weir VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/library.map)
# Templates of the standard library are visible wherever they are compiled; the list of symbols hides them, too.
target_link_options(weir_library PRIVATE -Wl,--exclude-libs,ALL
                    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/library.map)
if(NOT WEIR_SANITIZE)
  target_link_options(weir_library PRIVATE -Wl,-z,defs)
endif()
# The modules are beside it where it is built, and in lib/weir where it is installed.
set_target_properties(weir_library PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN/weir")
get_property(weir_modules GLOBAL PROPERTY WEIR_MODULES)
if(weir_modules)
  add_dependencies(weir_library ${weir_modules})
endif()

# For users: find_package(Weir) with the target Weir::weir, or pkg-config. Both find their way from where they are.
include(CMakePackageConfigHelpers)
set(weir_config_folder lib/cmake/Weir)
file(GLOB weir_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/weir/*.hpp)
install(FILES ${weir_headers} DESTINATION include/weir)
install(TARGETS weir_library EXPORT WeirTargets LIBRARY DESTINATION lib)
install(EXPORT WeirTargets NAMESPACE Weir:: DESTINATION ${weir_config_folder})
configure_package_config_file(cmake/WeirConfig.cmake.in ${PROJECT_BINARY_DIR}/WeirConfig.cmake
                              INSTALL_DESTINATION ${weir_config_folder})
# Until 1.0, a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/WeirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/WeirConfig.cmake ${PROJECT_BINARY_DIR}/WeirConfigVersion.cmake
        DESTINATION ${weir_config_folder})
configure_file(cmake/weir.pc.in ${PROJECT_BINARY_DIR}/weir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weir.pc DESTINATION lib/pkgconfig)
