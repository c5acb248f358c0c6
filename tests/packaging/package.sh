#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the .deb, checks its contents, unpacks it elsewhere, and traces, dumps and replays a program from
# there.
source "$(dirname "$0")/../e2e/e2e.sh"
require cpack dpkg-deb dpkg-shlibdeps file
start_x

run 0 cpack --config "$build/CPackConfig.cmake" -B "$work/packages" || { cat out.txt err.txt; finish; }
packages=("$work"/packages/*.deb)
[[ -e ${packages[0]} && ${#packages[@]} -eq 1 ]] || { fail "packages: ${packages[*]}"; finish; }

dpkg-deb --info "${packages[0]}" >info.txt
cat info.txt
contains info.txt '^ Package: trace-cli$'
contains info.txt '^ Section: graphics$'
lacks info.txt '^ Depends: .*(libsnappy|libstdc)'
contains info.txt '^ Depends: .*libbrotli1'
contains info.txt '^ Depends: .*libglfw3'
contains info.txt '^ Depends: .*libgl1'
lacks info.txt '^ Depends: .*i386' # only 32-bit programs need it
if [[ -e $build/lib/trace-cli/i386/gltrace.so ]]; then
    contains info.txt '^ Recommends: libc6-i386'
fi
dpkg-deb --contents "${packages[0]}" >contents.txt
for path in 'bin/trace-cli' 'share/man/man1/trace-cli\.1' 'share/man/man1/trace-cli-replay\.1' \
    'share/bash-completion/completions/trace-cli' 'share/fish/vendor_completions.d/trace-cli\.fish' \
    'lib/libtracecli\.so\.0 -> libtracecli\.so\.[0-9.]*' 'lib/libtracecli\.a' 'lib/pkgconfig/trace-cli\.pc' \
    'include/tracecli/reader\.h' 'share/doc/trace-cli/example/frame_draws\.c' 'share/zsh/vendor-completions/_trace-cli' 'share/doc/trace-cli/copyright' \
    'share/doc/trace-cli/trace-format\.md' 'share/doc/trace-cli/NOTICES'; do
    contains contents.txt " \./usr/$path\$"
done
lacks contents.txt '/tests/|/generate_docs|/specgen'

# The same files, at another place.
dpkg-deb -x "${packages[0]}" "$work/root"
installed=$work/root/usr/bin/trace-cli
file "$installed" >file.txt
contains file.txt 'ELF.*, stripped'
# Independent of the build directory and of what else is installed.
run 0 "$installed" trace -o installed.trace -- "$apps/glx_triangle"
run 0 "$installed" dump installed.trace
contains out.txt 'glXSwapBuffers\('
run 0 "$installed" retrace --headless -s - --snapshot-format=MD5 installed.trace
[[ $(wc -l <out.txt) -eq 3 ]] || fail "$(wc -l <out.txt) frames replayed instead of 3"
if command -v strace >/dev/null; then
    strace -f -e trace=openat -o strace.txt "$installed" trace -o installed.trace -- "$apps/glx_triangle" >/dev/null 2>&1
    lacks strace.txt "$build/(bin|lib)"
fi

# cmake --install has the same files, except that the package has Debian's directory for zsh.
run 0 cmake --install "$build" --prefix "$work/prefix"
run 0 "$work/prefix/bin/trace-cli" dump installed.trace
(cd "$work/root/usr" && find . -type f | sort) >package-files.txt
(cd "$work/prefix" && find . -type f | sed 's,zsh/site-functions,zsh/vendor-completions,' | sort) >prefix-files.txt
same 'files of the package and of the installation' package-files.txt prefix-files.txt
finish
