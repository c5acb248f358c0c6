/* SPDX-License-Identifier: MIT */
#include "leaks/resource_report.h"

#include "base/error.h"
#include "base/json_writer.h"
#include "shell/write_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_string(struct json_writer *w, const char *name, const char *text)
{
    json_key(w, name);
    if (text == NULL)
        json_null(w);
    else
        json_text(w, text, strlen(text));
}

static void put_uint(struct json_writer *w, const char *name, uint64_t value)
{
    json_key(w, name);
    json_uint(w, value);
}

static void put_address(struct json_writer *w, const char *name, uint64_t address)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    put_string(w, name, text);
}

static void put_frames(struct json_writer *w, const struct stack *stack)
{
    json_key(w, "Backtrace");
    json_begin(w, '[');
    for (uint32_t i = 0; i < stack->frame_count; ++i) {
        const struct trace_frame *frame = &stack->frames[i];
        json_begin(w, '{');
        if (frame->address != 0)
            put_address(w, "Address", frame->address);
        if (frame->function != NULL)
            put_string(w, "Function", frame->function);
        if (frame->module != NULL)
            put_string(w, "Module", frame->module);
        if (frame->file != NULL)
            put_string(w, "File", frame->file);
        if (frame->line >= 0)
            put_uint(w, "Line", (uint64_t)frame->line);
        json_end(w, '}');
    }
    json_end(w, ']');
}

static void put_leak(struct json_writer *w, const struct live_resource *leak)
{
    const struct trace_resource_type *type = leak->kind->type;
    json_begin(w, '{');
    put_uint(w, "Number", leak->number);
    put_string(w, "Function", leak->kind->sig->name);
    put_string(w, "Resource", type != NULL ? type->name : NULL);
    put_address(w, "Id", leak->id);
    put_uint(w, "Size", leak->size);
    put_uint(w, "Contexts", leak->kind->origin != NULL ? leak->kind->origin->contexts : 0);
    json_end(w, '}');
}

static void put_group(struct json_writer *w, const struct resource_report *r,
                      const struct resource_group *group)
{
    json_begin(w, '{');
    put_uint(w, "Blocks", group->count);
    put_uint(w, "Size", group->size);
    json_key(w, "Allocations");
    json_begin(w, '[');
    for (size_t i = 0; i < group->count; ++i)
        put_leak(w, group->members[i]);
    json_end(w, ']');
    put_frames(w, &r->tracker->stacks.stacks[group->members[0]->stack]);
    json_end(w, '}');
}

static void put_sum(struct json_writer *w, const char *name, const struct resource_sum *sum)
{
    json_begin(w, '{');
    put_string(w, "Name", name);
    put_uint(w, "Blocks", sum->blocks);
    put_uint(w, "Size", sum->size);
    json_end(w, '}');
}

static void put_sums(struct json_writer *w, const struct resource_report *r)
{
    json_key(w, "Resources");
    json_begin(w, '[');
    for (size_t i = 0; i < r->type_count; ++i)
        put_sum(w, r->by_type[i].type != NULL ? r->by_type[i].type->name : NULL, &r->by_type[i]);
    json_end(w, ']');
    json_key(w, "Contexts");
    json_begin(w, '[');
    for (size_t i = 0; i < r->context_count; ++i)
        put_sum(w, r->by_context[i].context != NULL ? r->by_context[i].context->name : NULL,
                &r->by_context[i]);
    json_end(w, ']');
}

int resource_report_print_json(const struct resource_report *r, const char *path)
{
    struct buf out = BUF_INIT;
    struct json_writer w;
    uint64_t size = 0;
    for (size_t i = 0; i < r->leak_count; ++i)
        size += r->leaks[i]->size;
    json_writer_init(&w, &out);
    json_begin(&w, '{');
    put_string(&w, "FileName", path);
    put_uint(&w, "Leaked", r->leak_count);
    put_uint(&w, "LeakedSize", size);
    put_sums(&w, r);
    json_key(&w, "Groups");
    json_begin(&w, '[');
    for (size_t i = 0; i < r->group_count; ++i)
        put_group(&w, r, &r->groups[i]);
    json_end(&w, ']');
    json_end(&w, '}');
    int rc = w.failed || buf_append_byte(&out, '\n') != 0 ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                                                          : write_output(&out);
    buf_fini(&out);
    return rc;
}
