/* SPDX-License-Identifier: MIT
 * trace-cli dump: a trace as text.
 */
#include "commands.h"

#include "base/error.h"
#include "color_mode.h"
#include "trace/call_text.h"
#include "name_pattern.h"
#include "pager.h"
#include "selected_calls.h"
#include "trace/reader.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* text is written in pieces of about this size */

struct dump_options {
    struct call_selection selection; /* first, as its options expect */
    bool verbose;
    enum color_mode color;
    const char *grep;
    struct trace_call_text_style style;
};

struct dump {
    struct dump_options options;
    struct name_pattern grep;
    bool grep_ready; /* calls are filtered by grep */
    bool cut_off;    /* the last trace was shown, as far as it goes */
    bool damaged;    /* of one, parts could not be shown */
    struct trace_call_text formatter;
};

/* --- output ---------------------------------------------------------------------------------------- */

static int flush_text(struct buf *text)
{
    const uint8_t *p = text->data;
    size_t left = text->len;
    while (left > 0) {
        ssize_t n = write(STDOUT_FILENO, p, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set_errno(ERR_IO, errno, "cannot write to the standard output");
        p += n;
        left -= (size_t)n;
    }
    buf_clear(text);
    return 0;
}

static int compare_properties(const void *a, const void *b)
{
    const struct trace_property *x = a;
    const struct trace_property *y = b;
    return strcmp(x->name, y->name);
}

static int print_properties(struct dump *d, const struct trace_reader *reader)
{
    const struct trace_property *properties;
    size_t count = trace_reader_properties(reader, &properties);
    struct trace_property *sorted = malloc((count + 1) * sizeof *sorted);
    int rc = sorted == NULL ? error_set(ERR_MEMORY, "out of memory") : 0;
    if (rc == 0 && count > 0) {
        memcpy(sorted, properties, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_properties);
    }
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = trace_call_text_add_property(&d->formatter, &sorted[i]);
    free(sorted);
    return rc;
}

/* --- one trace ------------------------------------------------------------------------------------- */

static bool is_wanted(struct dump *d, const struct trace_call *call)
{
    if (!d->options.verbose && (call->flags & TRACE_CALL_VERBOSE) != 0)
        return false;
    return !d->grep_ready || name_pattern_matches(&d->grep, call->sig);
}

/* Between the calls before and those after it. */
static int warn_of_damage(struct dump *d)
{
    char message[512];
    snprintf(message, sizeof message, "%s", error_message());
    d->damaged = true;
    int rc = flush_text(&d->formatter.out);
    fprintf(stderr, "warning: %s\n", message);
    return rc;
}

/* A trace that is cut off is shown as far as it goes, incomplete calls included; then comes the error. */
static int print_calls(struct dump *d, struct trace_reader *reader)
{
    char truncation[512] = "";
    struct selected_calls calls;
    selected_calls_init(&calls, reader, &d->options.selection);
    for (;;) {
        const struct trace_call *call;
        int rc = selected_calls_next(&calls, &call);
        if (rc == ERR_DAMAGED && (rc = warn_of_damage(d)) == 0)
            continue;
        if (rc == ERR_TRUNCATED) {
            snprintf(truncation, sizeof truncation, "%s", error_message());
            continue;
        }
        if (rc != 0)
            return rc;
        if (call == NULL)
            break;
        if (is_wanted(d, call))
            rc = trace_call_text_add(&d->formatter, call);
        trace_call_release(reader, call);
        if (rc == 0 && d->formatter.out.len >= FLUSH_BYTES)
            rc = flush_text(&d->formatter.out);
        if (rc != 0)
            return rc;
    }
    d->cut_off = truncation[0] != '\0';
    return !d->cut_off ? 0 : error_set(ERR_TRUNCATED, "%s", truncation);
}

static int dump_trace(struct dump *d, const char *path)
{
    struct trace_reader *reader;
    char message[512];
    d->cut_off = false;
    int rc = trace_reader_open(&reader, path);
    if (rc != 0)
        return rc;
    trace_reader_resume_after_damage(reader);
    if (!d->grep_ready)
        rc = print_properties(d, reader);
    if (rc == 0)
        rc = print_calls(d, reader);
    snprintf(message, sizeof message, "%s", error_message());
    trace_call_text_forget_signatures(&d->formatter);
    if (d->grep_ready)
        name_pattern_forget(&d->grep);
    trace_reader_close(reader);
    int flush_rc = flush_text(&d->formatter.out);
    return rc != 0 ? error_set(rc, "%s", message) : flush_rc;
}

/* --- the command ----------------------------------------------------------------------------------- */

static int dump_traces(struct dump *d, const struct cli_operands *operands)
{
    int status = 0;
    trace_call_text_init(&d->formatter, &d->options.style);
    for (int i = 0; i < operands->count; ++i)
        if (dump_trace(d, operands->values[i]) != 0) {
            fprintf(stderr, "%s: %s\n", d->cut_off ? "warning" : "error", error_message());
            status = 1;
        }
    trace_call_text_fini(&d->formatter);
    return status | d->damaged;
}

static int dump_with_pager(struct dump *d, const struct cli_operands *operands)
{
    bool terminal = color_mode_is_interactive(d->options.color);
    d->options.style.color = terminal || d->options.color == COLOR_ALWAYS;
    pid_t pager = terminal ? pager_start(0) : 0;
    int status = dump_traces(d, operands);
    if (pager != 0)
        pager_finish(pager);
    return status;
}

/* Options that are checked only when all are known. */
static int prepare(struct dump *d)
{
    int rc = 0;
    if (d->options.grep != NULL) {
        rc = name_pattern_init(&d->grep, d->options.grep);
        d->grep_ready = rc == 0;
    }
    return rc;
}

static int run_dump(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    struct dump *d = calloc(1, sizeof *d);
    signal(SIGPIPE, SIG_DFL); /* whoever reads the text may stop at any time */
    if (d == NULL) {
        error_set(ERR_MEMORY, "out of memory");
        return cli_print_error();
    }
    d->options.style = (struct trace_call_text_style){.call_nos = true, .arg_names = true, .multiline = true};
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &d->options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count == 0)
        status = cli_usage_error(self, "dump needs a trace");
    else if (result == CLI_PARSE_OK && prepare(d) != 0)
        status = cli_print_error();
    else if (result == CLI_PARSE_OK)
        status = dump_with_pager(d, &operands);
    if (d->grep_ready)
        name_pattern_fini(&d->grep);
    call_selection_fini(&d->options.selection);
    free(d);
    return status;
}

