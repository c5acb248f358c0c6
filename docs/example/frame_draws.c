/* SPDX-License-Identifier: MIT
 * Counts the calls of each frame that draw, and writes one frame as a separate trace. usage: frame_draws
 * TRACE [FRAME NEW_TRACE]
 *
 *     cc -o frame_draws frame_draws.c $(pkg-config --cflags --libs trace-cli)
 */
#include <tracecli/error.h>
#include <tracecli/reader.h>
#include <tracecli/writer.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns 1 with *call, 0 at the end, or -1 after an error. If parts of the trace are missing or damaged,
 * prints a warning and continues. */
static int next_call(struct trace_reader *reader, const struct trace_call **call)
{
    for (;;) {
        int rc = trace_reader_next_call(reader, call);
        if (rc == 0)
            return *call != NULL;
        if (rc != TRACE_ERR_TRUNCATED && rc != TRACE_ERR_DAMAGED)
            return -1;
        fprintf(stderr, "warning: %s\n", trace_error_message());
    }
}

static int count_draws(struct trace_reader *reader)
{
    const struct trace_call *call;
    uint64_t frame = 0, calls = 0, draws = 0;
    int rc;
    while ((rc = next_call(reader, &call)) > 0) {
        ++calls;
        draws += (call->flags & TRACE_CALL_RENDER) != 0;
        if ((call->flags & TRACE_CALL_END_FRAME) != 0) {
            printf("frame %" PRIu64 ": %" PRIu64 " calls, %" PRIu64 " draw\n", frame++, calls, draws);
            calls = draws = 0;
        }
        trace_call_release(reader, call);
    }
    if (calls > 0)
        printf("after the last frame: %" PRIu64 " calls, %" PRIu64 " draw\n", calls, draws);
    return rc;
}

/* Copies the calls up to the end of the frame. The number of the frame is for the message. */
static int copy_frame(struct trace_reader *reader, uint64_t frame, struct trace_writer *writer)
{
    const struct trace_call *call;
    uint64_t calls = 0;
    int rc, end = 0;
    while (!end && (rc = next_call(reader, &call)) > 0) {
        end = (call->flags & TRACE_CALL_END_FRAME) != 0;
        rc = trace_writer_write_call(writer, call, NULL);
        trace_call_release(reader, call);
        if (rc != 0)
            return rc;
        ++calls;
    }
    if (calls == 0 && rc == 0)
        return trace_error_set(TRACE_ERR_USAGE, "there is no frame %" PRIu64, frame);
    return end ? 0 : rc;
}

static int write_frame(struct trace_reader *reader, uint64_t frame, const char *path)
{
    struct trace_writer *writer;
    struct trace_writer_options options = {0};
    options.semantic_version = trace_reader_semantic_version(reader);
    options.property_count = trace_reader_properties(reader, &options.properties);
    int rc = trace_reader_seek_frame(reader, frame);
    if (rc == 0)
        rc = trace_writer_open(&writer, path, &options);
    if (rc != 0)
        return rc;
    rc = copy_frame(reader, frame, writer);
    if (rc != 0) {
        trace_writer_abandon(writer);
        return rc;
    }
    return trace_writer_close(writer);
}

int main(int argc, char **argv)
{
    struct trace_reader *reader;
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: %s TRACE [FRAME NEW_TRACE]\n", argv[0]);
        return 2;
    }
    int rc = trace_reader_open(&reader, argv[1]);
    if (rc == 0) {
        trace_reader_resume_after_damage(reader);
        rc = count_draws(reader);
        if (rc == 0 && argc == 4)
            rc = write_frame(reader, strtoull(argv[2], NULL, 10), argv[3]);
        if (rc != 0)
            fprintf(stderr, "error: %s\n", trace_error_message());
        trace_reader_close(reader);
    } else {
        fprintf(stderr, "error: %s\n", trace_error_message());
    }
    return rc != 0;
}
