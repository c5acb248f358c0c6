/* SPDX-License-Identifier: MIT
 * trace-cli diff: shows the differences of two traces.
 */
#include "shell/command.h"

#include "base/error.h"
#include "shell/progress.h"
#include "base/worker_thread.h"
#include "shell/color_mode.h"
#include "diff/diff_matcher.h"
#include "diff/diff_print.h"
#include "diff/diff_roles.h"
#include "diff/diff_tool.h"
#include "shell/pager.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same as for diff(1). */
#define STATUS_SAME    0
#define STATUS_DIFFER  1
#define STATUS_TROUBLE 2

#define DEFAULT_CONTEXT 3
#define DEFAULT_WIDTH   130
#define MIN_WIDTH       20
#define MAX_WIDTH       100000

struct diff_options {
    bool brief;
    bool suppress_common;
    bool context_given;
    bool format_given;
    size_t context;
    enum color_mode color;
    char *calls; /* all of --calls, separated by commas; owned */
    char *ref_calls;
    char *src_calls;
    struct diff_rules rules;
    struct diff_style style;
    const char *tool; /* the program to run, as apitrace does; NULL: none */
};

/* --- comparing ------------------------------------------------------------------------------------- */

struct loading {
    struct diff_trace *trace;
    const struct diff_rules *rules;
    struct trace_kept_error error; /* of the thread that loaded it */
};

static void *load(void *arg)
{
    struct loading *l = arg;
    trace_error_keep(&l->error, diff_trace_load(l->trace, l->rules));
    return NULL;
}

/* Loads both traces at the same time. */
static int load_both(struct diff_trace *a, struct diff_trace *b, const struct diff_rules *rules)
{
    struct loading first = {a, rules, {0}}, second = {b, rules, {0}};
    pthread_t thread;
    bool alone = worker_thread_start(&thread, load, &first) != 0;
    if (alone)
        load(&first);
    load(&second);
    if (!alone)
        pthread_join(thread, NULL);
    const struct loading *bad = first.error.code != 0 ? &first : &second;
    return bad->error.code == 0 ? 0 : trace_error_restore(&bad->error);
}

/* Aligns calls as apitrace does, unless that would take too long. */
static int match(const struct diff_trace *a, const struct diff_trace *b, struct diff_script *out,
                 bool *given_up)
{
    bool same = a->count == b->count && memcmp(a->digests, b->digests, a->count * sizeof *a->digests) == 0;
    *given_up = false;
    return same ? 0
                : diff_match(a->digests, a->count, b->digests, b->count, true, progress_callback_of_calls(),
                             out, given_up);
}

static int align(const struct diff_trace *a, const struct diff_trace *b, const struct diff_rules *rules,
                 struct diff_script *out)
{
    bool given_up = true;
    progress_begin("diff, aligning");
    int rc = rules->like_apitrace && a->count > 0 && b->count > 0 ? match(a, b, out, &given_up) : 0;
    if (rc != 0 || !given_up)
        return rc;
    return diff_align(a->digests, a->count, b->digests, b->count, &diff_default_effort,
                      progress_callback_of_calls(), out);
}

static int find_differences(struct diff_trace *a, struct diff_trace *b, const struct diff_rules *rules,
                            struct diff_script *out)
{
    struct diff_script script = {NULL, 0, 0};
    progress_begin("diff");
    int rc = load_both(a, b, rules);
    if (rc != 0)
        return rc;
    if (!diff_rules_have_roles(rules))
        return align(a, b, rules, out);
    rc = align(a, b, rules, &script);
    progress_begin("diff, comparing values");
    if (rc == 0)
        rc = diff_check_roles(a, b, rules, &script, out);
    diff_script_fini(&script);
    return rc;
}

/* Errors are reported here, not by main(): its exit status 1 would mean that the traces differ. */
static int print_brief_result(const struct diff_trace *a, const struct diff_trace *b)
{
    if (printf("%s and %s differ\n", a->name, b->name) > 0 && fflush(stdout) == 0)
        return 0;
    int rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write to the standard output");
    clearerr(stdout);
    return rc;
}

