#!/bin/bash
# SPDX-License-Identifier: MIT
# Limits the number of pointers that no rule describes. It may only decrease, and a lower number must be
# written down.
# usage: report.sh SPECGEN INPUT…
set -u
limit=$(cat "$(dirname "$0")/report-limit") || exit 2
report=$("$1" --report "${@:2}") || exit 1
count=${report##*$'\n'}
count=${count%% *}
if [[ $count -gt $limit ]]; then
    printf '%s\n' "$report"
    printf 'at most %d are allowed (tests/golden/report-limit): write rules for the new ones\n' "$limit"
    exit 1
elif [[ $count -lt $limit ]]; then
    printf 'only %d pointers are without a rule: write that into tests/golden/report-limit\n' "$count"
    exit 1
fi
