#!/bin/bash
# SPDX-License-Identifier: MIT
# The extensions that a traced program finds even if the driver does not have them, and the settings of
# gltrace.conf.
source "$(dirname "$0")/e2e.sh"
export EGL_PLATFORM=surfaceless # no display
unset GL_QUERIES_NOTIFY MESA_EXTENSION_OVERRIDE MESA_GL_VERSION_OVERRIDE

# trace_offers KIND [OPTION…]: plain.txt and traced.txt are what gl_queries prints, app.txt its calls
trace_offers()
{
    local kind=$1 status=0
    shift
    "$apps/gl_queries" "$kind" >plain.txt 2>plain.err || status=$?
    [[ $status -ne 99 ]] || skip "no EGL context of kind $kind"
    rm -f app.trace
    run 0 "$cli" trace -o app.trace "$@" -- "$apps/gl_queries" "$kind"
    mv out.txt traced.txt
    mv err.txt traced.err
    run 0 "$cli" dump -v --color=never app.trace
    mv out.txt app.txt
}

lines() # FILE REGEX: those lines, without the regular expression's "error" of the line
{
    grep -aE -- "$2" "$1" || true
}

all='string_marker|frame_terminator|ARB_debug_output|AMD_debug_output|KHR_debug|EXT_debug_marker|EXT_debug_label|map_buffer_debug'
for kind in compat core es1 es2 es3; do
    trace_offers "$kind"
    case $kind in
    compat | core) wanted=$all ;;
    *) wanted='KHR_debug|EXT_debug_marker|EXT_debug_label' ;;
    esac
    [[ $kind == core ]] || # has no list in one string
        [[ $(count traced.txt "^GL_.*($wanted): 1$") -eq $(tr '|' '\n' <<<"$wanted" | wc -l) ]] ||
        fail "$kind: not all of $wanted are in the list: $(lines traced.txt '^GL_')"
    [[ $kind == es1 ]] || # has no list by indices
        [[ $(count traced.txt "^indexed GL_.*($wanted): 1$") -eq $(tr '|' '\n' <<<"$wanted" | wc -l) ]] ||
        fail "$kind: not all of $wanted are in the indexed list: $(lines traced.txt '^indexed')"
    lacks traced.txt '^(indexed )?GL_.*: [2-9]'
    lacks traced.txt 'two spaces'
    contains traced.txt '^without a context: nothing'
    # Everything else stays the same.
    same "$kind: the rest" <(lines plain.txt '^(vendor|MAX_|MAJOR|MINOR|CONTEXT_|UNIFORM|SHADER_STORAGE|grouped|label|khr|arb|mapped|callback|one too)') \
        <(lines traced.txt '^(vendor|MAX_|MAJOR|MINOR|CONTEXT_|UNIFORM|SHADER_STORAGE|grouped|label|khr|arb|mapped|callback|one too)')
    if [[ $kind != es1 ]]; then
        contains traced.txt '^NUM_PROGRAM_BINARY_FORMATS 0, error 0, float 0, error 0, truth 0, error 0, wide 0, error 0'
        contains traced.txt '^PROGRAM_BINARY_FORMATS -7, error 0, float -7, error 0, truth 77, error 0, wide -7, error 0'
        contains traced.txt '^binary length 0, error 0$'
        contains traced.txt '^binary of 0, untouched, error 0x502$'
        contains traced.txt '^binary loaded, error 0x500$'
        contains app.txt 'glGetIntegerv\(pname = GL_NUM_PROGRAM_BINARY_FORMATS, data = &0\)'
        contains app.txt 'glGetIntegerv\(pname = GL_PROGRAM_BINARY_FORMATS, data = \{\}\)'
        contains app.txt 'glGetBooleanv\(pname = GL_PROGRAM_BINARY_FORMATS, data = \{\}\)'
    fi
    if [[ $kind == es2 ]]; then
        contains traced.txt '^oes: no room at all, error 0x501$'
        contains traced.txt '^oes: binary of 0, untouched, error 0x502$'
        contains traced.txt '^oes: binary loaded, error 0x500$'
    fi
    same_dump app.trace
done

trace_offers compat
contains traced.txt '^marked, error 0$'
contains traced.txt '^terminated, error 0$'
contains traced.txt '^0 messages$'
contains traced.txt '^amd, error 0$'
contains app.txt 'glStringMarkerGREMEDY\(len = 4, string = "mark"\)'
contains app.txt 'glFrameTerminatorGREMEDY\(\)'
contains app.txt 'glGetString\(name = GL_EXTENSIONS\) = ".*GL_GREMEDY_string_marker'
contains app.txt 'glGetStringi\(name = GL_EXTENSIONS, index = [0-9]+\) = "GL_VMWX_map_buffer_debug"'
contains app.txt '^[0-9]+ memcpy\(dest = 0x[0-9a-f]+, src = blob\([0-9]+\), n = [0-9]+\) // fake$'

