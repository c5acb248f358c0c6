/* SPDX-License-Identifier: MIT
 * Events of formats without typed fields. The two ends of a call are events of LTTng's library
 * liblttng-ust-cyg-profile, with more fields, so that viewers of call stacks show them; others have the names
 * that docs/ctf.md lists.
 */
#include "formats/ctf/write/ctf_typed.h"
#include "formats/ctf/write/ctf_fields.h"
#include "formats/ctf/write/ctf_sink_streams.h"
#include "formats/ctf/write/ctf_sink_time.h"

#include "base/error.h"

#include <stdio.h>

#define ENTRY "lttng_ust_cyg_profile:func_entry"
#define EXIT  "lttng_ust_cyg_profile:func_exit"

#define PAYLOAD_MAX 16 /* most fields besides arguments */

/* An event as it is made. */
struct parts {
    const char *name;
    struct ctf_fields specific;
    struct ctf_fields payload;
    struct ctf_fields args;
};

/* --- backtraces ------------------------------------------------------------------------------------ */

static const char *const frame_members[] = {"address", "offset", "module", "function", "file", "line"};
static const struct trace_struct_sig frame_sig = {.name = "frame", .count = 6, .members = frame_members};

static bool has_names(const struct trace_call *call)
{
    for (uint32_t i = 0; i < call->frame_count; ++i) {
        const struct trace_frame *f = &call->frames[i];
        if (f->module != NULL || f->function != NULL || f->file != NULL || f->line >= 0 || f->offset >= 0)
            return true;
    }
    return false;
}

static struct trace_value signed_value(int64_t number)
{
    return (struct trace_value){.type = number < 0 ? TRACE_SINT : TRACE_UINT, .u.sint = number};
}

static int make_frame(struct ctf_sink *s, const struct trace_frame *f, struct trace_value *out)
{
    struct trace_value *items = arena_alloc(&s->scratch, 6 * sizeof *items);
    if (items == NULL)
        return TRACE_ERR_MEMORY;
    items[0] = ctf_address_value(f->address);
    items[1] = signed_value(f->offset);
    items[2] = ctf_text_value(f->module != NULL ? f->module : "");
    items[3] = ctf_text_value(f->function != NULL ? f->function : "");
    items[4] = ctf_text_value(f->file != NULL ? f->file : "");
    items[5] = signed_value(f->line);
    *out = (struct trace_value){.type = TRACE_STRUCT, .count = 6, .u.items = items};
    out->sig.structure = &frame_sig;
    return 0;
}

/* Addresses are as LTTng's context "callstack-user" has them, but among the payload: babeltrace2 2.0.4 aborts
 * on sequences in the contexts of single events. */
static int add_backtrace(struct ctf_sink *s, struct ctf_fields *f, const struct trace_call *call)
{
    bool is_named = has_names(call);
    struct trace_value *items = arena_alloc(&s->scratch, call->frame_count * sizeof *items);
    int rc = items != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && i < call->frame_count; ++i) {
        items[i] = ctf_address_value(call->frames[i].address);
        if (is_named)
            rc = make_frame(s, &call->frames[i], &items[i]);
    }
    if (rc == 0)
        ctf_fields_add(
            f, is_named ? "frames" : "callstack_user",
            (struct trace_value){
                .type = TRACE_ARRAY, .element = TRACE_NONE, .count = call->frame_count, .u.items = items});
    return rc;
}

/* --- calls ----------------------------------------------------------------------------------------- */

static const char *const more_names[] = {"more_0", "more_1", "more_2", "more_3",
                                         "more_4", "more_5", "more_6", "more_7"};
#define MORE_MAX (sizeof more_names / sizeof more_names[0])

/* Arguments without a value have a place, too: structures without members. So their names are known. */
static int add_arguments(struct ctf_sink *s, struct ctf_fields *f, const struct trace_call *call)
{
    int rc = ctf_fields_init(f, s, call->arg_count + 1); /* and a backtrace */
    for (uint32_t i = 0; rc == 0 && i < call->arg_count; ++i) {
        uint32_t more = i - call->sig->arg_count;
        if (i < call->sig->arg_count)
            ctf_fields_add_any(f, call->sig->arg_names[i], call->args[i]);
        else if (more < MORE_MAX)
            ctf_fields_add_any(f, more_names[more], call->args[i]);
        else
            trace_sink_leave_out(&s->base, "argument", 1);
    }
    return rc;
}