static int print_differences(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
                             struct diff_options *o)
{
    bool terminal = color_mode_is_interactive(o->color);
    bool whole = o->style.context == DIFF_WHOLE;
    if (o->brief && script->count > 0)
        return print_brief_result(a, b);
    if (o->brief || (script->count == 0 && !whole))
        return 0;
    progress_begin_beside_output("diff, printing");
    pid_t pager = terminal ? pager_start(script->count > 0 ? STATUS_DIFFER : STATUS_SAME) : 0;
    int rc = diff_print(a, b, script, &o->style);
    if (pager != 0)
        pager_finish(pager);
    return rc;
}

/* A trace is compared as far as it can be read, but the missing part may differ. */
static bool warn(const struct diff_trace *t)
{
    if (t->warnings.len == 0)
        return false;
    fflush(stdout);
    fwrite(t->warnings.data, 1, t->warnings.len, stderr);
    return true;
}

static bool warn_of_both(const struct diff_trace *a, const struct diff_trace *b)
{
    bool first = warn(a);
    return warn(b) || first;
}

static void warn_of_no_calls(const struct diff_trace *t)
{
    if (t->count > 0 || !t->selection.calls_given)
        return;
    trace_error_set(TRACE_ERR_USAGE, "%s: no call to compare is in --calls", t->name);
    cli_print_warning();
}

static int compare(struct diff_trace *a, struct diff_trace *b, struct diff_options *o)
{
    struct diff_script script = {NULL, 0, 0};
    int rc = find_differences(a, b, &o->rules, &script);
    progress_end();
    if (rc == 0) {
        warn_of_no_calls(a);
        warn_of_no_calls(b);
    }
    if (rc == 0)
        rc = print_differences(a, b, &script, o);
    progress_end();
    int status = script.count > 0 ? STATUS_DIFFER : STATUS_SAME;
    if (rc != 0) {
        cli_print_error();
        status = STATUS_TROUBLE;
    } else if (warn_of_both(a, b)) {
        status = STATUS_TROUBLE;
    }
    diff_script_fini(&script);
    return status;
}

/* --- the command ----------------------------------------------------------------------------------- */

static int set_up_trace(struct diff_trace *t, const struct diff_options *o, const char *name,
                        const char *calls)
{
    if (calls == NULL)
        calls = o->calls;
    t->name = name;
    t->like_apitrace = o->style.format == DIFF_LIKE_APITRACE;
    t->named = o->style.format != DIFF_UNIFIED || o->style.color;
    t->selection.calls_given = calls != NULL;
    /* A warning about the set has been printed before. */
    return calls == NULL ? 0 : trace_call_set_parse(&t->selection.calls, calls);
}

/* Checks options that depend on each other. */
static void complete_style(struct diff_options *o)
{
    struct diff_style *s = &o->style;
    if (s->width == 0)
        s->width = diff_terminal_width(DEFAULT_WIDTH);
    s->headings = s->format != DIFF_LIKE_APITRACE && !o->suppress_common &&
                  !(s->format == DIFF_SIDE_BY_SIDE && !o->context_given);
    s->context = o->suppress_common          ? 0
                 : o->context_given          ? o->context
                 : s->format == DIFF_UNIFIED ? DEFAULT_CONTEXT
                                             : DIFF_WHOLE;
    s->rules = &o->rules;
}

/* Unless --format is given, other options choose the format. */
static void choose_format(struct diff_options *o)
{
    if (!o->format_given && o->context_given)
        o->style.format = DIFF_UNIFIED;
    o->rules.like_apitrace = o->style.format == DIFF_LIKE_APITRACE;
}

static int run_tool(const struct diff_options *o, const struct cli_operands *operands)
{
    struct diff_tool tool = {.name = o->tool,
                             .call_nos = o->style.call_nos,
                             .suppress_common = o->suppress_common,
                             .width = o->style.width,
                             .color = color_mode_wants_color(o->color),
                             .pager = color_mode_is_interactive(o->color)};
    tool.traces[0] =
        (struct diff_tool_trace){operands->values[0], o->ref_calls != NULL ? o->ref_calls : o->calls};
    tool.traces[1] =
        (struct diff_tool_trace){operands->values[1], o->src_calls != NULL ? o->src_calls : o->calls};
    int status = STATUS_TROUBLE;
    if (diff_tool_run(&tool, &status) != 0)
        cli_print_error();
    return status;
}

/* Returns false if an option is given that the tools do not have. */
static bool tool_suits(const struct diff_options *o)
{
    bool has_rules =
        diff_rules_have_roles(&o->rules) || o->rules.blobs || o->rules.returns || o->rules.glob_count > 0;
    return !has_rules && !o->context_given && !o->format_given && !o->brief;
}

