/* SPDX-License-Identifier: MIT */
#include "trace/resource_call.h"

#include "base/error.h"

#include <string.h>

#define RESOURCE_ARGS 2 /* additional arguments: the resource's type, and its size or id */

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void resource_calls_init(struct resource_calls *c)
{
    memset(c, 0, sizeof *c);
    arena_init(&c->arena);
}

void resource_calls_fini(struct resource_calls *c)
{
    arena_fini(&c->arena);
    int_map_fini(&c->allocs);
    int_map_fini(&c->frees);
}

static const struct trace_function_sig *make_sig(struct resource_calls *c,
                                                 const struct trace_function_sig *of, const char *last_arg)
{
    const char **names = arena_alloc(&c->arena, (of->arg_count + RESOURCE_ARGS) * sizeof *names);
    struct trace_function_sig *sig = arena_alloc(&c->arena, sizeof *sig);
    if (names == NULL || sig == NULL)
        return NULL;
    if (of->arg_count > 0)
        memcpy(names, of->arg_names, of->arg_count * sizeof *names);
    names[of->arg_count] = "resource";
    names[of->arg_count + 1] = last_arg;
    *sig = *of;
    sig->arg_count = of->arg_count + RESOURCE_ARGS;
    sig->arg_names = names;
    return sig;
}

static int find_sig(struct resource_calls *c, const struct trace_event *event,
                    const struct trace_function_sig **out)
{
    bool is_alloc = event->kind == TRACE_EVENT_ALLOC;
    struct int_map *known = is_alloc ? &c->allocs : &c->frees;
    uint64_t key = (uint64_t)(uintptr_t)event->call->sig, address;
    if (int_map_get(known, key, &address)) {
        *out = (const struct trace_function_sig *)(uintptr_t)address;
        return 0;
    }
    *out = make_sig(c, event->call->sig, is_alloc ? "size" : "id");
    return *out == NULL ? no_memory() : int_map_set(known, key, (uint64_t)(uintptr_t)*out);
}

static struct trace_value text_value(const char *text)
{
    if (text == NULL)
        return (struct trace_value){.type = TRACE_NULL};
    return (struct trace_value){.type = TRACE_STRING, .count = strlen(text), .u.string = text};
}

int resource_calls_make(struct resource_calls *c, const struct trace_event *event, struct arena *arena,
                        struct trace_call *out)
{
    const struct trace_resource *resource = &event->u.resource;
    const struct trace_value id = {.type = TRACE_OPAQUE, .u.uint = resource->id};
    uint32_t count = event->call->sig->arg_count;
    *out = *event->call;
    int rc = find_sig(c, event, &out->sig);
    struct trace_value *args = arena_alloc(arena, (count + RESOURCE_ARGS) * sizeof *args);
    if (rc != 0 || args == NULL)
        return rc != 0 ? rc : no_memory();
    if (count > 0)
        memcpy(args, event->call->args, count * sizeof *args);
    args[count] = text_value(resource->type != NULL ? resource->type->name : NULL);
    args[count + 1] = id;
    if (event->kind == TRACE_EVENT_ALLOC) {
        args[count + 1] = (struct trace_value){.type = TRACE_UINT, .u.uint = resource->size};
        out->ret = id;
    }
    out->number = event->number;
    out->args = args;
    out->arg_count = count + RESOURCE_ARGS;
    return 0;
}
