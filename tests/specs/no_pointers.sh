#!/bin/bash
# SPDX-License-Identifier: MIT
# The tables must not contain pointers, which would be relocated at the start of trace-cli and of each traced
# program.
# usage: no_pointers.sh LIBRARY
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ar x "${1:?usage: no_pointers.sh LIBRARY}" spec_tables.c.o
found=$(readelf -rW spec_tables.c.o | grep '^[0-9a-f]\{8,\}' | head -n 3 || true)
[[ -z $found ]] || { printf 'the tables hold pointers, among them:\n%s\n' "$found"; exit 1; }