static int run_with_options(const struct cli_command *self, struct diff_options *o,
                            const struct cli_operands *operands)
{
    struct diff_trace a = {.name = NULL}, b = {.name = NULL};
    choose_format(o);
    o->style.color = color_mode_wants_color(o->color);
    int status = STATUS_TROUBLE;
    if (operands->count != 2)
        cli_usage_error(self, "diff needs two traces, not %d", operands->count);
    else if (!cli_reads_input_once(self, operands->values, operands->count))
        status = STATUS_TROUBLE;
    else if (o->style.format == DIFF_LIKE_APITRACE && o->context_given)
        cli_usage_error(self, "--context is for --format=unified and --format=side-by-side");
    else if (o->tool != NULL && !tool_suits(o))
        cli_usage_error(self, "--tool=%s cannot be used with --format, --context, --brief or --ignore",
                        o->tool);
    else if (o->tool != NULL)
        status = run_tool(o, operands);
    else if (set_up_trace(&a, o, operands->values[0], o->ref_calls) != 0 ||
             set_up_trace(&b, o, operands->values[1], o->src_calls) != 0) {
        cli_print_error();
    } else {
        complete_style(o);
        status = compare(&a, &b, o);
    }
    diff_trace_fini(&a);
    diff_trace_fini(&b);
    return status;
}

static int run_diff(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    struct diff_options o = {.style.arg_names = true};
    signal(SIGPIPE, SIG_DFL); /* the reader of the text may close it at any time */
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &o, &operands);
    int status = result == CLI_PARSE_ERROR ? STATUS_TROUBLE : STATUS_SAME;
    if (result == CLI_PARSE_OK)
        status = run_with_options(self, &o, &operands);
    diff_rules_fini(&o.rules);
    free(o.calls);
    free(o.ref_calls);
    free(o.src_calls);
    return status;
}

/* --- options --------------------------------------------------------------------------------------- */

/* Repeated options add up. The set is checked here, so that the message names the option. */
static int add_calls(char **list, const char *value)
{
    struct trace_call_set set = {.ranges = NULL};
    int rc = call_set_add_option(&set, value);
    trace_call_set_fini(&set);
    if (rc != 0)
        return rc;
    size_t size = (*list != NULL ? strlen(*list) : 0) + strlen(value) + 2;
    char *longer = malloc(size);
    if (longer == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    snprintf(longer, size, "%s%s%s", *list != NULL ? *list : "", *list != NULL ? "," : "", value);
    free(*list);
    *list = longer;
    return 0;
}

static int set_calls(void *options, const char *value)
{
    return add_calls(&((struct diff_options *)options)->calls, value);
}

static int set_ref_calls(void *options, const char *value)
{
    return add_calls(&((struct diff_options *)options)->ref_calls, value);
}

static int set_src_calls(void *options, const char *value)
{
    return add_calls(&((struct diff_options *)options)->src_calls, value);
}

static int parse_count(const char *value, unsigned long low, unsigned long high, unsigned long *out)
{
    char *end;
    *out = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || *out < low || *out > high)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a number from %lu to %lu", value, low, high);
    return 0;
}

static int set_context(void *options, const char *value)
{
    struct diff_options *o = options;
    unsigned long count;
    int rc = parse_count(value, 0, 1000000000, &count);
    o->context = count;
    o->context_given = true;
    return rc;
}

static int set_width(void *options, const char *value)
{
    struct diff_options *o = options;
    unsigned long width;
    int rc = parse_count(value, MIN_WIDTH, MAX_WIDTH, &width);
    o->style.width = (unsigned)width;
    return rc;
}

static int set_ignored(void *options, const char *value)
{
    return diff_rules_add(&((struct diff_options *)options)->rules, value);
}

static int set_tool(void *options, const char *value)
{
    static const char *const tools[] = {"python", "diff", "sdiff", "wdiff"};
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; ++i)
        if (strcmp(value, tools[i]) == 0) {
            ((struct diff_options *)options)->tool = i > 0 ? tools[i] : NULL;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is none of python, diff, sdiff and wdiff", value);
}

