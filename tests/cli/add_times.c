/* SPDX-License-Identifier: MIT
 * usage: add_times TRACE NEW_TRACE: the calls of a trace with made-up times: call N is entered after
 * N * 1.00123 seconds and takes 10 * N^3 nanoseconds.
 */
#include "base/error.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/write/writer.h"

#include <stdio.h>

static int copy(struct trace_reader *reader, struct trace_writer *writer)
{
    const struct trace_call *call;
    int rc;
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        struct trace_call timed = *call;
        int64_t n = (int64_t)call->number;
        timed.enter_time = n * 1001230000;
        timed.leave_time = timed.enter_time + 10 * n * n * n;
        rc = trace_writer_write_call(writer, &timed, NULL);
        trace_call_release(reader, call);
        if (rc != 0)
            break;
    }
    return rc;
}

int main(int argc, char **argv)
{
    const struct trace_writer_options options = {.times = true};
    struct trace_reader *reader;
    struct trace_writer *writer;
    if (argc != 3) {
        fputs("usage: add_times TRACE NEW_TRACE\n", stderr);
        return 1;
    }
    if (trace_reader_open(&reader, argv[1]) != 0 || trace_writer_open(&writer, argv[2], &options) != 0) {
        fprintf(stderr, "error: %s\n", trace_error_message());
        return 1;
    }
    int rc = copy(reader, writer);
    rc |= trace_writer_close(writer);
    trace_reader_close(reader);
    if (rc != 0)
        fprintf(stderr, "error: %s\n", trace_error_message());
    return rc != 0;
}
