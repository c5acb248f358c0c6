#!/bin/bash
# SPDX-License-Identifier: MIT
# The subcommand in docs/HOWTO-add-a-command.md compiles against today's headers.
# usage: howto_compiles.sh COMPILER SOURCE_DIR
set -euo pipefail
code=$(sed -n '/^```c$/,/^```$/p' "$2/docs/HOWTO-add-a-command.md" | sed '/^```/d')
[[ $code == *cli_cmd_count* ]] || { echo 'no example in the page'; exit 1; }
# What step 2 of the page adds to commands.h.
{ echo '#include "commands.h"'; echo 'extern const struct cli_command cli_cmd_count;'; echo "$code"; } |
    "$1" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I "$2/common" -I "$2/cli" -x c -
