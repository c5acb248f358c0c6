#!/bin/bash
# SPDX-License-Identifier: MIT
# A program of several threads counts its calls itself. However it ends, account has to find as many in its log.
# usage: xray_counts.sh APPS_SOURCE_DIR
source "$(dirname "$0")/e2e.sh"
source "$e2e_dir/xray_build.sh"
xray_build "$1/xray_counted.c" calls -O2

check() # STATUS HOW
{
    run "$1" timeout 60 "$cli" trace -a xray -o calls.xray ./calls "$2"
    same "stderr of $2" err.txt /dev/null
    check_counts "$2" calls.xray ./calls out.txt
    rm -f calls.xray
}

check 7 return
check 7 _exit
check $((128 + 6)) abort
check $((128 + 11)) segv
check $((128 + 9)) kill
check $((128 + 15)) term
check 7 exec
check 7 signals
check 7 many
check 7 vfork
check 7 close

# The log ends where the program may no longer read clocks.
run 7 "$cli" trace -a xray -o strict.xray ./calls strict
contains err.txt 'process [0-9]+ \(calls\) has forbidden itself to read clocks'
check_counts 'a program without clocks' strict.xray ./calls out.txt

# A child has a log of its own.
run 7 "$cli" trace -a xray -o fork.xray ./calls fork
head -n 3 out.txt >child.txt
tail -n +4 out.txt >parent.txt
check_counts 'a forked process' fork.1.xray ./calls child.txt
check_counts 'the process that has forked' fork.xray ./calls parent.txt
cat fork.xray fork.1.xray >both.xray
"$cli" dump both.xray >both.txt 2>err.txt || fail 'two logs in one file are not read'

# Both modes count the same, and so does llvm-xray.
run 7 "$cli" trace -a xray --xray-mode=basic -o basic.xray ./calls
check_counts 'a basic log' basic.xray ./calls out.txt
run 7 "$cli" trace -a xray -o calls.xray ./calls
if command -v llvm-xray-14 >/dev/null; then
    llvm-xray-14 convert -f yaml calls.xray >calls.yaml || fail 'llvm-xray does not read the log'
    [[ $(count calls.yaml 'kind: function-enter') -eq $("$cli" dump calls.xray | grep -c '^enter') ]] ||
        fail 'llvm-xray reads another number of entries'
fi

# Ctrl-C reaches program and trace-cli.
set -m
: >out.txt # it tells when to interrupt
timeout 60 "$cli" trace -a xray -o wait.xray ./calls wait >out.txt 2>err.txt &
wait_until grep -q logged out.txt
kill -INT -- -$!
wait $!
[[ $? -eq $((128 + 2)) ]] || fail 'the status after SIGINT is another one'
set +m
check_counts 'an interrupted program' wait.xray ./calls out.txt
[[ -z $(find . -name '.xray-*') ]] || fail 'the directory of the records is still there'
finish
