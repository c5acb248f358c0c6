/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/binary_events.h"

#include "formats/sp_rtrace/log_clock.h"

#include "base/error.h"

/* --- declarations ---------------------------------------------------------------------------------- */

/* A null string becomes "". */
static const char *add_string(struct event_block *block, const struct packet_style *style, const uint8_t **p)
{
    struct packet_string s = packet_read_string(style, p);
    return event_block_add_text(block, s.text != NULL ? s.text : "", s.length);
}

static void fill_heap(struct trace_heap *heap, const struct log_summary *summary,
                      const struct packet_style *style, const struct packet *packet)
{
    struct packet_style narrow = *style;
    const uint8_t *p = packet->data;
    if (packet->size < 2u * style->pointer_size + 40)
        narrow.pointer_size = 4; /* the programs write 32-bit values on every machine */
    heap->bottom = packet_pointer(&narrow, p);
    heap->top = packet_pointer(&narrow, p + narrow.pointer_size);
    p += 2 * narrow.pointer_size;
    uint64_t *const words[] = {&heap->arena,    &heap->ordblks, &heap->smblks,  &heap->hblks,
                               &heap->hblkhd,   &heap->usmblks, &heap->fsmblks, &heap->uordblks,
                               &heap->fordblks, &heap->keepcost};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        *words[i] = packet_u32(style, p + 4 * i);
    heap->lowest_block = style->pointer_size == 4 ? UINT32_MAX : UINT64_MAX;
    heap->highest_block = 0;
    if (summary->has_allocations) {
        heap->lowest_block = summary->lowest_block;
        heap->highest_block = summary->highest_block;
    }
}

static int fill_resource_type(struct trace_event *event, struct log_names *names,
                              const struct packet_style *style, const struct packet *packet)
{
    struct trace_resource_type type;
    int rc = packet_resource(style, packet->data, &type);
    if (rc != 0)
        return rc;
    event->kind = TRACE_EVENT_RESOURCE_TYPE;
    event->u.resource_type = log_names_declaration(names, &type);
    packet_resource_fini(&type);
    return event->u.resource_type != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

int binary_declared_event(struct event_block *block, struct log_names *names,
                          const struct log_summary *summary, const struct packet_style *style,
                          const struct packet *packet)
{
    struct trace_event *event = &block->event;
    const uint8_t *p = packet->data, *q = p + 8;
    int rc = event_block_reserve_text(block, (size_t)packet->size + 2);
    *event = (struct trace_event){.time = TRACE_NO_TIME};
    if (rc != 0 || packet->type == PACKET_RESR)
        return rc != 0 ? rc : fill_resource_type(event, names, style, packet);
    switch (packet->type) {
    case PACKET_FILE:
        event->kind = TRACE_EVENT_ATTACHMENT;
        event->u.attachment.name = add_string(block, style, &p);
        event->u.attachment.path = add_string(block, style, &p);
        return 0;
    case PACKET_HINF:
        event->kind = TRACE_EVENT_HEAP;
        fill_heap(&block->heap, summary, style, packet);
        event->u.heap = &block->heap;
        return 0;
    case PACKET_MINF:
        event->kind = TRACE_EVENT_TRACER;
        event->u.tracer = (struct trace_tracer){.id = packet_u32(style, p),
                                                .major = packet_u32(style, p + 4) >> 16,
                                                .minor = packet_u32(style, p + 4) & 0xffff,
                                                .name = add_string(block, style, &q)};
        return 0;
    case PACKET_CTXR:
        event->kind = TRACE_EVENT_CONTEXT;
        event->u.context.id = packet_u32(style, p);
        p += 4;
        event->u.context.name = add_string(block, style, &p);
        return 0;
    default: /* MMAP */
        event->kind = TRACE_EVENT_MAPPING;
        q = p + 2 * style->pointer_size;
        event->u.mapping = (struct trace_mapping){.from = packet_pointer(style, p),
                                                  .to = packet_pointer(style, p + style->pointer_size),
                                                  .offset = TRACE_NO_OFFSET,
                                                  .path = add_string(block, style, &q)};
        return 0;
    }
}

/* --- calls ----------------------------------------------------------------------------------------- */

int binary_call_event(struct event_block *block, struct log_names *names, const struct packet_style *style,
                      const struct packet *packet)
{
    const uint8_t *p = packet->data;
    uint32_t head[4];
    for (unsigned i = 0; i < 4; ++i)
        head[i] = packet_u32(style, p + 4 * i);
    p += 16;
    struct packet_string name = packet_read_string(style, &p);
    uint32_t time = head[style->document_order ? 0 : 2];
    uint32_t type = head[style->document_order ? 1 : 0];
    uint32_t contexts = head[style->document_order ? 2 : 1];
    bool allocates = head[3] == CALL_ALLOCATES;
    struct trace_event *event = &block->event;
    event->kind = allocates ? TRACE_EVENT_ALLOC : TRACE_EVENT_FREE;
    event->time = time != 0 ? time * SP_RTRACE_TICK : TRACE_NO_TIME;
    event->origin = log_names_origin(names, contexts);
    event->u.resource.type = log_names_type(names, type);
    event->u.resource.id = packet_pointer(style, style->document_order ? p : p + 4);
    event->u.resource.size = packet_u32(style, style->document_order ? p + style->pointer_size : p);
    block->call.enter_time = event->time;
    block->call.sig = log_names_function(names, name.text != NULL ? name.text : "", name.length, 0);
    return event->origin != NULL && event->u.resource.type != NULL && block->call.sig != NULL
               ? 0
               : TRACE_ERR_MEMORY;
}

/* The strings of ARGS are consecutive: a name, a value, a name, a value, … */
static int add_values(struct event_block *block, struct buf *key, const struct packet_style *style,
                      const uint8_t *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        struct packet_string name = packet_read_string(style, &p), value = packet_read_string(style, &p);
        if (buf_append_byte(key, '\0') != 0 || buf_append(key, name.text, name.length) != 0)
            return TRACE_ERR_MEMORY;
        block->args[i] = (struct trace_value){.type = TRACE_NULL};
        if (value.text != NULL)
            block->args[i] =
                (struct trace_value){.type = TRACE_STRING,
                                     .count = value.length,
                                     .u.string = event_block_add_text(block, value.text, value.length)};
    }
    return 0;
}

int binary_call_add_args(struct event_block *block, struct log_names *names, struct buf *key,
                         const struct packet_style *style, const struct packet *packet)
{
    uint32_t count = packet_u32(style, packet->data);
    buf_clear(key);
    int rc = event_block_reserve_args(block, count);
    if (rc == 0)
        rc = event_block_reserve_text(block, packet->size);
    if (rc == 0)
        rc = buf_append_string(key, block->call.sig->name);
    if (rc == 0)
        rc = add_values(block, key, style, packet->data + 4, count);
    if (rc != 0)
        return rc;
    block->call.args = block->args;
    block->call.arg_count = count;
    block->call.sig = log_names_function(names, (const char *)key->data, key->len, count);
    return block->call.sig != NULL ? 0 : TRACE_ERR_MEMORY;
}

int binary_call_add_frames(struct event_block *block, const struct packet_style *style,
                           const struct packet *packet)
{
    uint32_t count = packet_u32(style, packet->data);
    int rc = event_block_reserve_frames(block, count);
    if (rc != 0)
        return rc;
    const uint8_t *p = packet->data + 4;
    for (uint32_t i = 0; i < count; ++i, p += style->pointer_size)
        block->frames[i].address = packet_pointer(style, p);
    block->call.frames = block->frames;
    block->call.frame_count = count;
    return 0;
}