static int set_color(void *options, const char *value)
{
    return color_mode_parse(value, &((struct dump_options *)options)->color);
}

#define MEMBER(name) offsetof(struct dump_options, name)

static const struct cli_option dump_options[] = {
    {CLI_OPTION_FLAG, 'v', "verbose", NULL, NULL, MEMBER(verbose),
     "also show calls that only ask for strings or names", NULL},
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0, "show only these calls; may be repeated",
     call_selection_add_calls},
    {CLI_OPTION_CALLBACK, 0, "frames", NULL, "SET", 0, "show only the calls of these frames; may be repeated",
     call_selection_add_frames},
    {CLI_OPTION_OPTIONAL, 0, "color", "colour", "auto|always|never", 0,
     "colour the output (default: auto, on a terminal)", set_color},
    {CLI_OPTION_STRING, 0, "grep", NULL, "REGEX", MEMBER(grep),
     "show only calls of functions whose name matches", NULL},
    {CLI_OPTION_BOOL, 0, "thread-ids", NULL, NULL, MEMBER(style.thread_ids),
     "show the calling thread (default: no)", NULL},
    {CLI_OPTION_BOOL, 0, "call-nos", NULL, NULL, MEMBER(style.call_nos), "show call numbers (default: yes)",
     NULL},
    {CLI_OPTION_BOOL, 0, "arg-names", NULL, NULL, MEMBER(style.arg_names),
     "show argument names (default: yes)", NULL},
    {CLI_OPTION_FLAG, 0, "blobs", NULL, NULL, MEMBER(style.blobs),
     "write blobs to files in the current folder", NULL},
    {CLI_OPTION_BOOL, 0, "multiline", NULL, NULL, MEMBER(style.multiline),
     "show line breaks as they are, backtraces, and a blank line\nafter each frame (default: yes)", NULL},
    {CLI_OPTION_FLAG, 0, "exact-floats", NULL, NULL, MEMBER(style.exact_floats),
     "show floats and doubles with all the digits that they need", NULL},
    {CLI_OPTION_FLAG, 0, "utf8", NULL, NULL, MEMBER(style.utf8),
     "show strings as the UTF-8 that they are, with NULs and all", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_dump = {
    .name = "dump",
    .group = CLI_GROUP_LOOK,
    .summary = "Show the calls of a trace as text",
    .operands = "[OPTION...] TRACE...",
    .details =
        "SET is a list, separated by commas, of\n"
        "  N  N-M  N-  *           a call, calls in a row, to the end, all\n"
        "  RANGE/STEP              every STEPth call of such a range\n"
        "  RANGE/KIND or KIND      those of a kind: frame (ends of frames), rendertarget or fbo\n"
        "                          (changes of it), render or draw\n"
        "  @FILE                   a file with such a list\n"
        "\n"
        "Frames are numbered from 0; the call that ends a frame is its last. With both --calls and "
        "--frames,\n"
        "calls that are in both are shown: --frames=10 --calls=draw shows what frame 10 draws.\n"
        "\n"
        "TRACE may be - for the standard input.\n"
        "The exit status is 1 after any error. A trace that is cut off is shown as far as it goes; then\n"
        "follow a warning and exit status 1. Damaged parts are left out, with a warning.",
    .examples = "trace-cli dump --calls=100-120 app.trace\n"
                "trace-cli dump --frames=10 --calls=draw app.trace\n"
                "trace-cli dump --grep='^glDraw' --thread-ids app.trace\n",
    .options = dump_options,
    .run = run_dump,
};
