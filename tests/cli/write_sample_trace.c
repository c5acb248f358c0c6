/* SPDX-License-Identifier: MIT
 * usage: write_sample_trace FILE: a trace with every value type.
 */
#include "trace_samples.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct buf stream = BUF_INIT;
    struct trace_output *out;
    int fd = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd < 0) {
        fputs("usage: write_sample_trace FILE\n", stderr);
        return 1;
    }
    sample_encode_stream(&stream);
    int rc = trace_output_open_fd(&out, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0);
    if (rc == 0) {
        rc = trace_output_write(out, stream.data, stream.len);
        rc |= trace_output_close(out);
    }
    buf_fini(&stream);
    return close(fd) != 0 || rc != 0;
}
