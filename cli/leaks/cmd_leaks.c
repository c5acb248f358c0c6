/* SPDX-License-Identifier: MIT
 * trace-cli leaks: lists GL objects that were never deleted, and resources that were never released.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/similar_word.h"
#include "shell/progress.h"
#include "leaks/leak_report.h"
#include "runtime/spec.h"
#include "input/input_losses.h"
#include "input/call_input.h"
#include "input/source_input.h"
#include "leaks/resource_leaks.h"
#include "shell/number_option.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_LEAKS 2

struct leaks_options {
    bool verbose;
    bool summary;
    bool alive;
    bool fail;
    bool json;
    bool *kinds; /* indexed by enum spec_object; NULL: all */
    struct trace_call_set calls;
    bool calls_given;
    uint64_t until;
    struct call_selection followed; /* events up to the one that --until gives */

    /* For traces of allocations. */
    struct resource_leaks_options resources;
    struct event_numbers include;
    struct event_numbers exclude;
    char *address; /* owned */
};

/* --- reading --------------------------------------------------------------------------------------- */

static int follow_calls(struct leak_tracker *t, struct call_input *in)
{
    const struct trace_call *call;
    int rc;
    while ((rc = call_input_next(in, &call)) == 0 && call != NULL) {
        rc = leak_tracker_add_call(t, call);
        call_input_release(in, call);
        if (rc != 0)
            break;
    }
    return rc != 0 ? rc : leak_tracker_end(t);
}

/* *status: a lower limit for the exit status. */
static int track(struct leak_tracker *t, const struct leaks_options *o, struct trace_probe *probe,
                 int *status)
{
    struct call_input in;
    int rc = call_input_open_probed(&in, probe, &o->followed);
    if (rc == 0)
        rc = follow_calls(t, &in);
    *status = input_losses_status(&in.losses);
    call_input_close(&in);
    progress_end();
    return rc;
}

/* --- the command ----------------------------------------------------------------------------------- */

static int print_report(const struct leaks_options *o, struct leak_report *r)
{
    int rc = leak_report_init(r);
    if (rc != 0)
        return rc;
    if (o->json)
        leak_report_print_json(r);
    else
        rc = leak_report_print(r, o->summary);
    return rc;
}

static int find_objects(struct leak_tracker *t, const struct leaks_options *o, struct trace_probe *probe)
{
    struct leak_report report = {.tracker = t,
                                 .path = probe->name,
                                 .until = o->until,
                                 .alive = o->alive,
                                 .kinds = o->kinds,
                                 .calls = o->calls_given ? &o->calls : NULL};
    int status = 0;
    int rc = leak_tracker_init(t, o->verbose && (o->json || !o->summary));
    if (rc == 0)
        rc = track(t, o, probe, &status);
    if (rc == 0)
        rc = print_report(o, &report);
    bool leaks = report.count > 0;
    if (rc == 0 && t->skipped > 0) {
        fflush(stdout);
        fprintf(stderr,
                "warning: %llu more objects are not listed: the calls that created them created too many at "
                "once\n",
                (unsigned long long)t->skipped);
    }
    leak_report_fini(&report);
    leak_tracker_fini(t);
    if (rc != 0)
        return cli_print_error();
    return status != 0 ? status : o->fail && leaks ? EXIT_LEAKS : 0;
}

static int find_resources(const struct leaks_options *o, struct trace_probe *probe)
{
    struct resource_leaks_options options = o->resources;
    bool found;
    options.followed = o->followed;
    options.summary = o->summary;
    options.json = o->json;
    options.filter.calls = o->calls_given ? &o->calls : NULL;
    options.filter.include = &o->include;
    options.filter.exclude = &o->exclude;
    int status = resource_leaks_show(&options, probe, &found);
    return status != 0 ? status : o->fail && found ? EXIT_LEAKS : 0;
}

static int find_leaks(struct leak_tracker *t, const struct leaks_options *o, const char *path)
{
    struct trace_probe probe;
    bool is_calls;
    int status;
    progress_begin("leaks");
    if (input_probe(&probe, path, &is_calls) != 0)
        status = cli_print_error();
    else
        status = is_calls ? find_objects(t, o, &probe) : find_resources(o, &probe);
    trace_probe_close(&probe);
    progress_end();
    return status;
}

