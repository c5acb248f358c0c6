/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_calls.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH_MAX (1u << 18) /* calls of a thread that are remembered: those before them are forgotten */

struct open_call {
    const struct trace_function_sig *sig;
    uint64_t address; /* 0: unknown */
    uint64_t number;
};

struct ctf_call_stack {
    struct open_call *calls;
    uint32_t depth;
    uint32_t room;
};

void ctf_calls_init(struct ctf_calls *c)
{
    memset(c, 0, sizeof *c);
    arena_init(&c->arena);
}

void ctf_calls_fini(struct ctf_calls *c)
{
    for (size_t i = 0; i < c->threads.cap; ++i)
        if (c->threads.slots[i].state == INT_MAP_USED)
            free(((struct ctf_call_stack *)(uintptr_t)c->threads.slots[i].value)->calls);
    int_map_fini(&c->functions);
    int_map_fini(&c->threads);
    mapped_files_fini(&c->modules);
    ctf_functions_fini(&c->named);
    arena_fini(&c->arena);
}

/* --- classes --------------------------------------------------------------------------------------- */

static uint16_t find_argument(const struct ctf_event_layout *l, const char *name)
{
    for (uint32_t i = 0; i < l->sig.arg_count && i < CTF_NO_PLACE; ++i)
        if (strcmp(l->sig.arg_names[i], name) == 0)
            return (uint16_t)i;
    return CTF_NO_PLACE;
}

void ctf_calls_classify(struct ctf_event_layout *l)
{
    static const struct {
        const char *name;
        enum ctf_meaning meaning;
    } meanings[] = {{"lttng_ust_cyg_profile:func_entry", CTF_MEANS_ENTER},
                    {"lttng_ust_cyg_profile_fast:func_entry", CTF_MEANS_ENTER},
                    {"lttng_ust_cyg_profile:func_exit", CTF_MEANS_EXIT},
                    {"lttng_ust_cyg_profile_fast:func_exit", CTF_MEANS_EXIT},
                    {"lttng_ust_statedump:bin_info", CTF_MEANS_MODULE}};
    l->meaning = CTF_MEANS_NOTHING;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; ++i)
        if (strcmp(l->class->name, meanings[i].name) == 0)
            l->meaning = meanings[i].meaning;
    l->address = find_argument(l, l->meaning == CTF_MEANS_MODULE ? "baddr" : "addr");
    l->size = find_argument(l, "memsz");
    l->path = find_argument(l, "path");
    l->function = find_argument(l, "function");
    l->args = find_argument(l, "args");
    l->ret = find_argument(l, "ret");
    l->flags = find_argument(l, "flags");
    l->is_tail = find_argument(l, "is_tail");
    l->frames = find_argument(l, "frames");
    if (l->frames == CTF_NO_PLACE)
        l->frames = find_argument(l, "callstack_user");
    bool is_complete = l->meaning == CTF_MEANS_MODULE ? l->size != CTF_NO_PLACE && l->path != CTF_NO_PLACE
                                                      : l->meaning == CTF_MEANS_EXIT;
    if (l->address == CTF_NO_PLACE && l->meaning != CTF_MEANS_EXIT)
        l->meaning = CTF_MEANS_NOTHING;
    else if (l->meaning == CTF_MEANS_MODULE && !is_complete)
        l->meaning = CTF_MEANS_NOTHING;
}

/* --- functions ------------------------------------------------------------------------------------- */

static int add_module(struct ctf_calls *c, const struct ctf_event_layout *l, const struct trace_value *args)
{
    uint64_t from = trace_value_to_uint(&args[l->address], 0), size = trace_value_to_uint(&args[l->size], 0);
    const struct trace_value *path = &args[l->path];
    if (path->type != TRACE_STRING || from > UINT64_MAX - size)
        return 0;
    const struct trace_mapping mapping = {from, from + size, TRACE_NO_OFFSET, path->u.string};
    return mapped_files_add(&c->modules, &mapping);
}

/* A function is called by its address in its file, as far as that is known when it is first seen. */
static const struct trace_function_sig *add_function(struct ctf_calls *c, uint64_t address)
{
    const struct trace_mapping *m = mapped_files_find(&c->modules, address);
    char name[256];
    int length;
    if (m != NULL) {
        const char *slash = strrchr(m->path, '/');
        length = snprintf(name, sizeof name, "%.200s+0x%" PRIx64, slash != NULL ? slash + 1 : m->path,
                          address - m->from);
    } else {
        length = snprintf(name, sizeof name, "0x%" PRIx64, address);
    }
    struct trace_function_sig *sig = arena_alloc(&c->arena, sizeof *sig);
    char *copy = arena_copy(&c->arena, name, (size_t)length + 1);
    if (sig == NULL || copy == NULL || int_map_set(&c->functions, address, (uintptr_t)sig) != 0)
        return NULL;
    *sig = (struct trace_function_sig){.name = copy};
    return sig;
}