/* The end of a call only tells what its beginning did not. Calls are known by their numbers. */
static int add_new_arguments(struct ctf_sink *s, struct ctf_fields *f, const struct trace_event *event)
{
    uint64_t told = 0;
    struct trace_call call = *event->call;
    int_map_get(&s->told, event->number, &told);
    int_map_remove(&s->told, event->number);
    struct trace_value *args = arena_copy(&s->scratch, call.args, call.arg_count * sizeof *args);
    if (args == NULL)
        return TRACE_ERR_MEMORY;
    bool has_new = false;
    for (uint32_t i = 0; i < call.arg_count; ++i) {
        if (i < 64 && (told >> i & 1) != 0)
            args[i].type = TRACE_NONE;
        has_new |= args[i].type != TRACE_NONE;
    }
    call.args = args;
    return has_new ? add_arguments(s, f, &call) : 0;
}

static int note_arguments(struct ctf_sink *s, const struct trace_event *event)
{
    uint64_t told = 0;
    for (uint32_t i = 0; i < event->call->arg_count && i < 64; ++i)
        told |= (uint64_t)(event->call->args[i].type != TRACE_NONE) << i;
    return told != 0 ? int_map_set(&s->told, event->number, told) : 0;
}

/* Addresses of functions are not known: in their place is the number by which the program knows the function,
 * or else one above all such numbers. */
#define NO_NUMBER (UINT64_C(1) << 32)

static int add_function(struct ctf_sink *s, struct parts *p, const struct trace_call *call)
{
    struct trace_value function;
    int rc = ctf_label_value(s, &s->functions, (uintptr_t)call->sig, call->sig->name, &function);
    if (rc != 0)
        return rc;
    uint64_t number = call->sig->number != 0 ? call->sig->number : NO_NUMBER + 16 * function.u.uint;
    uint64_t caller = call->frame_count > 0 ? call->frames[0].address : 0;
    ctf_fields_add(&p->payload, "addr", ctf_address_value(number));
    ctf_fields_add(&p->payload, "call_site", ctf_address_value(caller));
    ctf_fields_add(&p->payload, "function", function);
    return 0;
}

static void add_flags(struct parts *p, const struct trace_call *call)
{
    uint32_t flags = call->flags & ~(uint32_t)TRACE_CALL_INCOMPLETE;
    if (flags != 0)
        ctf_fields_add(&p->payload, "flags", ctf_address_value(flags));
}

static int make_enter(struct ctf_sink *s, struct parts *p, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    p->name = ENTRY;
    int rc = add_function(s, p, call);
    add_flags(p, call);
    if (rc == 0)
        rc = add_arguments(s, &p->args, call);
    if (rc == 0)
        rc = note_arguments(s, event);
    return rc == 0 && call->frame_count > 0 ? add_backtrace(s, &p->payload, call) : rc;
}

static int make_exit(struct ctf_sink *s, struct parts *p, const struct trace_event *event, bool is_tail)
{
    const struct trace_call *call = event->call;
    p->name = EXIT;
    int rc = add_function(s, p, call);
    if (is_tail)
        ctf_fields_add(&p->payload, "is_tail", (struct trace_value){.type = TRACE_TRUE});
    ctf_fields_add(&p->payload, "ret", call->ret);
    return rc == 0 ? add_new_arguments(s, &p->args, event) : rc;
}

static int make_instant(struct ctf_sink *s, struct parts *p, const struct trace_call *call)
{
    p->name = call->sig->name;
    int rc = add_arguments(s, &p->payload, call);
    return rc == 0 && call->frame_count > 0 ? add_backtrace(s, &p->payload, call) : rc;
}

/* --- resources and facts --------------------------------------------------------------------------- */

static int make_resource(struct ctf_sink *s, struct parts *p, const struct trace_event *event)
{
    const struct trace_resource *r = &event->u.resource;
    struct trace_value type;
    char number[24];
    bool is_alloc = event->kind == TRACE_EVENT_ALLOC;
    p->name = is_alloc ? "resource:alloc" : "resource:free";
    snprintf(number, sizeof number, "%u", (unsigned)r->type->id);
    int rc = ctf_label_value(s, &s->types, (uintptr_t)r->type, r->type->name != NULL ? r->type->name : number,
                             &type);
    if (rc != 0)
        return rc;
    ctf_fields_add(&p->payload, "type", type);
    ctf_fields_add(&p->payload, "id", ctf_address_value(r->id));
    ctf_fields_add(&p->payload, "size", ctf_uint_value(r->size));
    rc = add_function(s, p, event->call);
    if (rc == 0)
        rc = add_arguments(s, &p->args, event->call);
    ctf_fields_add(&p->payload, "ret", event->call->ret);
    return rc == 0 && event->call->frame_count > 0 ? add_backtrace(s, &p->payload, event->call) : rc;
}

