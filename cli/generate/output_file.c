/* SPDX-License-Identifier: MIT */
#include "generate/output_file.h"

#include "base/error.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>

int output_file_open(FILE **out, const char *format, ...)
{
    char path[PATH_MAX];
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(path, sizeof path, format, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof path)
        return trace_error_set(TRACE_ERR_IO, "a path is too long");
    *out = fopen(path, "w");
    return *out != NULL ? 0 : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
}

int output_file_close(FILE *file, const char *name)
{
    int failed = ferror(file);
    if (fclose(file) != 0 || failed)
        return trace_error_set(TRACE_ERR_IO, "%s: cannot be written", name);
    return 0;
}
