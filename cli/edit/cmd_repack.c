/* SPDX-License-Identifier: MIT
 * trace-cli repack: writes the same event stream into another container.
 */
#include "shell/command.h"

#include "base/error.h"
#include "shell/number_option.h"
#include "shell/progress.h"
#include "shell/replace_file.h"
#include "edit/stream_digest.h"
#include "input/event_input.h"
#include "formats/apitrace/index/index_writer.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/copy/stream_copy.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct repack_options {
    enum trace_container container;
    int level;
    unsigned jobs; /* threads that compress */
    bool verify;   /* read the output back before it gets its name */
};

static int choose_container(struct repack_options *o, enum trace_container container, const char *value,
                            const char *what, long lowest, long highest)
{
    long level = TRACE_LEVEL_DEFAULT;
    int rc = value != NULL ? parse_number_option(value, what, lowest, highest, &level) : 0;
    o->container = container;
    o->level = (int)level;
    return rc;
}

/* choose_snappy(), … */
#define CHOOSE(id, codec, letter, option, what, lowest, highest, usual, help)                                \
    static int choose_##codec(void *options, const char *value)                                              \
    {                                                                                                        \
        return choose_container(options, TRACE_CONTAINER_##id, value, what, lowest, highest);                \
    }
TRACE_CONTAINERS(CHOOSE)

static int set_jobs(void *options, const char *value)
{
    return parse_jobs_option(value, 0, &((struct repack_options *)options)->jobs);
}

_Static_assert(JOBS_MAX <= TRACE_OUTPUT_MAX_JOBS, "each job is a thread of the output");

/* The destination of the stream. */
struct sink {
    struct trace_output *out;
    const char *out_path;
    struct stream_digest *digest; /* may be NULL */
};

/* A trace_input_tee. */
static int write_chunk(void *context, struct trace_chunk *chunk)
{
    struct sink *s = context;
    if (s->digest != NULL)
        stream_digest_add(s->digest, chunk->data, chunk->len);
    int rc = trace_output_write_chunk(s->out, trace_chunk_ref(chunk));
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", s->out_path);
}

static const char only_whole[] =
    "; only a complete trace can be repacked (\"trace-cli trim\" copies the readable calls)";

/* A stream that contains something other than events is also copied, but gets no index. */
static int copy_and_close(struct sink *s, struct trace_raw_events *in, struct trace_index_builder *index)
{
    struct trace_kept_error error;
    bool indexed = false;
    int rc = trace_stream_copy(in, write_chunk, s, index, &indexed);
    bool lacks_parts = rc == TRACE_ERR_TRUNCATED || rc == TRACE_ERR_FORMAT;
    trace_error_keep(&error, rc);
    if (indexed)
        trace_output_attach_index(s->out, index);
    int close_rc = trace_output_close(s->out);
    if (rc != 0) /* later errors follow from the first one */
        return lacks_parts ? trace_error_set(rc, "%s%s", error.message, only_whole)
                           : trace_error_restore(&error);
    if (close_rc == 0 && !indexed) {
        trace_error_set(TRACE_ERR_FORMAT, "%s; %s was written without an index", error.message, s->out_path);
        cli_print_warning();
    }
    return close_rc == 0 ? 0 : trace_error_prefix(close_rc, "%s", s->out_path);
}

static int write_container(const struct repack_options *o, struct trace_raw_events *in, int fd,
                           const char *out_path, struct stream_digest *digest)
{
    struct sink sink = {.out_path = out_path, .digest = digest};
    struct trace_index_builder *index;
    int rc = trace_index_builder_new(&index);
    if (rc != 0)
        return rc;
    if (o->container == TRACE_CONTAINER_SNAPPY) /* no levels: chunks may be copied without recompression */
        trace_raw_events_keep_compressed(in);
    rc = trace_output_open_fd(&sink.out, fd, o->container, o->level, o->jobs);
    rc = rc == 0 ? copy_and_close(&sink, in, index) : trace_error_prefix(rc, "%s", out_path);
    trace_index_builder_free(index);
    return rc;
}

static int write_and_verify(const struct repack_options *o, struct trace_raw_events *in,
                            const struct new_file *file, const char *out_path)
{
    struct stream_digest digest;
    if (!o->verify)
        return write_container(o, in, file->fd, out_path, NULL);
    int rc = stream_digest_init(&digest);
    if (rc == 0)
        rc = write_container(o, in, file->fd, out_path, &digest);
    if (rc == 0 && (rc = stream_digest_verify(&digest, file->temporary)) != 0)
        trace_error_prefix(rc, "%s: verification failed; no file was changed", out_path);
    stream_digest_fini(&digest);
    return rc;
}

/* The new index is built from the events. Their times are only in the old index. */
static void warn_of_index(struct trace_raw_events *in, const char *in_path)
{
    const char *problem = trace_raw_events_index_problem(in);
    if (problem == NULL)
        return;
    trace_error_set(TRACE_ERR_FORMAT, "%s: %s; the new index has no times", in_path, problem);
    cli_print_warning();
}

static int repack_probed(const struct repack_options *o, struct trace_probe *probe, const char *out_path)
{
    struct event_input in;
    struct new_file file;
    progress_begin("repack");
    int rc = event_input_open_probed(&in, probe, EVENT_INPUT_WHOLE);
    if (rc != 0)
        return rc;
    rc = replace_file_open(&file, out_path);
    if (rc == 0) {
        rc = write_and_verify(o, in.events, &file, out_path);
        if (rc == 0)
            rc = new_file_commit(&file);
        else
            new_file_abandon(&file);
    }
    if (rc == 0)
        warn_of_index(in.events, probe->name);
    event_input_close(&in);
    return rc;
}

static int repack(const struct repack_options *o, const char *in_path, const char *out_path)
{
    struct trace_probe probe;
    if (replace_file_is_same(in_path, out_path))
        return trace_error_set(TRACE_ERR_USAGE, "%s: input and output are the same file", out_path);
    int rc = trace_probe_open(&probe, in_path);
    if (rc == 0)
        rc = repack_probed(o, &probe, out_path);
    trace_probe_close(&probe);
    return rc;
}

static int run_repack(const struct cli_command *self, int argc, char **argv)
{
    struct repack_options options = {TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, default_jobs(), false};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 2)
        return cli_usage_error(self, "repack needs an input and an output file, not %d file%s",
                               operands.count, operands.count == 1 ? "" : "s");
    return repack(&options, operands.values[0], operands.values[1]) == 0 ? 0 : cli_print_error();
}

