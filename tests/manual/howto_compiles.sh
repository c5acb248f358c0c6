#!/bin/bash
# SPDX-License-Identifier: MIT
# The subcommand in docs/HOWTO-add-a-command.md, and the codec of docs/HOWTO-add-a-codec.md, compile against today's headers.
# usage: howto_compiles.sh COMPILER SOURCE_DIR
set -euo pipefail
code=$(sed -n '/^```c$/,/^```$/p' "$2/docs/HOWTO-add-a-command.md" | sed '/^```/d')
[[ $code == *cli_cmd_count* ]] || { echo 'no example in the page'; exit 1; }
# Its line for the list looks like those that are there.
line=$(grep -oE '^ +CLI_COMMAND\(count, [a-z]+\)$' "$2/docs/HOWTO-add-a-command.md") || { echo 'no line for command_list.inc'; exit 1; }
directory=${line##* }
[[ -d $2/cli/${directory%)} ]] || { echo "no directory cli/${directory%)}"; exit 1; }
echo "$code" |
    "$1" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I "$2/common" -I "$2/cli" -x c -
# The codec in docs/HOWTO-add-a-codec.md, too, and its row looks like those that are there.
"$1" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I "$2/common" "$2/docs/example/codec_stored.c"
grep -qE '^    ROW\([A-Z]+, stored, '"'.'"', "[a-z]+", "[a-z]*", [0-9]+, [0-9]+, [0-9]+, "[^"]+"\)$' "$2/docs/HOWTO-add-a-codec.md" ||
    { echo 'no row for container_kind.h'; exit 1; }