static void make_type(struct ctf_fields *f, const struct trace_resource_type *type)
{
    ctf_fields_add(f, "id", ctf_uint_value(type->id));
    ctf_fields_add(f, "name", ctf_text_value(type->name));
    ctf_fields_add(f, "description", ctf_text_value(type->description));
    ctf_fields_add(f, "refcounted",
                   (struct trace_value){.type = type->refcounted ? TRACE_TRUE : TRACE_FALSE});
    ctf_fields_add(f, "flags", ctf_text_value(type->flags));
}

static void make_mapping(struct ctf_fields *f, const struct trace_mapping *m)
{
    ctf_fields_add(f, "baddr", ctf_address_value(m->from));
    ctf_fields_add(f, "memsz", ctf_uint_value(m->to - m->from));
    ctf_fields_add(f, "path", ctf_text_value(m->path));
    if (m->offset != TRACE_NO_OFFSET)
        ctf_fields_add(f, "offset", ctf_uint_value(m->offset));
}

static void make_heap(struct ctf_fields *f, const struct trace_heap *h)
{
    ctf_fields_add(f, "bottom", ctf_address_value(h->bottom));
    ctf_fields_add(f, "top", ctf_address_value(h->top));
    ctf_fields_add(f, "lowest_block", ctf_address_value(h->lowest_block));
    ctf_fields_add(f, "highest_block", ctf_address_value(h->highest_block));
    ctf_fields_add(f, "arena", ctf_uint_value(h->arena));
    ctf_fields_add(f, "ordblks", ctf_uint_value(h->ordblks));
    ctf_fields_add(f, "smblks", ctf_uint_value(h->smblks));
    ctf_fields_add(f, "hblks", ctf_uint_value(h->hblks));
    ctf_fields_add(f, "hblkhd", ctf_uint_value(h->hblkhd));
    ctf_fields_add(f, "usmblks", ctf_uint_value(h->usmblks));
    ctf_fields_add(f, "fsmblks", ctf_uint_value(h->fsmblks));
    ctf_fields_add(f, "uordblks", ctf_uint_value(h->uordblks));
    ctf_fields_add(f, "fordblks", ctf_uint_value(h->fordblks));
    ctf_fields_add(f, "keepcost", ctf_uint_value(h->keepcost));
}

static int make_sum(struct ctf_sink *s, struct parts *p, const struct trace_sum *sum)
{
    struct trace_value *path = arena_alloc(&s->scratch, sum->depth * sizeof *path);
    if (path == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; i < sum->depth; ++i)
        path[i] = ctf_text_value(sum->path[i]->name);
    p->name = "trace:sum";
    ctf_fields_add(&p->payload, "count", ctf_uint_value(sum->count));
    ctf_fields_add(&p->payload, "ticks", ctf_uint_value(sum->ticks));
    ctf_fields_add(&p->payload, "path",
                   (struct trace_value){
                       .type = TRACE_ARRAY, .element = TRACE_NONE, .count = sum->depth, .u.items = path});
    return 0;
}

static int make_fact(struct ctf_sink *s, struct parts *p, const struct trace_event *event)
{
    struct ctf_fields *f = &p->payload;
    switch (event->kind) {
    case TRACE_EVENT_RESOURCE_TYPE:
        p->name = "resource:type";
        make_type(f, event->u.resource_type);
        return 0;
    case TRACE_EVENT_CONTEXT:
        p->name = "trace:context";
        ctf_fields_add(f, "id", ctf_uint_value(event->u.context.id));
        ctf_fields_add(f, "name", ctf_text_value(event->u.context.name));
        return 0;
    case TRACE_EVENT_TRACER:
        p->name = "trace:tracer";
        ctf_fields_add(f, "id", ctf_uint_value(event->u.tracer.id));
        ctf_fields_add(f, "major", ctf_uint_value(event->u.tracer.major));
        ctf_fields_add(f, "minor", ctf_uint_value(event->u.tracer.minor));
        ctf_fields_add(f, "name", ctf_text_value(event->u.tracer.name));
        return 0;
    case TRACE_EVENT_MAPPING:
        p->name = "lttng_ust_statedump:bin_info";
        make_mapping(f, &event->u.mapping);
        return 0;
    case TRACE_EVENT_HEAP:
        p->name = "trace:heap";
        make_heap(f, event->u.heap);
        return 0;
    case TRACE_EVENT_ATTACHMENT:
        p->name = "trace:attachment";
        ctf_fields_add(f, "name", ctf_text_value(event->u.attachment.name));
        ctf_fields_add(f, "path", ctf_text_value(event->u.attachment.path));
        return 0;
    case TRACE_EVENT_CLOCK:
        p->name = "trace:clock";
        ctf_fields_add(f, "name", ctf_text_value(event->u.clock_reading.name));
        ctf_fields_add(f, "time", signed_value(event->u.clock_reading.time));
        return 0;
    case TRACE_EVENT_SUM:
        return make_sum(s, p, &event->u.sum);
    default: /* TRACE_EVENT_MARK, TRACE_EVENT_COMMENT */
        p->name = event->kind == TRACE_EVENT_MARK ? "trace:mark" : "trace:comment";
        ctf_fields_add(f, "text", ctf_text_value(event->u.text));
        return 0;
    }
}

