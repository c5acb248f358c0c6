#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the JSON of captured traces: it must follow the schema, and contain the same values as pickle.
source "$(dirname "$0")/e2e.sh"
start_x
require python3 glxgears
python3 -c 'import jsonschema' 2>err.txt || skip 'python3-jsonschema is not installed'

run 0 "$cli" trace -o glfw_buffers.trace -- "$apps/glfw_buffers"
run 0 "$cli" trace -o egl_es2.trace -- "$apps/egl_es2" window
trace_frames gears.trace 10 1 glxgears
run 0 "$cli" trim --frames=0-9 -o short.trace gears.trace
run 0 python3 "$e2e_dir/../cli/dump_json.py" "$cli" "$e2e_dir/../../docs/dump-json.schema.json" \
    glfw_buffers.trace egl_es2.trace short.trace
cat out.txt
finish
