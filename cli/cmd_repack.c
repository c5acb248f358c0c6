/* SPDX-License-Identifier: MIT
 * trace-cli repack: the same event stream in another container.
 */
#include "commands.h"

#include "base/error.h"
#include "replace_file.h"
#include "trace/input.h"
#include "trace/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COPY_SIZE      ((size_t)1 << 20)
#define NEWEST_VERSION 6 /* of the format; an event stream begins with its version */

struct repack_options {
    enum trace_container container;
    int level;
};

static int choose_snappy(void *options, const char *value)
{
    (void)value;
    *(struct repack_options *)options = (struct repack_options){TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT};
    return 0;
}

static int choose_zlib(void *options, const char *value)
{
    (void)value;
    *(struct repack_options *)options = (struct repack_options){TRACE_CONTAINER_ZLIB, TRACE_LEVEL_DEFAULT};
    return 0;
}

static int choose_level(struct repack_options *o, const char *value, const char *what, long min, long max)
{
    char *end = NULL;
    if (value == NULL)
        return 0;
    long level = strtol(value, &end, 10);
    if (end == value || *end != '\0' || level < min || level > max)
        return error_set(ERR_USAGE, "\"%s\" is not a %s from %ld to %ld", value, what, min, max);
    o->level = (int)level;
    return 0;
}

static int choose_brotli(void *options, const char *value)
{
    *(struct repack_options *)options = (struct repack_options){TRACE_CONTAINER_BROTLI, TRACE_LEVEL_DEFAULT};
    return choose_level(options, value, "quality", 0, 11);
}

static int choose_zstd(void *options, const char *value)
{
    *(struct repack_options *)options = (struct repack_options){TRACE_CONTAINER_ZSTD, TRACE_LEVEL_DEFAULT};
    return choose_level(options, value, "level", 1, 22);
}

/* The same file under any name: another spelling, a hard or symbolic link. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Says early what is no trace: a Brotli stream could hold anything. A pipe cannot be read twice. */
static int check_header(const char *path)
{
    struct trace_reader *reader;
    struct stat st;
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return 0;
    int rc = trace_reader_open(&reader, path);
    if (rc == 0)
        trace_reader_close(reader);
    return rc;
}

static int copy_stream(struct trace_input *in, struct trace_output *out, const char *out_path)
{
    uint8_t *bytes = malloc(COPY_SIZE);
    size_t got = 1;
    int rc = bytes == NULL ? error_set(ERR_MEMORY, "out of memory") : 0;
    for (bool first = true; rc == 0 && got > 0; first = false) {
        rc = trace_input_read(in, bytes, COPY_SIZE, &got);
        if (rc == 0 && first && (got == 0 || bytes[0] > NEWEST_VERSION))
            rc = error_set(ERR_FORMAT, "%s: not a trace: no version of the format", trace_input_path(in));
        if (rc == 0 && got > 0 && (rc = trace_output_write(out, bytes, got)) != 0)
            error_prefix(rc, "%s", out_path);
    }
    free(bytes);
    return rc;
}

static int write_container(const struct repack_options *o, struct trace_input *in, int fd,
                           const char *out_path)
{
    struct trace_output *out;
    int rc = trace_output_open_fd(&out, fd, o->container, o->level, 1);
    if (rc != 0)
        return error_prefix(rc, "%s", out_path);
    char message[512];
    rc = copy_stream(in, out, out_path);
    snprintf(message, sizeof message, "%s", error_message());
    int close_rc = trace_output_close(out);
    if (rc != 0)
        return error_set(rc, "%s", message); /* the first error is the one that matters */
    return close_rc == 0 ? 0 : error_prefix(close_rc, "%s", out_path);
}

static int repack(const struct repack_options *o, const char *in_path, const char *out_path)
{
    struct trace_input *in;
    struct replace_file file;
    if (is_same_file(in_path, out_path))
        return error_set(ERR_USAGE, "%s: input and output are the same file", out_path);
    int rc = check_header(in_path);
    if (rc == 0)
        rc = trace_input_open(&in, in_path);
    if (rc != 0)
        return rc;
    rc = replace_file_open(&file, out_path);
    if (rc == 0) {
        rc = write_container(o, in, file.fd, out_path);
        if (rc == 0)
            rc = replace_file_commit(&file);
        else
            replace_file_abandon(&file);
    }
    trace_input_close(in);
    return rc;
}

static int run_repack(const struct cli_command *self, int argc, char **argv)
{
    struct repack_options options = {TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 2)
        return cli_usage_error(self, "repack needs an input and an output file, not %d file%s",
                               operands.count, operands.count == 1 ? "" : "s");
    return repack(&options, operands.values[0], operands.values[1]) == 0 ? 0 : cli_print_error();
}

static const struct cli_option repack_options[] = {
    {CLI_OPTION_OPTIONAL, 'b', "brotli", NULL, "0-11", 0, "Brotli, of this quality (default: 11)",
     choose_brotli},
    {CLI_OPTION_ACTION, 's', "snappy", NULL, NULL, 0, "Snappy chunks (the default; for replay)",
     choose_snappy},
    {CLI_OPTION_OPTIONAL, 'z', "zstd", NULL, "1-22", 0, "seekable Zstandard, of this level (default: 3)",
     choose_zstd},
    {CLI_OPTION_ACTION, 'g', "zlib", NULL, NULL, 0, "gzip", choose_zlib},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_repack = {
    .name = "repack",
    .group = CLI_GROUP_CHANGE,
    .summary = "Compress a trace in another way, without loss",
    .operands = "[OPTION...] IN OUT",
    .details =
        "OUT appears only when it is complete; an existing file is replaced. IN itself is never changed.\n"
        "IN may be - for the standard input.",
    .examples = "trace-cli repack --brotli=9 app.trace small.trace\n",
    .options = repack_options,
    .run = run_repack,
};
