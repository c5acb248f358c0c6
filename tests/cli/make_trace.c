/* SPDX-License-Identifier: MIT
 * usage: make_trace FILE < TEXT: a trace for transcripts, of the calls that the text has (call_script.h).
 */
#include "base/buf.h"
#include "call_script.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/encoder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct trace_output *out;
    int fd = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd < 0) {
        fputs("usage: make_trace FILE < TEXT\n", stderr);
        return 1;
    }
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    call_script_encode(&e, stdin);
    int rc = e.failed || trace_output_open_fd(&out, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0) != 0;
    if (rc == 0) {
        rc = trace_output_write(out, stream.data, stream.len);
        rc |= trace_output_close(out);
    }
    trace_encoder_fini(&e);
    buf_fini(&stream);
    return close(fd) != 0 || rc != 0;
}
