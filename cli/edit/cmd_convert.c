/* SPDX-License-Identifier: MIT
 * trace-cli convert: writes a trace in another format.
 */
#include "shell/command.h"

#include "base/error.h"
#include "edit/event_copy.h"
#include "edit/edited_copy.h"
#include "formats/ctf/write/rfc_options.h"
#include "input/event_filter.h"
#include "input/map_names.h"
#include "shell/number_option.h"
#include "shell/progress.h"
#include "shell/replace_file.h"

#include <stdlib.h>
#include <string.h>

struct convert_options {
    const char *to; /* the format's name */
    bool symbolize;
    struct instr_maps instr_maps;
    struct ctf_rfc_options ctf_rfc;
    const char *ctf_rfc_option; /* the name of one that was given; NULL: none */
    struct event_filter_options filter_options;
    struct event_filter filter;
};

/* From the apitrace format to itself, the stream is copied unchanged. */
static int copy_stream(struct trace_probe *probe, const char *in_path, const char *out_path)
{
    struct edited_copy copy;
    if (edited_copy_open(&copy, probe, in_path, out_path, "convert", 0) != 0)
        return cli_print_error();
    edited_copy_finish(&copy, edited_copy_all(&copy));
    return edited_copy_close(&copy, NULL);
}

/* Copies what the filter selects of the source, which is taken over. */
static int copy_source(const struct event_copy *copy, struct convert_options *o, struct trace_source *source,
                       const char *name)
{
    struct event_copy filtered = *copy;
    if (event_filter_begin(&o->filter, source, false) != 0) {
        trace_source_close(source);
        return cli_print_error();
    }
    if (o->filter.is_given)
        filtered.filter = &o->filter;
    return event_copy_run(&filtered, source, name);
}

static int convert_one(const struct event_copy *copy, struct convert_options *o, struct trace_probe *probe,
                       const char *path, bool is_calls)
{
    struct trace_source *source;
    struct map_names names;
    if (is_calls && strcmp(copy->to, "apitrace") == 0 && !o->filter.is_given)
        return copy_stream(probe, path, copy->out_path);
    if (trace_source_open_probed(&source, probe) != 0)
        return cli_print_error();
    if (map_names_apply(&names, &o->instr_maps, o->symbolize, source, path) != 0) {
        trace_source_close(source);
        return cli_print_error();
    }
    int status = copy_source(copy, o, source, probe->name);
    map_names_fini(&names);
    return status;
}

/* A trace, and what its functions are called. */
struct named_source {
    struct trace_source *source;
    struct map_names names;
};

static int open_named(struct named_source *n, struct convert_options *o, const char *path)
{
    int rc = trace_source_open(&n->source, path);
    if (rc == 0 && (rc = map_names_apply(&n->names, &o->instr_maps, o->symbolize, n->source, path)) != 0)
        trace_source_close(n->source);
    return rc;
}

/* *out takes over the sources. */
static int open_merged(struct trace_source **out, struct named_source *named, size_t opened, int rc)
{
    struct trace_source **sources = rc == 0 ? calloc(opened, sizeof *sources) : NULL;
    if (rc == 0 && sources == NULL)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < opened; ++i) {
        if (rc == 0)
            sources[i] = named[i].source;
        else
            trace_source_close(named[i].source);
    }
    if (rc == 0)
        rc = trace_merge_open(out, sources, opened);
    free(sources);
    return rc;
}

/* Merges several traces into one. */
static int convert_several(const struct event_copy *copy, struct convert_options *o, char *const *paths,
                           int count)
{
    struct trace_source *merged;
    struct named_source *named = calloc((size_t)count, sizeof *named);
    size_t opened = 0;
    int rc = named == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    while (rc == 0 && opened < (size_t)count && (rc = open_named(&named[opened], o, paths[opened])) == 0)
        ++opened;
    rc = open_merged(&merged, named, opened, rc);
    int status = rc == 0 ? copy_source(copy, o, merged, paths[0]) : cli_print_error();
    for (size_t i = 0; i < opened; ++i)
        map_names_fini(&named[i].names);
    free(named);
    return status;
}

