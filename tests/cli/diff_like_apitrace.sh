#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares diff with apitrace's script, with each tool that is installed, and on a terminal.
# usage: diff_like_apitrace.sh TRACE_CLI MAKE_TRACE DATA_DIR
set -u
here=$(dirname "$(realpath "$0")")
cli=$(realpath "$1") make_trace=$2 data=$3
{ command -v apitrace && command -v python3; } >/dev/null || { echo "apitrace or python3 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 compared=0

# A pager that does not wait for a key. apitrace always uses less.
mkdir bin
printf '#!/bin/sh\nexec cat\n' >bin/less
chmod +x bin/less
export PATH=$work/bin:$PATH
unset PAGER LESS NO_COLOR COLUMNS
export TERM=xterm

fail()
{
    echo "diff $* differs:"
    diff theirs.txt ours.txt | head -n 6
    failures=1
}

compare()
{
    apitrace diff "$@" >theirs.txt 2>errors.txt
    "$cli" diff "$@" >ours.txt 2>>errors.txt
    cmp -s theirs.txt ours.txt || fail "$@"
    [[ ! -s theirs.txt ]] || compared=$((compared + 1))
}

compare_on_terminal()
{
    script -qec "apitrace diff $*" /dev/null </dev/null >theirs.txt
    script -qec "$cli diff $*" /dev/null </dev/null >ours.txt
    cmp -s theirs.txt ours.txt || fail "$@"
    [[ ! -s theirs.txt ]] || compared=$((compared + 1))
}

for seed in {1..10}; do
    python3 "$here/random_traces.py" "$make_trace" "$seed" a.trace b.trace || exit 1
    for options in "" --call-nos --suppress-common-lines "--call-nos --suppress-common-lines" "-c 3-40" \
        "--ref-calls=1-30 --src-calls=2-50 --call-nos"; do
        compare -t python $options a.trace b.trace
    done
done
compare_on_terminal -t python --call-nos a.trace b.trace
compare_on_terminal -t python --suppress-common-lines a.trace b.trace
for tool in diff sdiff wdiff; do
    command -v $tool >/dev/null || continue
    compare -t $tool --call-nos a.trace b.trace
    compare -t $tool --suppress-common-lines -c 3-30 a.trace b.trace
    compare_on_terminal -t $tool -w 100 a.trace b.trace
done
# Values of every type, except NaN and integers that apitrace gets wrong.
compare -t python --ref-calls=5-8,10- --src-calls=5- "$data"/{all-types,tri}.trace
compare -t python --calls=5-8,10- "$data"/{all-types,all-types}.trace
compare -t python "$data"/{incomplete-call,tri}.trace
((compared > 50)) || { echo "only $compared outputs were compared"; failures=1; }
exit $failures
