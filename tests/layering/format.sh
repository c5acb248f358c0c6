#!/bin/bash
# SPDX-License-Identifier: MIT
# Checks that every source file is formatted by clang-format 14 (Debian 12's). usage: format.sh
# SOURCE_DIRECTORY
set -u
cd "${1:?usage: format.sh SOURCE_DIRECTORY}" || exit 2
command -v clang-format >/dev/null || { echo 'clang-format is not installed'; exit 77; }
version=$(clang-format --version)
[[ $version == *' 14.'* ]] || { echo "needs clang-format 14, not $version"; exit 77; }
find bench cli common docs retrace specs tests wrappers -name '*.[ch]' -print0 |
    xargs -0 clang-format --dry-run -Werror