static const struct trace_function_sig *find_function(struct ctf_calls *c, uint64_t address)
{
    uint64_t sig;
    if (int_map_get(&c->functions, address, &sig))
        return (const struct trace_function_sig *)(uintptr_t)sig;
    return add_function(c, address);
}

/* --- stacks ---------------------------------------------------------------------------------------- */

static struct ctf_call_stack *find_stack(struct ctf_calls *c, const struct trace_origin *origin)
{
    uint64_t key = (uint64_t)origin->process << 32 | (uint32_t)origin->thread, value;
    if (c->last_origin == origin)
        return c->last_stack;
    struct ctf_call_stack *stack;
    if (int_map_get(&c->threads, key, &value)) {
        stack = (struct ctf_call_stack *)(uintptr_t)value;
    } else {
        stack = arena_alloc(&c->arena, sizeof *stack);
        if (stack == NULL || int_map_set(&c->threads, key, (uintptr_t)stack) != 0)
            return NULL;
        *stack = (struct ctf_call_stack){.depth = 0};
    }
    c->last_origin = origin;
    c->last_stack = stack;
    return stack;
}

static int push(struct ctf_call_stack *s, struct open_call call)
{
    if (s->depth == DEPTH_MAX) {
        s->depth = DEPTH_MAX / 2;
        memmove(s->calls, s->calls + DEPTH_MAX / 2, s->depth * sizeof *s->calls);
    }
    if (s->depth == s->room) {
        uint32_t room = s->room == 0 ? 64 : 2 * s->room;
        struct open_call *calls = realloc(s->calls, room * sizeof *calls);
        if (calls == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        s->calls = calls;
        s->room = room;
    }
    s->calls[s->depth++] = call;
    return 0;
}

/* Finds the innermost call of the function, and forgets it and those that it has made; without an address,
 * the innermost call of all. */
static bool pop(struct ctf_call_stack *s, uint64_t address, bool has_address, struct open_call *out)
{
    uint32_t i = s->depth;
    while (i > 0 && has_address && s->calls[i - 1].address != address)
        --i;
    if (i == 0)
        return false;
    *out = s->calls[i - 1];
    s->depth = i - 1;
    return true;
}

/* --- events ---------------------------------------------------------------------------------------- */

/* Finds the call that the event begins or ends. Without a signature in *out, nothing is known of it. */
static int find_call(struct ctf_calls *c, const struct ctf_event_layout *l, const struct trace_event *event,
                     const struct trace_call *call, struct open_call *out)
{
    bool has_address = l->address != CTF_NO_PLACE;
    uint64_t address = has_address ? trace_value_to_uint(&call->args[l->address], 0) : 0;
    struct ctf_call_stack *stack = find_stack(c, event->origin);
    *out = (struct open_call){.address = address, .number = event->number};
    if (stack == NULL)
        return TRACE_ERR_MEMORY;
    if (l->meaning == CTF_MEANS_EXIT && pop(stack, address, has_address, out))
        return 0;
    int rc = ctf_functions_find(&c->named, l, call->args, &out->sig);
    if (rc != 0 || (has_address && out->sig == NULL && (out->sig = find_function(c, address)) == NULL))
        return TRACE_ERR_MEMORY;
    return l->meaning == CTF_MEANS_ENTER ? push(stack, *out) : 0;
}

static int make_end(struct ctf_calls *c, const struct ctf_event_layout *l, struct arena *arena,
                    struct trace_event *event, struct trace_call *call)
{
    struct open_call found;
    int rc = find_call(c, l, event, call, &found);
    if (rc != 0 || found.sig == NULL)
        return rc;
    event->kind = l->meaning == CTF_MEANS_ENTER ? TRACE_EVENT_ENTER
                  : l->is_tail != CTF_NO_PLACE  ? TRACE_EVENT_TAIL_EXIT
                                                : TRACE_EVENT_EXIT;
    event->number = call->number = found.number;
    call->sig = found.sig;
    return ctf_arguments_take(&c->named, l, arena, call);
}

int ctf_calls_understand(struct ctf_calls *c, const struct ctf_event_layout *l, struct arena *arena,
                         struct trace_event *event, struct trace_call *call)
{
    if (l->meaning == CTF_MEANS_MODULE)
        return add_module(c, l, call->args);
    return l->meaning == CTF_MEANS_NOTHING ? 0 : make_end(c, l, arena, event, call);
}
