/* SPDX-License-Identifier: MIT */
#include "dump/dump_printer.h"

#include "base/error.h"
#include "formats/apitrace/read/scalar_calls.h"

#include <stdlib.h>
#include <string.h>

int dump_printer_init(struct dump_printer *p, const struct dump_printer_options *options)
{
    int rc = options->grep == NULL ? 0 : name_pattern_init(&p->grep, options->grep);
    if (rc != 0)
        return rc;
    p->options = options;
    if (options->as_json)
        trace_json_init(&p->json, options->blobs);
    else
        trace_call_text_init_zeroed(&p->text, &options->style);
    return 0;
}

void dump_printer_expect_many(struct dump_printer *p)
{
    if (!p->options->as_json)
        trace_call_text_expect_many(&p->text);
}

void dump_printer_fini(struct dump_printer *p)
{
    if (p->options->grep != NULL)
        name_pattern_fini(&p->grep);
    if (p->options->as_json)
        trace_json_fini(&p->json);
    else
        trace_call_text_fini(&p->text);
}

struct buf *dump_printer_output(struct dump_printer *p)
{
    return p->options->as_json ? &p->json.out : &p->text.out;
}

void dump_printer_forget_signatures(struct dump_printer *p)
{
    if (p->options->as_json)
        trace_json_forget_signatures(&p->json);
    else
        trace_call_text_forget_signatures(&p->text);
    if (p->options->grep != NULL)
        name_pattern_forget(&p->grep);
}

/* --- the trace ------------------------------------------------------------------------------------- */

static int compare_properties(const void *a, const void *b)
{
    const struct trace_property *x = a;
    const struct trace_property *y = b;
    return strcmp(x->name, y->name);
}

static int put_properties(struct dump_printer *p, const struct trace_reader *reader)
{
    const struct trace_property *properties;
    size_t count = trace_reader_properties(reader, &properties);
    struct trace_property *sorted = malloc((count + 1) * sizeof *sorted);
    int rc = sorted == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    if (rc == 0 && count > 0) {
        memcpy(sorted, properties, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_properties);
    }
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = trace_call_text_add_property(&p->text, &sorted[i]);
    free(sorted);
    return rc;
}

static int put_head(struct dump_printer *p, const struct trace_reader *reader, const char *path)
{
    struct trace_json_head head = {.file = path,
                                   .format = "apitrace",
                                   .container = trace_reader_container(reader),
                                   .version = (int64_t)trace_reader_version(reader),
                                   .semantic_version = (int64_t)trace_reader_semantic_version(reader)};
    head.property_count = trace_reader_properties(reader, &head.properties);
    return trace_json_trace(&p->json, &head);
}

int dump_printer_put_trace(struct dump_printer *p, const struct trace_reader *reader, const char *path)
{
    if (p->options->as_json)
        return put_head(p, reader, path);
    return p->options->grep != NULL ? 0 : put_properties(p, reader);
}

/* --- calls ----------------------------------------------------------------------------------------- */

int dump_printer_put(struct dump_printer *p, const struct trace_reader *reader, const struct trace_call *call)
{
    if (!p->options->verbose && (call->flags & TRACE_CALL_VERBOSE) != 0) {
        p->hidden++;
        return 0;
    }
    if (p->options->grep != NULL && !name_pattern_matches(&p->grep, call->sig))
        return 0;
    return p->options->as_json ? trace_json_call(&p->json, call, trace_reader_frame(reader))
                               : trace_call_text_add(&p->text, call);
}

uint64_t dump_printer_put_scalar_calls(struct dump_printer *p, struct trace_reader *clone)
{
    if (p->options->as_json || p->options->grep != NULL)
        return 0;
    return trace_reader_put_scalar_calls(clone, &p->text, p->options->verbose);
}