#define CONTAINER_OPTION(id, codec, letter, option, what, lowest, highest, usual, help)                      \
    {(highest) > 0 ? CLI_OPTION_OPTIONAL : CLI_OPTION_ACTION,                                                \
     letter,                                                                                                 \
     option,                                                                                                 \
     NULL,                                                                                                   \
     (highest) > 0 ? #lowest "-" #highest : NULL,                                                            \
     0,                                                                                                      \
     (highest) > 0 ? help " (default: " #usual ")" : help,                                                   \
     choose_##codec},

static const struct cli_option repack_options[] = {
    /* clang-format off */
    TRACE_CONTAINERS(CONTAINER_OPTION)
    /* clang-format on */
    {CLI_OPTION_CALLBACK, 0, "jobs", NULL, "N", 0,
     "compress in N threads (default: one per processor, at most 8);\n"
     "0: in the main thread. Brotli is a single stream, which threads\n"
     "do not speed up",
     set_jobs},
    {CLI_OPTION_FLAG, 0, "verify", NULL, NULL, offsetof(struct repack_options, verify),
     "read the result back and compare it before it becomes OUT", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_repack = {
    .name = "repack",
    .group = CLI_GROUP_CHANGE,
    .summary = "Recompress a trace, without loss",
    .operands = "[OPTION...] IN OUT",
    .details =
        "OUT appears only once it is complete; an existing file is replaced. IN itself is never changed.\n"
        "IN may be - for the standard input.",
    .examples = "trace-cli repack --brotli=9 app.trace small.trace\n"
                "trace-cli repack --zlib --jobs=2 --verify app.trace for-gzip.trace\n",
    .options = repack_options,
    .run = run_repack,
};
