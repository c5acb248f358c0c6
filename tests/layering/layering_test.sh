#!/bin/bash
# SPDX-License-Identifier: MIT
# Adds violations to a small tree and expects layering.sh to report each of them.
# usage: layering_test.sh LAYERING_SH
set -u
layering=${1:?usage: layering_test.sh LAYERING_SH}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

plant() # FILE TEXT
{
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$tree/$1"
}

expect() # STATUS PATTERN
{
    local output status
    output=$(bash "$layering" "$tree" 2>&1)
    status=$?
    if [[ $status -ne $1 || $output != *"$2"* ]]; then
        printf 'expected status %s and "%s"; got status %s and:\n%s\n' "$1" "$2" "$status" "$output"
        exit 1
    fi
}

expect 2 'no source files'
plant common/base/low.h 'int low(void);'
plant common/base/low.c '#include "base/low.h"'
plant common/trace/middle.h '#include "base/low.h"'
plant cli/top.c '#include "trace/middle.h"'
plant tests/unit/low_test.c '#include "base/low.h"'
plant retrace/player.c '#include <GL/gl.h>'
expect 0 'no include goes upward'

plant common/base/low.c '#  include   "trace/middle.h" /* upward */'
expect 1 'common/base/low.c:1: common/base includes trace/middle.h of common/trace'
plant common/base/low.c '#include "../trace/middle.h"'
expect 1 'without ..'
plant common/base/low.c ''
expect 0 'no include goes upward'

plant common/image/aside.c '#include "trace/middle.h"'
expect 1 'common/image includes trace/middle.h of common/trace'
rm "$tree/common/image/aside.c"

# Rooms in a room.
plant common/formats/apitrace/format.h ''
plant common/formats/apitrace/container/box.h '#include "formats/apitrace/format.h"'
plant common/formats/apitrace/scan/scan.h '#include "formats/apitrace/container/box.h"'
plant common/formats/apitrace/copy/copy.h '#include "formats/apitrace/scan/scan.h"'
plant cli/top.c '#include "formats/apitrace/scan/scan.h"'
expect 0 'no include goes upward'
plant common/formats/apitrace/container/box.h '#include "formats/apitrace/scan/scan.h"'
expect 1 'common/formats/apitrace/container includes formats/apitrace/scan/scan.h of common/formats/apitrace/scan'
plant common/formats/apitrace/container/box.h ''
plant common/trace/middle.c '#include "formats/apitrace/format.h"'
expect 1 'common/trace includes formats/apitrace/format.h of common/formats/apitrace'
rm "$tree/common/trace/middle.c"
plant common/formats/other/other.h '#include "formats/apitrace/format.h"'
expect 1 'common/formats/other includes formats/apitrace/format.h of common/formats/apitrace'
rm -r "$tree/common/formats"

plant cli/top.c '#include <X11/Xlib.h>'
expect 1 "cli includes <X11/Xlib.h>, a window system's or GL's header"
plant cli/top.c ''

plant retrace/middle.h ''
expect 1 'retrace/middle.h: has the same name as common/trace/middle.h'
rm "$tree/retrace/middle.h"

plant common/elsewhere/lost.c ''
expect 1 'common/elsewhere/lost.c: lies in no directory'

circles=${layering%/*}/circles.sh
plant retrace/first.h '#include "second.h"'
plant retrace/second.h ''
plant retrace/second.c '#include "room/third.h"'
plant retrace/room/third.c '#include "third.h"'
plant retrace/room/third.h '#include "elsewhere/unknown.h"'
# What files share belongs to the module of that name.
plant retrace/second.c $'#include "room/third.h"\n#include "second_state.h"'
plant retrace/second_state.h '#include "second.h"'
bash "$circles" "$tree" retrace >/dev/null || { echo 'circles.sh sees a circle where there is none'; exit 1; }
plant retrace/room/third.c '#  include "first.h"'
if output=$(bash "$circles" "$tree" retrace) || [[ $output != *first* || $output != *third* ]]; then
    echo "circles.sh does not tell of a circle: $output"
    exit 1
fi
echo 'every planted violation was found'