static int run_leaks(const struct cli_command *self, int argc, char **argv)
{
    struct leaks_options options = {.until = LEAK_AT_END};
    struct cli_operands operands;
    struct leak_tracker *tracker = malloc(sizeof *tracker);
    signal(SIGPIPE, SIG_DFL); /* the reader of the text may close it at any time */
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count != 1)
        status = cli_usage_error(self, "leaks needs one trace");
    else if (result == CLI_PARSE_OK && tracker == NULL)
        status = (trace_error_set(TRACE_ERR_MEMORY, "out of memory"), cli_print_error());
    else if (result == CLI_PARSE_OK)
        status = find_leaks(tracker, &options, operands.values[0]);
    trace_call_set_fini(&options.calls);
    call_selection_fini(&options.followed);
    event_numbers_fini(&options.include);
    event_numbers_fini(&options.exclude);
    free(options.address);
    free(options.kinds);
    free(tracker);
    return status;
}

static int set_format(void *options, const char *value)
{
    struct leaks_options *o = options;
    o->json = strcmp(value, "json") == 0;
    if (!o->json && strcmp(value, "text") != 0)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither text nor json", value);
    return 0;
}

static int set_calls(void *options, const char *value)
{
    struct leaks_options *o = options;
    o->calls_given = true;
    return call_set_add_option(&o->calls, value);
}

static int unknown_kind(const char *name, size_t length)
{
    char word[64], question[96];
    struct similar_word s = {.word = word};
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (unsigned i = 1; i < spec_object_count; ++i)
        similar_word_consider(&s, spec_string(spec_object_kinds[i].name));
    return trace_error_set(TRACE_ERR_USAGE,
                           "there is no kind \"%s\"; kinds are texture, buffer, framebuffer, context …%s",
                           word, similar_word_question(&s, "", question, sizeof question));
}

static int add_kind(struct leaks_options *o, const char *name, size_t length)
{
    for (unsigned i = 1; i < spec_object_count; ++i)
        if (strlen(spec_string(spec_object_kinds[i].name)) == length &&
            memcmp(spec_string(spec_object_kinds[i].name), name, length) == 0) {
            o->kinds[i] = true;
            return 0;
        }
    return unknown_kind(name, length);
}

