# `make package`: a Debian package, by CPack. docs/packaging.md says what is in it and why it depends on what.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "verifier of concurrent programs on weak memory (SC, TSO, PSO)")
set(CPACK_PACKAGE_DESCRIPTION
"Weir says whether a concurrent program is correct under sequential
consistency, total store order (x86) and partial store order. It shows the
execution that breaks the program, or proves that there is none, for a given
number of threads or for any, and places the fewest fences that repair it.
It reads C and C++ with POSIX, C11 or C++ threads, litmus tests, and small
languages of the field. The library libweir asks the same questions from C++.
.
C and C++ programs need clang-19, which is recommended.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_contents.cmake)

set(WEIR_PACKAGE_MAINTAINER "The authors of Weir <weir@localhost>" CACHE STRING "Who is named in the Debian package")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${WEIR_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# What is linked, by dpkg-shlibdeps; and what it is to write for packages of programs that link libweir.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(WRITE ${PROJECT_BINARY_DIR}/shlibs "libweir ${PROJECT_VERSION_MAJOR} weir (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/shlibs)
# What is run and not linked. clang-19 brings the headers of C (libc6-dev) and of C++ (libstdc++-12-dev).
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, graphviz, patch, spin, z3")
include(CPack)
