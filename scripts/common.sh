# SPDX-License-Identifier: MIT
# Sourced by scripts/demo and scripts/check: packages, builds, and a display where there is none.
# shellcheck shell=bash
root_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export DEBIAN_FRONTEND=noninteractive

say()
{
    printf '\n==> %s\n' "$*"
}

die()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# need_packages PURPOSE…: installs what scripts/packages.txt lists for each purpose, as root; otherwise names
# what is missing.
need_packages()
{
    local purpose package missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "not a Debian system: scripts/packages.txt lists what is needed, under Debian's names" >&2
        return
    fi
    while read -r purpose package; do
        [[ " $* " == *" $purpose "* ]] || continue
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done <"$root_dir/scripts/packages.txt"
    [[ ${#missing[@]} -eq 0 ]] && return
    if [[ $(id -u) -ne 0 ]]; then
        die "missing packages; as root, run: apt-get install ${missing[*]}"
    fi
    say "installing ${missing[*]}"
    apt-get update -q </dev/null || die "apt-get update failed"
    apt-get install -q -y --no-install-recommends "${missing[@]}" </dev/null || die "apt-get install failed"
}

# configure_and_build TARGET DIRECTORY [CMAKE_OPTION…]
configure_and_build()
{
    local target=$1 directory=$2 generator=()
    shift 2
    [[ -e $directory/CMakeCache.txt ]] || generator=(-G Ninja)
    cmake -S "$root_dir" -B "$directory" "${generator[@]}" "$@" >"$directory.cmake.log" 2>&1 ||
        { cat "$directory.cmake.log"; return 1; }
    rm -f "$directory.cmake.log"
    cmake --build "$directory" --target "$target" --parallel "$(nproc)"
}

# start_display: exports DISPLAY; a private Xvfb that ends with this script when there was none.
start_display()
{
    [[ -n ${DISPLAY-} ]] && return
    local number
    coproc xvfb { exec Xvfb -displayfd 1 -screen 0 1280x1024x24 -noreset -nolisten tcp 2>/dev/null; }
    # The coprocess's variables vanish with it: keep them.
    xvfb_process=$xvfb_PID
    trap 'kill "$xvfb_process" 2>/dev/null' EXIT
    read -r -t 30 number <&"${xvfb[0]}" || die "Xvfb did not start"
    export DISPLAY=:$number LIBGL_ALWAYS_SOFTWARE=1
    say "no display: started Xvfb on $DISPLAY"
}
