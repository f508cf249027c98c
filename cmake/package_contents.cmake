# Makes of an installed tree what Debian's policy wants of a package: called by CPack before it packs.
set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share")

file(GLOB manual "${share}/man/man1/*.1")
execute_process(COMMAND gzip -9nf ${manual} COMMAND_ERROR_IS_FATAL ANY)

# Where Debian's zsh looks.
file(MAKE_DIRECTORY "${share}/zsh/vendor-completions")
file(RENAME "${share}/zsh/site-functions/_weir" "${share}/zsh/vendor-completions/_weir")
file(REMOVE_RECURSE "${share}/zsh/site-functions")

# The licence is on every Debian system; `copyright` names it.
file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/package_copyright" "${share}/doc/weir/copyright")