/* --- events ---------------------------------------------------------------------------------------- */

static int make(struct ctf_sink *s, struct parts *p, const struct trace_event *event, bool is_end)
{
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return is_end ? make_exit(s, p, event, false) : make_enter(s, p, event);
    case TRACE_EVENT_ENTER:
        return make_enter(s, p, event);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return make_exit(s, p, event, event->kind == TRACE_EVENT_TAIL_EXIT);
    case TRACE_EVENT_INSTANT:
        return make_instant(s, p, event->call);
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return make_resource(s, p, event);
    default:
        return make_fact(s, p, event);
    }
}

static const struct trace_value *origin_values(struct ctf_sink *s, const struct trace_event *event,
                                               struct ctf_out_values *values)
{
    struct trace_value *items = arena_alloc(&s->scratch, 4 * sizeof *items), *common;
    const struct trace_origin *o = event->origin;
    if (items == NULL)
        return NULL;
    items[0] = ctf_uint_value(o != NULL && o->cpu >= 0 ? (uint64_t)o->cpu : 0);
    values->scopes[TRACE_SCOPE_PACKET] =
        (struct trace_value){.type = TRACE_STRUCT, .count = 1, .u.items = items};
    common = items + 1;
    if (o != NULL && o->process >= 0)
        *common++ = ctf_uint_value((uint64_t)o->process);
    bool has_thread = o != NULL ? o->thread >= 0 : event->call != NULL;
    if (has_thread) {
        *common++ = ctf_uint_value(o != NULL ? (uint64_t)o->thread : event->call->thread);
        *common++ = ctf_text_value(s->program);
    }
    values->scopes[TRACE_SCOPE_COMMON] = (struct trace_value){
        .type = TRACE_STRUCT, .count = (uint64_t)(common - items - 1), .u.items = items + 1};
    return items;
}

static int put(struct ctf_sink *s, struct ctf_out_stream *stream, const struct trace_event *event,
               int64_t time, bool is_end)
{
    struct parts p = {.name = NULL};
    struct ctf_out_values values = {.scopes[0].type = TRACE_NONE};
    struct ctf_out_event *class;
    arena_reset(&s->scratch);
    int rc = ctf_fields_init(&p.specific, s, 4);
    if (rc == 0)
        rc = ctf_fields_init(&p.payload, s, PAYLOAD_MAX);
    if (rc == 0)
        rc = ctf_fields_init(&p.args, s, 0);
    if (rc != 0 || origin_values(s, event, &values) == NULL)
        return TRACE_ERR_MEMORY;
    if (event->origin != NULL && event->origin->contexts != 0)
        ctf_fields_add(&p.specific, "contexts", ctf_uint_value(event->origin->contexts));
    rc = make(s, &p, event, is_end);
    if (rc == 0)
        rc = ctf_sink_find_event(s, stream->class, p.name, &p.specific, &p.payload, &p.args, &class);
    if (rc != 0)
        return rc;
    if (p.args.count > 0 && (rc = ctf_fields_append_structure(s, &p.payload, &p.args)) != 0)
        return rc;
    values.scopes[TRACE_SCOPE_SPECIFIC] = ctf_fields_value(&p.specific);
    values.scopes[TRACE_SCOPE_PAYLOAD] = ctf_fields_value(&p.payload);
    rc = ctf_out_put(stream, class, ctf_sink_time_of(s, stream, event, time), &values);
    return rc == 0 ? ctf_sink_hold(s, stream, time) : rc;
}

static int put_loss(struct ctf_sink *s, struct ctf_out_stream *stream, const struct trace_event *event)
{
    (void)s;
    uint64_t count = event->u.loss.count;
    return ctf_out_lose(stream, count, count == 0);
}

int ctf_sink_put_typed(struct ctf_sink *s, const struct trace_event *event)
{
    struct ctf_out_stream *stream;
    int rc = ctf_sink_find_stream(s, event, &stream);
    if (rc != 0)
        return rc;
    if (event->kind == TRACE_EVENT_LOSS)
        return put_loss(s, stream, event);
    rc = put(s, stream, event, event->time, false);
    bool has_end = event->kind == TRACE_EVENT_CALL && (event->call->flags & TRACE_CALL_INCOMPLETE) == 0;
    return rc == 0 && has_end ? put(s, stream, event, event->call->leave_time, true) : rc;
}
