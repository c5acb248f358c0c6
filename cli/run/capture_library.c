/* SPDX-License-Identifier: MIT
 * In LD_PRELOAD, the loader replaces $PLATFORM by the processor's name. It has several for the same processor
 * (elf/dl-load.c, sysdeps/x86/cpu-features.c of glibc), but none of them is of both ABIs. For each there is a
 * directory or a link beside the library. Of two libraries in LD_PRELOAD, the loader would complain about one
 * in every process, and $LIB is "lib" for either ABI, depending on the distribution.
 */
#include "run/capture_library.h"

#include "base/error.h"
#include "run/program_file.h"
#include "shell/install_paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "gltrace.so"

static bool have_32_bit(void)
{
    char path[PATH_MAX];
    return cli_find_installed("i386/" LIBRARY, path, sizeof path) == 0;
}

int capture_library_path(char *out, size_t size)
{
    int rc = cli_find_installed(LIBRARY, out, size);
    char *name = strrchr(out, '/');
    if (rc != 0 || !have_32_bit())
        return rc;
    size_t used = (size_t)(name + 1 - out);
    int n = snprintf(name + 1, size - used, "$PLATFORM/" LIBRARY);
    return n > 0 && (size_t)n < size - used
               ? 0
               : trace_error_set(TRACE_ERR_IO, "the path of " LIBRARY " is too long");
}

int capture_library_xray_path(char *out, size_t size)
{
    return cli_find_installed("xraytrace.so", out, size);
}

int capture_library_directory(char *out, size_t size)
{
    return cli_find_installed("library-path", out, size);
}

const char *capture_library_obstacle(const char *program)
{
    switch (program_file_kind(program)) {
    case PROGRAM_32_BIT:
        return have_32_bit()
                   ? NULL
                   : "is a 32-bit program, and this trace-cli was built without the library for those: "
                     "build it with -DTRACE_32BIT=ON (on Debian, with libc6-dev-i386 and lib32gcc-12-dev)";
    case PROGRAM_FOREIGN:
        return "is a program for another processor or ABI";
    default:
        return NULL;
    }
}
