/* SPDX-License-Identifier: MIT
 * trace-cli sed: copies a trace with other values.
 */
#include "shell/command.h"
#include "shell/progress.h"

#include "base/error.h"
#include "edit/edited_copy.h"
#include "edit/sed_rules.h"
#include "input/input_losses.h"
#include "input/selected_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sed_options {
    struct sed_rules rules;
    struct trace_call_set calls;
    bool calls_given;
    struct trace_property *properties; /* names are owned, and the values are in the same memory */
    size_t property_count;
    const char *output;
};

/* --- properties ------------------------------------------------------------------------------------ */

static int compare_properties(const void *a, const void *b)
{
    const struct trace_property *x = a;
    const struct trace_property *y = b;
    return strcmp(x->name, y->name);
}

static void set_property(struct trace_property *list, size_t *count, const struct trace_property *property)
{
    for (size_t i = 0; i < *count; ++i)
        if (strcmp(list[i].name, property->name) == 0) {
            list[i].value = property->value;
            return;
        }
    list[(*count)++] = *property;
}

/* Writes the trace's own properties and those of the options, sorted in the same way as by the writer. */
static int copy_header(const struct sed_options *o, struct edited_copy *c)
{
    const struct trace_property *old;
    size_t count = trace_raw_events_properties(c->in.events, &old);
    if (o->property_count == 0)
        return trace_copier_header(c->copier);
    struct trace_property *list = malloc((count + o->property_count) * sizeof *list);
    if (list == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (count > 0)
        memcpy(list, old, count * sizeof *list);
    for (size_t i = 0; i < o->property_count; ++i)
        set_property(list, &count, &o->properties[i]);
    qsort(list, count, sizeof *list, compare_properties);
    int rc = trace_copier_header_with(c->copier, list, count);
    free(list);
    return rc;
}

/* --- the command ----------------------------------------------------------------------------------- */

static int edit_event(struct sed_options *o, struct edited_copy *c, const struct trace_raw_event *event)
{
    const struct trace_edit *edits = NULL;
    size_t count = 0;
    int rc = 0;
    uint32_t flags = event->sig != NULL ? event->sig->flags : 0;
    if (!o->calls_given || trace_call_set_contains(&o->calls, event->call, flags))
        rc = sed_rules_apply(&o->rules, event, &edits, &count);
    if (rc == 0)
        rc = trace_copier_event(c->copier, event, true, edits, count);
    return rc != 0 ? trace_error_prefix(rc, "%s", c->out_path) : 0;
}

static int edit_events(struct sed_options *o, struct edited_copy *c)
{
    const struct trace_raw_event *event;
    int rc = copy_header(o, c);
    if (rc != 0)
        return trace_error_prefix(rc, "%s", c->out_path);
    while (rc == 0 && (rc = event_input_next(&c->in, &event)) == 0 && event != NULL)
        rc = edit_event(o, c, event);
    return rc;
}

static void warn_of_idle_rules(const struct sed_options *o, const struct edited_copy *c)
{
    for (size_t i = 0; i < o->rules.count; ++i)
        if (!o->rules.items[i].found) {
            trace_error_set(TRACE_ERR_USAGE, "%s: the rule %s matched nothing", edited_copy_input_name(c),
                            o->rules.items[i].text);
            cli_print_warning();
        }
}

static int edit(struct sed_options *o, const char *path)
{
    struct edited_copy copy;
    struct trace_probe probe;
    progress_begin("sed");
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = edited_copy_open(&copy, &probe, path, o->output, "sed", EDITED_COPY_CHANGES);
    trace_probe_close(&probe);
    if (rc != 0)
        return cli_print_error();
    if (edited_copy_finish(&copy, edit_events(o, &copy)) == 0)
        warn_of_idle_rules(o, &copy);
    return edited_copy_close(&copy, "Edited");
}

static int run_sed(const struct cli_command *self, int argc, char **argv)
{
    struct sed_options options = {.output = NULL};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count != 1)
        status = cli_usage_error(self, "sed needs one trace, not %d", operands.count);
    else if (result == CLI_PARSE_OK)
        status = edit(&options, operands.values[0]);
    for (size_t i = 0; i < options.property_count; ++i)
        free((char *)(uintptr_t)options.properties[i].name);
    free(options.properties);
    sed_rules_fini(&options.rules);
    trace_call_set_fini(&options.calls);
    return status;
}

static int add_rule(void *options, const char *value)
{
    return sed_rules_add(&((struct sed_options *)options)->rules, value);
}

static int set_calls(void *options, const char *value)
{
    struct sed_options *o = options;
    o->calls_given = true;
    return call_set_add_option(&o->calls, value);
}

static int add_property(void *options, const char *value)
{
    struct sed_options *o = options;
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not NAME=VALUE", value);
    char *name = strdup(value);
    struct trace_property *list = realloc(o->properties, (o->property_count + 1) * sizeof *list);
    if (list != NULL)
        o->properties = list;
    if (name == NULL || list == NULL) {
        free(name);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    name[equals - value] = '\0';
    list[o->property_count++] = (struct trace_property){name, name + (equals - value) + 1};
    return 0;
}

static const struct cli_option sed_options[] = {
    {CLI_OPTION_CALLBACK, 'e', NULL, NULL, "s/SEARCH/REPLACE/", 0, "replace a value; may be repeated",
     add_rule},
    {CLI_OPTION_STRING, 'o', "output", NULL, "FILE", offsetof(struct sed_options, output),
     "the new trace (default: NAME-sed.trace for NAME.trace)", NULL},
    {CLI_OPTION_CALLBACK, 0, "property", NULL, "NAME=VALUE", 0,
     "set a property of the trace; may be repeated", add_property},
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0, "replace only in these calls; may be repeated",
     set_calls},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_sed = {
    .name = "sed",
    .group = CLI_GROUP_CHANGE,
    .summary = "Replace values in a copy of a trace",
    .operands = "[OPTION...] TRACE",
    .details =
        "SEARCH is a whole string, the name of an enum value or of a flag, or an address (0x...). A name\n"
        "is replaced by another name of the same enum or set of flags; if REPLACE is not one of them, the\n"
        "value is left alone. Any character may be used in place of the slash. @file(PATH) stands for the\n"
        "contents of a file.\n"
        "\"trace-cli help dump\" has the grammar of SET. TRACE may be - for the standard input.\n"
        "\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli sed -e s/GL_LINEAR/GL_NEAREST/ app.trace\n"
                "trace-cli sed -e 's:@file(old.glsl):@file(new.glsl):' -o new.trace app.trace\n",
    .options = sed_options,
    .run = run_sed,
};