static int convert(const struct event_copy *copy, struct convert_options *o, char *const *paths, int count)
{
    struct trace_probe probe;
    bool is_calls;
    for (int i = 0; i < count; ++i)
        if (replace_file_is_same(paths[i], copy->out_path)) {
            trace_error_set(TRACE_ERR_USAGE, "%s: input and output are the same file", copy->out_path);
            return cli_print_error();
        }
    if (count > 1)
        return convert_several(copy, o, paths, count);
    int status = input_probe(&probe, paths[0], &is_calls) == 0
                     ? convert_one(copy, o, &probe, paths[0], is_calls)
                     : cli_print_error();
    trace_probe_close(&probe);
    return status;
}

static int run_convert(const struct cli_command *self, int argc, char **argv)
{
    struct convert_options options = {.to = "apitrace"};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count < 2)
        return cli_usage_error(self, "convert needs an input and an output file");
    if (!cli_reads_input_once(self, operands.values, operands.count - 1))
        return 1;
    if (options.ctf_rfc_option != NULL && strcmp(options.to, "ctf-rfc") != 0) {
        trace_error_set(TRACE_ERR_USAGE, "--%s is for --to=ctf-rfc, not for %s", options.ctf_rfc_option,
                        options.to);
        return cli_print_error();
    }
    const struct event_copy copy = {
        .to = options.to, .ctf_rfc = &options.ctf_rfc, .out_path = operands.values[operands.count - 1]};
    if (event_filter_init(&options.filter, &options.filter_options) != 0)
        return cli_print_error();
    progress_begin("convert");
    int status = convert(&copy, &options, operands.values, operands.count - 1);
    progress_end();
    event_filter_fini(&options.filter);
    instr_maps_fini(&options.instr_maps);
    return status;
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct convert_options *)options)->instr_maps, value);
}

/* --- options of the format ctf-rfc ------------------------------------------------------------------ */

static int set_byte_order(void *options, const char *value)
{
    struct convert_options *o = options;
    o->ctf_rfc_option = "byte-order";
    return ctf_rfc_options_set_order(&o->ctf_rfc, value);
}

static int set_compression(void *options, const char *value)
{
    struct convert_options *o = options;
    o->ctf_rfc_option = "compression";
    return ctf_rfc_options_set_compression(&o->ctf_rfc, value);
}

static int set_checksum(void *options, const char *value)
{
    struct convert_options *o = options;
    o->ctf_rfc_option = "checksum";
    return ctf_rfc_options_set_checksum(&o->ctf_rfc, value);
}

static const struct cli_option convert_options[] = {
    {CLI_OPTION_STRING, 0, "to", NULL, "FORMAT", offsetof(struct convert_options, to),
     "the format of OUT (default: apitrace); \"trace-cli formats\"\nlists them", NULL},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "byte-order",
     .value = "le|be",
     .set = set_byte_order,
     .help = "of ctf-rfc: little or big endian (default: as the source)"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "compression",
     .value = "none|bzip2|gzip",
     .set = set_compression,
     .help = "of ctf-rfc: that of packets (default: none)"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "checksum",
     .value = "none|md5|sha1|crc32",
     .set = set_checksum,
     .help = "of ctf-rfc: that of packets (default: none)"},
    INSTR_MAP_OPTIONS(struct convert_options, instr_maps, add_instr_map),
    SYMBOLIZE_OPTION(offsetof(struct convert_options, symbolize)),
    EVENT_FILTER_OPTIONS(struct convert_options, filter_options),
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_convert = {
    .name = "convert",
    .group = CLI_GROUP_CHANGE,
    .summary = "Write a trace in another format",
    .operands = "[OPTION...] IN... OUT",
    .details =
        "The format of IN is detected from its contents. IN may be - for the standard input; OUT may be -\n"
        "for the standard output if FORMAT is a text format. OUT appears only once it is complete; an\n"
        "existing file is replaced. A trace of ctf, ctf2 or ctf-rfc is a folder; it replaces an empty one, "
        "or "
        "another\n"
        "trace.\n"
        "\n"
        "Several INs are merged by time into one trace: the logs of a program's processes, for example.\n"
        "\n"
        "XRay's logs only have numbers of functions; --instr-map or --symbolize name them.\n" INSTR_MAP_HELP
        "\n"
        "What FORMAT cannot express is left out; a warning says how much of what.\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli convert --to=sp-rtrace-text 1234-1.rtrace log.txt\n"
                "trace-cli convert --to=ctf-rfc --checksum=crc32 --compression=gzip lttng-trace folder\n"
                "trace-cli convert 1234-1.rtrace allocations.trace\n",
    .options = convert_options,
    .run = run_convert,
};
