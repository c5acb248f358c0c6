/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/call_group.h"

#include "formats/sp_rtrace/text_frame.h"

#include "base/error.h"

struct text_frame_place {
    uint64_t address;
    bool is_named;
    size_t at; /* offset in the group's strings of a text that ends with a NUL */
};

void call_group_fini(struct call_group *g, struct event_pool *pool)
{
    while (g->first != NULL) {
        struct event_block *block = g->first;
        g->first = block->next;
        event_pool_give_back(pool, block);
    }
    buf_fini(&g->frames);
    buf_fini(&g->places);
    buf_fini(&g->key);
}

static void append(struct call_group *g, struct event_block *block)
{
    block->next = NULL;
    if (g->last != NULL)
        g->last->next = block;
    else
        g->first = block;
    g->last = block;
    ++g->count;
}

/* Adds a new block to the end of the group. Its text begins with `text`. */
static struct event_block *begin(struct call_group *g, struct event_pool *pool, struct text_slice text)
{
    struct event_block *block = event_pool_take(pool);
    if (block == NULL)
        return NULL;
    if (event_block_reserve_text(block, text.length + 1) != 0) {
        event_pool_give_back(pool, block);
        return NULL;
    }
    event_block_add_text(block, text.text, text.length);
    append(g, block);
    return block;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* A call without a type name is of the only type. A name in brackets is a type if a type with this name is
 * declared, or if no types are declared. Otherwise it belongs to the function's name. */
static const struct trace_resource_type *find_type(struct log_names *names, struct text_slice *function)
{
    struct text_slice name = *function, type;
    if (!text_split_type(&name, &type))
        return log_names_type(names, 0);
    const struct trace_resource_type *found = log_names_find_type(names, type.text, type.length);
    if (found == NULL && names->declared_types == 0)
        found = log_names_add_type(names, type.text, type.length);
    else if (found == NULL)
        return log_names_type(names, 0);
    *function = name;
    return found;
}

int call_group_add_call(struct call_group *g, struct event_pool *pool, struct log_names *names,
                        const struct text_call *call)
{
    struct text_slice name = call->name;
    const struct trace_resource_type *type = find_type(names, &name);
    const struct trace_origin *origin = log_names_origin(names, call->contexts);
    struct event_block *block = type != NULL && origin != NULL ? begin(g, pool, name) : NULL;
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    block->event = (struct trace_event){.kind = call->allocates ? TRACE_EVENT_ALLOC : TRACE_EVENT_FREE,
                                        .number = call->index,
                                        .time = call->time,
                                        .origin = origin,
                                        .call = &block->call};
    block->event.u.resource = (struct trace_resource){.type = type, .id = call->id, .size = call->size};
    block->call.number = call->index;
    block->call.enter_time = call->time;
    g->last_call = block;
    return 0;
}

/* Until the call is taken out, the value of an argument is the offset of its name, which is followed by its
 * text. */
int call_group_add_arg(struct call_group *g, const struct text_arg *arg)
{
    struct event_block *block = g->last_call;
    uint32_t count = block->call.arg_count;
    int rc = event_block_reserve_args(block, count + 1);
    if (rc == 0)
        rc = event_block_reserve_text(block, arg->name.length + arg->value.length + 2);
    if (rc != 0)
        return rc;
    block->args[count] =
        (struct trace_value){.type = TRACE_STRING, .count = arg->value.length, .u.uint = block->text.len};
    event_block_add_text(block, arg->name.text, strnlen(arg->name.text, arg->name.length));
    event_block_add_text(block, arg->value.text, arg->value.length);
    block->call.arg_count = count + 1;
    return 0;
}

int call_group_add_frame(struct call_group *g, const struct text_frame *frame)
{
    struct text_frame_place place = {
        .address = frame->address, .is_named = frame->place.length > 0, .at = g->places.len};
    int rc = buf_append(&g->frames, &place, sizeof place);
    if (rc == 0 && place.is_named)
        rc = buf_append(&g->places, frame->place.text, frame->place.length);
    return rc == 0 && place.is_named ? buf_append_byte(&g->places, '\0') : rc;
}

int call_group_add_comment(struct call_group *g, struct event_pool *pool, struct text_slice line)
{
    struct event_block *block = begin(g, pool, line);
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    char *text = (char *)block->text.data;
    for (char *nul = text; (nul = memchr(nul, '\0', line.length - (size_t)(nul - text))) != NULL;)
        *nul = '?';
    block->event = (struct trace_event){.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = text};
    return 0;
}

/* --- completing them ------------------------------------------------------------------------------- */

static int name_function(struct call_group *g, struct log_names *names, struct event_block *block)
{
    const char *text = (const char *)block->text.data;
    uint32_t count = block->call.arg_count;
    buf_clear(&g->key);
    int rc = buf_append_string(&g->key, text);
    for (uint32_t i = 0; i < count && rc == 0; ++i) {
        const char *name = text + block->args[i].u.uint;
        rc = buf_append_byte(&g->key, '\0');
        if (rc == 0)
            rc = buf_append_string(&g->key, name);
        block->args[i].u.string = name + strlen(name) + 1;
    }
    if (rc != 0)
        return rc;
    block->call.args = count > 0 ? block->args : NULL;
    block->call.sig = log_names_function(names, (const char *)g->key.data, g->key.len, count);
    return block->call.sig != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* Each call gets its own copy, since calls may be released separately. */
static int add_backtrace(struct call_group *g, struct event_block *block)
{
    const struct text_frame_place *places = (const struct text_frame_place *)(const void *)g->frames.data;
    uint32_t count = (uint32_t)(g->frames.len / sizeof *places);
    int rc = event_block_reserve_frames(block, count);
    if (rc == 0)
        rc = event_block_reserve_text(block, g->places.len);
    if (rc != 0)
        return rc;
    char *text = (char *)block->text.data + block->text.len;
    if (g->places.len > 0)
        memcpy(text, g->places.data, g->places.len);
    block->text.len += g->places.len;
    for (uint32_t i = 0; i < count; ++i) {
        block->frames[i] = (struct trace_frame){.address = places[i].address, .line = -1, .offset = -1};
        if (places[i].is_named)
            text_frame_split(&block->frames[i], text + places[i].at);
    }
    block->call.frames = count > 0 ? block->frames : NULL;
    block->call.frame_count = count;
    return 0;
}

int call_group_take(struct call_group *g, struct log_names *names, struct event_block **out)
{
    struct event_block *block = g->first;
    *out = block;
    g->first = block->next;
    if (g->first == NULL)
        g->last = NULL;
    if (g->last_call == block)
        g->last_call = NULL;
    --g->count;
    if (block->event.kind == TRACE_EVENT_COMMENT)
        return 0;
    int rc = add_backtrace(g, block);
    return rc == 0 ? name_function(g, names, block) : rc;
}

void call_group_end(struct call_group *g)
{
    buf_clear(&g->frames);
    buf_clear(&g->places);
    g->last_call = NULL;
}