static int set_format(void *options, const char *value)
{
    struct diff_options *o = options;
    static const char *const formats[] = {"apitrace", "unified", "side-by-side"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        if (strcmp(value, formats[i]) == 0) {
            o->style.format = (enum diff_format)i;
            o->format_given = true;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is none of apitrace, unified and side-by-side", value);
}

static int set_side_by_side(void *options, const char *value)
{
    (void)value;
    return set_format(options, "side-by-side");
}

static int set_color(void *options, const char *value)
{
    return color_mode_parse(value, &((struct diff_options *)options)->color);
}

#define MEMBER(name) offsetof(struct diff_options, name)

static const struct cli_option diff_options[] = {
    {CLI_OPTION_CALLBACK, 0, "format", NULL, "apitrace|unified|side-by-side", 0,
     "apitrace (the default): all calls, marked - if only the first\n"
     "trace has them, + if only the second has them, | if they\n"
     "changed (OLD -> NEW); unified: like diff -u; side-by-side: in\n"
     "columns",
     set_format},
    {CLI_OPTION_CALLBACK, 'U', "context", NULL, "N", 0,
     "show N calls around each difference: --format=unified\n(default: 3), or --side-by-side (default: all)",
     set_context},
    {CLI_OPTION_ACTION, 'y', "side-by-side", NULL, NULL, 0, "--format=side-by-side", set_side_by_side},
    {CLI_OPTION_CALLBACK, 't', "tool", NULL, "python|diff|sdiff|wdiff", 0,
     "python (the default): as above; the others: run that program\n"
     "on the text of both traces",
     set_tool},
    {CLI_OPTION_CALLBACK, 'w', "width", NULL, "N", 0,
     "columns for --side-by-side and --tool=sdiff (default: the\n"
     "terminal's width, or else 130 and 80)",
     set_width},
    {CLI_OPTION_FLAG, 0, "suppress-common-lines", NULL, NULL, MEMBER(suppress_common),
     "show only the calls that differ", NULL},
    {CLI_OPTION_FLAG, 'q', "brief", NULL, NULL, MEMBER(brief), "report only whether the traces differ", NULL},
    {CLI_OPTION_CALLBACK, 'c', "calls", NULL, "SET", 0,
     "compare only these calls (default: all); may be repeated", set_calls},
    {CLI_OPTION_CALLBACK, 0, "ref-calls", NULL, "SET", 0, "the same for the first trace alone",
     set_ref_calls},
    {CLI_OPTION_CALLBACK, 0, "src-calls", NULL, "SET", 0, "the same for the second trace alone",
     set_src_calls},
    {CLI_OPTION_CALLBACK, 0, "ignore", NULL, "pointers|handles|blobs|returns|FUNCTION.ARG,...", 0,
     "ignore differences that do not matter: see below; may be\n"
     "repeated",
     set_ignored},
    {CLI_OPTION_BOOL, 0, "call-nos", NULL, NULL, MEMBER(style.call_nos), "show call numbers (default: no)",
     NULL},
    {CLI_OPTION_BOOL, 0, "arg-names", NULL, NULL, MEMBER(style.arg_names),
     "show argument names (default: yes)", NULL},
    {CLI_OPTION_OPTIONAL, 0, "color", "colour", "auto|always|never", 0,
     "red for the first trace, green for the second (default:\nauto, on a terminal)", set_color},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_diff = {
    .name = "diff",
    .group = CLI_GROUP_LOOK,
    .summary = "Show what differs between two traces",
    .operands = "[OPTION...] TRACE TRACE",
    .details = "--ignore takes a list, separated by commas, of\n"
               "  pointers      addresses may differ, as long as they correspond throughout\n"
               "  handles       likewise the names of objects (textures, buffers, contexts, ...)\n"
               "  blobs         contents of blobs; only their sizes are compared\n"
               "  returns       all return values\n"
               "  FUNCTION.ARG  an argument, with wildcards, as in gl*Texture*.textures; ARG may be return\n"
               "\n"
               "The apitrace format leaves out calls to glGetString, glXGetProcAddress and the like.\n"
               "SET is a list of calls as for dump. One TRACE may be - for the standard input.\n"
               "The exit status is 0 if the traces are the same, 1 if they differ, 2 after an error.",
    .examples = "trace-cli diff good.trace bad.trace\n"
                "trace-cli diff --format=unified --ignore=pointers,handles nvidia.trace mesa.trace\n"
                "trace-cli diff -y -U2 --ignore='glXGet*.return' a.trace b.trace\n",
    .options = diff_options,
    .run = run_diff,
};
