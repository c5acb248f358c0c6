/* SPDX-License-Identifier: MIT */
#include "fuzz_trace_file.h"

#include "formats/apitrace/container/container.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int fuzz_trace_write(const uint8_t *stream, size_t count)
{
    int fd = memfd_create("fuzz.trace", MFD_CLOEXEC);
    struct trace_output *out;
    if (trace_output_open_fd(&out, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0) != 0 ||
        (trace_output_write(out, stream, count) | trace_output_close(out)) != 0)
        abort();
    return fd;
}

int fuzz_trace_file(const uint8_t *bytes, size_t count)
{
#ifdef FUZZ_STREAM
    return fuzz_trace_write(bytes, count);
#else
    int fd = memfd_create("fuzz.trace", MFD_CLOEXEC);
    if (write(fd, bytes, count) != (ssize_t)count)
        abort();
    return fd;
#endif
}