static int set_kinds(void *options, const char *value)
{
    struct leaks_options *o = options;
    int rc = 0;
    if (o->kinds == NULL)
        o->kinds = calloc(spec_object_count, sizeof *o->kinds);
    if (o->kinds == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (const char *p = value; rc == 0;) {
        size_t n = strcspn(p, ",");
        rc = add_kind(o, p, n);
        if (p[n] == '\0')
            break;
        p += n + 1;
    }
    return rc;
}

static int set_until(void *options, const char *value)
{
    struct leaks_options *o = options;
    char *end;
    errno = 0;
    o->until = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a call number", value);
    call_selection_fini(&o->followed);
    o->followed = (struct call_selection){.calls_given = true};
    char range[32];
    snprintf(range, sizeof range, "0-%llu", (unsigned long long)o->until - 1);
    return o->until > 0 ? call_selection_add_calls(&o->followed, range) : 0;
}

static int set_sort(void *options, const char *value)
{
    static const char *const names[] = {[RESOURCE_SORT_SIZE] = "size",
                                        [RESOURCE_SORT_SIZE_ASCENDING] = "size-asc",
                                        [RESOURCE_SORT_COUNT] = "count",
                                        [RESOURCE_SORT_COUNT_ASCENDING] = "count-asc"};
    struct leaks_options *o = options;
    for (int i = RESOURCE_SORT_SIZE; i <= RESOURCE_SORT_COUNT_ASCENDING; ++i)
        if (strcmp(value, names[i]) == 0) {
            o->resources.sort = (enum resource_sort)i;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not size, size-asc, count or count-asc", value);
}

static int set_depth(void *options, const char *value)
{
    long depth;
    int rc = parse_number_option(value, "depth", 1, INT_MAX, &depth);
    if (rc == 0)
        ((struct leaks_options *)options)->resources.depth = (uint32_t)depth;
    return rc;
}

static int set_context(void *options, const char *value)
{
    struct resource_filter *filter = &((struct leaks_options *)options)->resources.filter;
    char *end;
    errno = 0;
    unsigned long mask = strtoul(value, &end, 16);
    if (!isxdigit((unsigned char)value[0]) || *end != '\0' || errno != 0 || mask > UINT32_MAX)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a hexadecimal mask of contexts", value);
    filter->has_contexts = true;
    filter->contexts = (uint32_t)mask;
    return 0;
}

static int set_address(void *options, const char *value)
{
    struct leaks_options *o = options;
    free(o->address);
    o->address = strdup(value);
    if (o->address == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return resource_filter_set_address(&o->resources.filter, o->address);
}

static int set_include(void *options, const char *value)
{
    return event_numbers_read(&((struct leaks_options *)options)->include, value);
}

static int set_exclude(void *options, const char *value)
{
    return event_numbers_read(&((struct leaks_options *)options)->exclude, value);
}

#define MEMBER(name) offsetof(struct leaks_options, name)

static const struct cli_option leaks_options[] = {
    {CLI_OPTION_FLAG, 'v', "verbose", NULL, NULL, MEMBER(verbose),
     "also show each call that created a leaked object", NULL},
    {CLI_OPTION_FLAG, 0, "summary", NULL, NULL, MEMBER(summary),
     "show only totals, and the calls that created the most", NULL},
    {CLI_OPTION_CALLBACK, 0, "format", NULL, "text|json", 0, "text (the default) or json", set_format},
    {CLI_OPTION_CALLBACK, 0, "kind", NULL, "KIND,...", 0,
     "show only objects of these kinds, such as texture,sync", set_kinds},
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0,
     "show only objects that these calls created; may be repeated", set_calls},
    {CLI_OPTION_CALLBACK, 0, "until", NULL, "CALL", 0, "treat the trace as if it ended before this call",
     set_until},
    {CLI_OPTION_FLAG, 0, "alive", NULL, NULL, MEMBER(alive),
     "leave out objects that were freed with their context or display", NULL},
    {CLI_OPTION_FLAG, 0, "fail", NULL, NULL, MEMBER(fail), "exit with status 2 if any object is reported",
     NULL},
    {CLI_OPTION_FLAG, 'c', "compress", NULL, NULL, MEMBER(resources.compress),
     "of resources: one entry for all that were allocated at the\nsame backtrace", NULL},
    {CLI_OPTION_CALLBACK, 'b', "depth", NULL, "N", 0, "of resources: how many frames of a backtrace count",
     set_depth},
    {CLI_OPTION_CALLBACK, 0, "sort", NULL, "size|size-asc|count|count-asc", 0,
     "of resources: the largest sum first, or last; by size or by\nnumber (default: as in the trace; with "
     "--compress, size)",
     set_sort},
    {CLI_OPTION_STRING, 'R', "resource", NULL, "TYPE,...", MEMBER(resources.filter.types),
     "only resources of these types, as memory,fd", NULL},
    {CLI_OPTION_CALLBACK, 'C', "context", NULL, "MASK", 0,
     "only resources allocated in one of these contexts\n(hexadecimal); 0: in none", set_context},
    {CLI_OPTION_CALLBACK, 0, "call-address", NULL, "MODULE:START+SIZE", 0,
     "only resources allocated by way of this code: offsets in a\nmapped file, hexadecimal", set_address},
    {CLI_OPTION_CALLBACK, 0, "include", NULL, "FILE", 0,
     "resources whose events FILE lists, a number a line, in any\ncase", set_include},
    {CLI_OPTION_CALLBACK, 0, "exclude", NULL, "FILE", 0, "not the resources whose events FILE lists",
     set_exclude},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_leaks = {
    .name = "leaks",
    .group = CLI_GROUP_LOOK,
    .summary = "List what was never deleted: GL objects, memory, file descriptors",
    .operands = "[OPTION...] TRACE",
    .details =
        "Objects are listed by share group and kind, with the calls that created them and their\n"
        "backtraces. Objects that were freed with the last context that could reach them, or with their\n"
        "display, are listed apart from those that still existed at the end.\n"
        "\n"
        "Of a log of allocations and releases, such as sp-rtrace's, it lists what was allocated and never\n"
        "released, in any of the log's types of resources (memory, file descriptors, ...), with arguments "
        "and\n"
        "backtraces: as text of sp-rtrace's format, with the sum for each type at the end. Releases are\n"
        "matched before options leave anything out, so options never make a leak. --verbose, --kind and\n"
        "--alive are for GL objects only.\n"
        "\n"
        "TRACE may be - for the standard input.\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli leaks app.trace\n"
                "trace-cli leaks --summary --kind=texture,framebuffer app.trace\n"
                "trace-cli leaks --alive --fail app.trace\n"
                "trace-cli leaks --compress --depth=3 --resource=memory 1234-1.rtrace\n",
    .options = leaks_options,
    .run = run_leaks,
};
