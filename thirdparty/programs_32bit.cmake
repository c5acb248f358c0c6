# SPDX-License-Identifier: MIT
# TRACE_32BIT: the preloadable library is built a second time, for the 32-bit programs of an x86-64 machine. It needs
# only the C library, so the compiler with its 32-bit C library is enough; headers of X11 or GL are not used.
include(CheckCSourceCompiles)

# SSE2 for lock-free loads and stores of 64 bits, and for floats that keep every bit. Old programs align their stacks to
# 4 bytes only. Without gcc-multilib, which excludes all cross compilers, <asm/…> is only in the directory of the
# machine's own architecture; it is the same for both. GCC notes that it aligned atomics of 64 bits differently before
# version 11; shared_ring.c asserts the layout of what two processes share.
set(TRACE_32BIT_OPTIONS -m32 -msse2 -mfpmath=sse -mstackrealign -Wno-psabi)
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND TRACE_32BIT_OPTIONS -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
endif()

set(TRACE_32BIT "AUTO" CACHE STRING "Also build the library for 32-bit programs: ON, OFF, or AUTO (where possible)")
set_property(CACHE TRACE_32BIT PROPERTY STRINGS AUTO ON OFF)
set(build_32bit FALSE)
if(TRACE_32BIT AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT TRACE_SANITIZE)
  list(JOIN TRACE_32BIT_OPTIONS " " CMAKE_REQUIRED_FLAGS)
  check_c_source_compiles("#include <linux/futex.h>\n#include <stdio.h>\n#include <sys/syscall.h>\n
    int main(int argc, char **argv) { return printf(\"%s\", argv[argc - 1]) + SYS_futex; }" TRACE_CAN_32BIT)
  unset(CMAKE_REQUIRED_FLAGS)
  set(build_32bit ${TRACE_CAN_32BIT})
  if(NOT TRACE_CAN_32BIT)
    unset(TRACE_CAN_32BIT CACHE) # look again the next time
  endif()
endif()
if(TRACE_32BIT STREQUAL "ON" AND NOT build_32bit)
  message(FATAL_ERROR "TRACE_32BIT is ON, but the library for 32-bit programs cannot be built here: it needs x86-64, a "
                      "compiler that can link programs with -m32 (Debian: libc6-dev-i386, lib32gcc-12-dev), and no "
                      "sanitizer")
endif()