# The flag that only a tracer supports does not reach the driver.
GL_QUERIES_NOTIFY=1 trace_offers compat
contains traced.txt '^mapped: yes, error 0$'
contains plain.txt '^mapped: no, error 0x501$'
# Exactly the bytes that the program announced are recorded.
contains app.txt '^[0-9]+ memcpy\(dest = 0x[0-9a-f]+, src = blob\(8\), n = 8\) // fake$'
[[ $(count app.txt 'memcpy\(.*fake$') -eq 1 ]] || fail "notified: $(lines app.txt 'memcpy')"

# Switched off by the option and by the key: only the driver's own extensions remain.
untouched='^(GL_|indexed|count|NUM_EXT|marked|terminated|one too|two)'
for kind in compat core es2; do
    trace_offers "$kind" --offer-extensions=no
    same "$kind: without offers" <(lines plain.txt "$untouched") <(lines traced.txt "$untouched")
    contains traced.txt '^NUM_PROGRAM_BINARY_FORMATS 0,'
done
echo 'TRACE_CLI_OFFER_EXTENSIONS = no' >off.conf
GLTRACE_CONF=$work/off.conf trace_offers compat
same 'without offers by key' <(lines plain.txt "$untouched") <(lines traced.txt "$untouched")

# A driver without debug extensions: nothing is an error, and no answer is uninitialised memory.
export MESA_EXTENSION_OVERRIDE='-GL_KHR_debug -GL_ARB_debug_output -GL_EXT_debug_label' MESA_GL_VERSION_OVERRIDE=3.3
trace_offers core
[[ $(count traced.txt "^indexed GL_.*($all): 1$") -eq 8 ]] || fail "without debug extensions: $(lines traced.txt '^indexed')"
contains traced.txt "^label '' of 0, error 0$"
contains traced.txt '^MAX_LABEL_LENGTH 256, error 0,'
contains traced.txt '^MAX_DEBUG_MESSAGE_LENGTH 4096, error 0,'
contains traced.txt '^khr, error 0$'
contains traced.txt '^arb, error 0$'
contains traced.txt '^callback none, error 0$'
unset MESA_EXTENSION_OVERRIDE MESA_GL_VERSION_OVERRIDE

# gltrace.conf
mkdir -p config/apitrace
cat >config/apitrace/gltrace.conf <<'CONF'
# A comment
GL_VENDOR = "Acme, Inc."
GL_RENDERER = "Acme
rasterizer"
GL_VERSION = "3.1"
GL_SHADING_LANGUAGE_VERSION = "1.30"

GL_EXTENSIONS = "GL_EXT_texture_swizzle
    GL_ARB_multitexture GL_KHR_debug"
GL_MAX_TEXTURE_SIZE = 1024
GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT = 512
GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT = 256
GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT = 128
GL_CONTEXT_PROFILE_MASK = "GL_CONTEXT_CORE_PROFILE_BIT"
CONF
unset GLTRACE_CONF
XDG_CONFIG_HOME=$work/config trace_offers compat
for line in 'vendor Acme, Inc\.' 'renderer Acme rasterizer' 'version 3\.1' 'glsl 1\.30' 'count 10, error 0' \
    'indexed GL_KHR_debug: 1' 'indexed GL_EXT_debug_label: 1' 'one too many: none, error 0x501' 'GL_KHR_debug: 1'; do
    contains traced.txt "^$line\$"
done
for line in 'NUM_EXTENSIONS 10' 'MAJOR_VERSION 3' 'MINOR_VERSION 1' 'MAX_TEXTURE_SIZE 1024' 'CONTEXT_PROFILE_MASK 1' \
    'UNIFORM_BUFFER_OFFSET_ALIGNMENT 512' 'TEXTURE_BUFFER_OFFSET_ALIGNMENT 256' \
    'SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT 128'; do
    contains traced.txt "^$line, error 0"
done
contains app.txt 'glGetString\(name = GL_VENDOR\) = "Acme, Inc\."'
contains traced.err 'queries are answered according to .*config/apitrace/gltrace\.conf$'
[[ $(wc -l <traced.err) -eq 1 ]] || fail "messages about gltrace.conf: $(cat traced.err)"
mkdir -p home/.config && cp -r config/apitrace home/.config
HOME=$work/home XDG_CONFIG_HOME='' trace_offers compat
contains traced.txt '^version 3\.1$'
GLTRACE_CONF=$work/none HOME=$work/home trace_offers compat
same 'with a file that does not exist' <(lines plain.txt '^version') <(lines traced.txt '^version')
printf 'GL_NONSENSE = 1\nGL_MAX_TEXTURE_SIZE = 77\nGL_VENDOR = "no end\n' >bad.conf
GLTRACE_CONF=$work/bad.conf trace_offers compat
contains traced.txt '^MAX_TEXTURE_SIZE 77, error 0'
contains traced.err 'bad\.conf: GL_NONSENSE is not a key$'
contains traced.err 'bad\.conf: GL_VENDOR has no valid value$'
finish
