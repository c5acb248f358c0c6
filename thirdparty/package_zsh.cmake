# SPDX-License-Identifier: MIT
# Run by cpack on the files of the package: Debian's zsh does not look for functions in /usr/share/zsh/site-functions.
set(zsh ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/zsh)
file(MAKE_DIRECTORY ${zsh}/vendor-completions)
file(RENAME ${zsh}/site-functions/_trace-cli ${zsh}/vendor-completions/_trace-cli)
file(REMOVE_RECURSE ${zsh}/site-functions)
