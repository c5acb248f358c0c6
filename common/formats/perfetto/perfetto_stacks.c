/* SPDX-License-Identifier: MIT */
#include "formats/perfetto/perfetto_stacks.h"

#include "formats/perfetto/perfetto_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A module has one mapping, from the beginning of its file. */
static uint64_t find_mapping(struct perfetto_names *n, const char *module)
{
    uint64_t iid;
    if (perfetto_names_find(n, PERFETTO_MAPPING, module, &iid))
        return iid;
    uint64_t path = perfetto_names_text(n, PERFETTO_MAPPING_PATH, module);
    size_t mark = proto_begin(&n->fresh, INTERNED_MAPPINGS);
    proto_put_uint(&n->fresh, INTERNED_IID, iid);
    proto_put_uint(&n->fresh, MAPPING_PATHS, path);
    proto_end(&n->fresh, mark);
    return iid;
}

/* A frame without a name has its address, or its module, for one. */
static uint64_t find_function(struct perfetto_names *n, const struct trace_frame *f)
{
    char address[24];
    const char *name = f->function;
    snprintf(address, sizeof address, "0x%" PRIx64, f->address);
    if (name == NULL)
        name = f->address != 0 ? address : f->module != NULL ? f->module : "?";
    return perfetto_names_text(n, PERFETTO_FUNCTION_NAME, name);
}

static void describe_frame(struct perfetto_names *n, const struct trace_frame *f, uint64_t iid)
{
    bool has_place = f->module != NULL && f->offset >= 0;
    uint64_t function = find_function(n, f);
    uint64_t mapping = has_place ? find_mapping(n, f->module) : 0;
    uint64_t source = f->file != NULL ? perfetto_names_text(n, PERFETTO_SOURCE_PATH, f->file) : 0;
    size_t mark = proto_begin(&n->fresh, INTERNED_FRAMES);
    proto_put_uint(&n->fresh, INTERNED_IID, iid);
    proto_put_uint(&n->fresh, FRAME_FUNCTION, function);
    if (has_place) {
        proto_put_uint(&n->fresh, FRAME_MAPPING, mapping);
        proto_put_uint(&n->fresh, FRAME_PLACE, (uint64_t)f->offset);
    }
    if (source != 0)
        proto_put_uint(&n->fresh, FRAME_SOURCE, source);
    if (f->line > 0)
        proto_put_uint(&n->fresh, FRAME_LINE, (uint64_t)f->line & UINT32_MAX);
    proto_end(&n->fresh, mark);
}

static uint64_t find_frame(struct perfetto_names *n, const struct trace_frame *f, struct buf *text)
{
    static const char none[] = "";
    uint64_t iid;
    buf_clear(text);
    if (buf_printf(text, "%s\n%s\n%s\n%" PRId64 " %" PRId64 " %" PRIx64, f->module != NULL ? f->module : none,
                   f->function != NULL ? f->function : none, f->file != NULL ? f->file : none, f->line,
                   f->offset, f->address) != 0 ||
        buf_append_byte(text, '\0') != 0) {
        n->fresh.failed = true;
        return 0;
    }
    if (!perfetto_names_find(n, PERFETTO_FRAME, (const char *)text->data, &iid))
        describe_frame(n, f, iid);
    return iid;
}

/* Perfetto wants the outermost frame first. */
uint64_t perfetto_stacks_find(struct perfetto_names *n, const struct trace_call *call, struct buf *text)
{
    struct buf key = BUF_INIT;
    struct proto_writer frames = {.failed = false};
    uint64_t iid = 0;
    for (uint32_t i = call->frame_count; i-- > 0;) {
        uint64_t frame = find_frame(n, &call->frames[i], text);
        proto_put_uint(&frames, CALLSTACK_FRAMES, frame);
        n->fresh.failed |= buf_printf(&key, "%" PRIu64 " ", frame) != 0;
    }
    n->fresh.failed |= frames.failed || buf_append_byte(&key, '\0') != 0;
    if (!n->fresh.failed && !perfetto_names_find(n, PERFETTO_CALLSTACK, (const char *)key.data, &iid)) {
        size_t mark = proto_begin(&n->fresh, INTERNED_CALLSTACKS);
        proto_put_uint(&n->fresh, INTERNED_IID, iid);
        n->fresh.failed |= buf_append(&n->fresh.out, frames.out.data, frames.out.len) != 0;
        proto_end(&n->fresh, mark);
    }
    buf_fini(&key);
    buf_fini(&frames.out);
    return iid;
}
