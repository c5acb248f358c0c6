/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_facts.h"

#include "base/error.h"
#include "formats/ctf/ctf.h"

#include <stdlib.h>
#include <string.h>

void ctf_facts_fini(struct ctf_facts *f)
{
    string_map_fini(&f->types);
    string_map_fini(&f->sigs);
    string_map_fini(&f->strings);
    arena_fini(&f->arena);
}

/* --- classes --------------------------------------------------------------------------------------- */

/* Version 1.1 has no place to say so. */
static bool is_own(const struct ctf_trace *t)
{
    const struct ctf_variable *writer = ctf_trace_find_variable(t, CTF_WRITER);
    return t->dialect == CTF_RFC ||
           (writer != NULL && writer->text != NULL && strcmp(writer->text, CTF_WRITER_NAME) == 0);
}

void ctf_facts_classify(struct ctf_event_layout *l)
{
    static const struct {
        const char *name;
        enum trace_event_kind kind;
    } kinds[] = {{"resource:alloc", TRACE_EVENT_ALLOC},
                 {"resource:free", TRACE_EVENT_FREE},
                 {"resource:type", TRACE_EVENT_RESOURCE_TYPE},
                 {"trace:context", TRACE_EVENT_CONTEXT},
                 {"trace:tracer", TRACE_EVENT_TRACER},
                 {"lttng_ust_statedump:bin_info", TRACE_EVENT_MAPPING},
                 {"trace:heap", TRACE_EVENT_HEAP},
                 {"trace:attachment", TRACE_EVENT_ATTACHMENT},
                 {"trace:clock", TRACE_EVENT_CLOCK},
                 {"trace:sum", TRACE_EVENT_SUM},
                 {"trace:mark", TRACE_EVENT_MARK},
                 {"trace:comment", TRACE_EVENT_COMMENT}};
    bool own = is_own(l->trace);
    l->fact = TRACE_EVENT_END;
    if (!own)
        l->contexts.index = CTF_NO_PLACE;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strcmp(l->class->name, kinds[i].name) == 0 && own)
            l->fact = kinds[i].kind;
}

bool ctf_facts_count_events(const struct ctf_trace *trace, const struct ctf_stream_layout *stream)
{
    const char *name = stream->clock != NULL ? stream->clock->name : NULL;
    return name != NULL && strcmp(name, CTF_EVENT_COUNT) == 0 && is_own(trace);
}

/* --- fields ---------------------------------------------------------------------------------------- */

struct fields {
    const struct ctf_event_layout *layout;
    const struct trace_value *values;
};

/* Returns NULL if there is no such field. */
static const struct trace_value *find(const struct fields *f, const char *name)
{
    for (uint32_t i = 0; i < f->layout->sig.arg_count; ++i)
        if (strcmp(f->layout->sig.arg_names[i], name) == 0)
            return &f->values[i];
    return NULL;
}

static uint64_t number(const struct fields *f, const char *name)
{
    const struct trace_value *v = find(f, name);
    return v != NULL ? trace_value_to_uint(v, 0) : 0;
}

/* Returns NULL if there is no such text. It lives as long as the event. */
static const char *text(const struct fields *f, const char *name)
{
    const struct trace_value *v = find(f, name);
    return v != NULL && v->type == TRACE_STRING ? v->u.string : NULL;
}

/* The same for as long as the source lives. Returns an error. */
static int keep_text(struct ctf_facts *f, const char *string, const char **out)
{
    uint64_t found;
    *out = NULL;
    if (string == NULL)
        return 0;
    if (string_map_get(&f->strings, string, &found)) {
        *out = (const char *)(uintptr_t)found;
        return 0;
    }
    *out = arena_copy(&f->arena, string, strlen(string) + 1);
    return *out != NULL ? string_map_set(&f->strings, *out, (uintptr_t)*out) : TRACE_ERR_MEMORY;
}

/* --- resources ------------------------------------------------------------------------------------- */

/* A type without a name is called by its number. */
static int find_type(struct ctf_facts *f, const char *label, struct trace_resource_type **out)
{
    uint64_t found;
    char *end;
    if (string_map_get(&f->types, label, &found)) {
        *out = (struct trace_resource_type *)(uintptr_t)found;
        return 0;
    }
    struct trace_resource_type *type = *out = arena_alloc(&f->arena, sizeof *type);
    const char *name;
    if (type == NULL || keep_text(f, label, &name) != 0)
        return TRACE_ERR_MEMORY;
    unsigned long id = strtoul(label, &end, 10);
    bool is_number = end != label && *end == '\0';
    *type = (struct trace_resource_type){.id = is_number ? (uint32_t)id : 0, .name = is_number ? NULL : name};
    return string_map_set(&f->types, name, (uintptr_t)type);
}

static int take_resource(struct ctf_facts *f, struct ctf_functions *functions, const struct fields *fields,
                         struct arena *arena, struct trace_event *event, struct trace_call *call)
{
    const struct trace_value *v = find(fields, "type");
    const char *label = v != NULL ? ctf_label_of(v) : NULL;
    const struct trace_function_sig *sig;
    struct trace_resource_type *type;
    int rc = ctf_functions_find(functions, fields->layout, fields->values, &sig);
    if (rc != 0 || sig == NULL || label == NULL)
        return rc;
    rc = find_type(f, label, &type);
    if (rc != 0)
        return rc;
    event->kind = fields->layout->fact;
    event->u.resource = (struct trace_resource){type, number(fields, "id"), number(fields, "size")};
    call->sig = sig;
    return ctf_arguments_take(functions, fields->layout, arena, call);
}

static int take_type(struct ctf_facts *f, const struct fields *fields, struct trace_event *event)
{
    const char *name = text(fields, "name");
    struct trace_resource_type *type;
    int rc = name != NULL ? find_type(f, name, &type) : 0;
    if (rc != 0 || name == NULL)
        return rc;
    type->id = (uint32_t)number(fields, "id");
    type->refcounted = number(fields, "refcounted") != 0;
    rc = keep_text(f, text(fields, "description"), &type->description);
    event->kind = TRACE_EVENT_RESOURCE_TYPE;
    event->u.resource_type = type;
    return rc == 0 ? keep_text(f, text(fields, "flags"), &type->flags) : rc;
}

/* --- facts ----------------------------------------------------------------------------------------- */

static int take_mapping(const struct fields *f, struct trace_event *event)
{
    uint64_t from = number(f, "baddr"), size = number(f, "memsz");
    const char *path = text(f, "path");
    if (path == NULL || from > UINT64_MAX - size)
        return 0;
    event->kind = TRACE_EVENT_MAPPING;
    event->u.mapping = (struct trace_mapping){
        from, from + size, find(f, "offset") != NULL ? number(f, "offset") : TRACE_NO_OFFSET, path};
    return 0;
}

static int take_heap(const struct fields *f, struct arena *arena, struct trace_event *event)
{
    struct trace_heap *heap = arena_alloc(arena, sizeof *heap);
    if (heap == NULL)
        return TRACE_ERR_MEMORY;
    *heap = (struct trace_heap){.bottom = number(f, "bottom"),
                                .top = number(f, "top"),
                                .lowest_block = number(f, "lowest_block"),
                                .highest_block = number(f, "highest_block"),
                                .arena = number(f, "arena"),
                                .ordblks = number(f, "ordblks"),
                                .smblks = number(f, "smblks"),
                                .hblks = number(f, "hblks"),
                                .hblkhd = number(f, "hblkhd"),
                                .usmblks = number(f, "usmblks"),
                                .fsmblks = number(f, "fsmblks"),
                                .uordblks = number(f, "uordblks"),
                                .fordblks = number(f, "fordblks"),
                                .keepcost = number(f, "keepcost")};
    event->kind = TRACE_EVENT_HEAP;
    event->u.heap = heap;
    return 0;
}

static int find_sig(struct ctf_facts *f, const char *name, const struct trace_function_sig **out)
{
    uint64_t found;
    if (string_map_get(&f->sigs, name, &found)) {
        *out = (const struct trace_function_sig *)(uintptr_t)found;
        return 0;
    }
    struct trace_function_sig *sig = arena_alloc(&f->arena, sizeof *sig);
    const char *copy;
    if (sig == NULL || keep_text(f, name, &copy) != 0)
        return TRACE_ERR_MEMORY;
    *sig = (struct trace_function_sig){.name = copy};
    *out = sig;
    return string_map_set(&f->sigs, copy, (uintptr_t)sig);
}

static int take_sum(struct ctf_facts *f, const struct fields *fields, struct arena *arena,
                    struct trace_event *event)
{
    const struct trace_value *names = find(fields, "path");
    uint64_t depth = names != NULL && names->type == TRACE_ARRAY ? names->count : 0;
    const struct trace_function_sig **path = arena_alloc(arena, (depth + 1) * sizeof(*path));
    int rc = path != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint64_t i = 0; rc == 0 && i < depth; ++i) {
        struct trace_value name;
        trace_array_get(names, i, &name);
        if (name.type != TRACE_STRING)
            return 0;
        rc = find_sig(f, name.u.string, &path[i]);
    }
    if (rc != 0 || depth == 0 || depth > UINT32_MAX)
        return rc;
    event->kind = TRACE_EVENT_SUM;
    event->u.sum =
        (struct trace_sum){path, (uint32_t)depth, number(fields, "count"), number(fields, "ticks")};
    return 0;
}

static int take_clock(struct ctf_facts *f, const struct fields *fields, struct trace_event *event)
{
    const struct trace_value *time = find(fields, "time");
    event->kind = TRACE_EVENT_CLOCK;
    event->u.clock_reading.time = time != NULL ? trace_value_to_sint(time, 0) : 0;
    return keep_text(f, text(fields, "name"), &event->u.clock_reading.name);
}

/* A text that others print must be there. */
static void take_texts(const struct fields *f, struct trace_event *event)
{
    const char *string = text(f, "text"), *name = text(f, "name"), *path = text(f, "path");
    uint32_t id = (uint32_t)number(f, "id");
    bool has_all = name != NULL;
    switch (f->layout->fact) {
    case TRACE_EVENT_CONTEXT:
        event->u.context = (struct trace_context){id, name};
        break;
    case TRACE_EVENT_TRACER:
        event->u.tracer =
            (struct trace_tracer){id, (uint32_t)number(f, "major"), (uint32_t)number(f, "minor"), name};
        break;
    case TRACE_EVENT_ATTACHMENT:
        has_all = has_all && path != NULL;
        event->u.attachment = (struct trace_attachment){name, path};
        break;
    default: /* TRACE_EVENT_MARK, TRACE_EVENT_COMMENT */
        has_all = string != NULL;
        event->u.text = string;
    }
    if (has_all)
        event->kind = f->layout->fact;
}

static int take_fact(struct ctf_facts *f, const struct fields *fields, struct arena *arena,
                     struct trace_event *event)
{
    switch (fields->layout->fact) {
    case TRACE_EVENT_RESOURCE_TYPE:
        return take_type(f, fields, event);
    case TRACE_EVENT_MAPPING:
        return take_mapping(fields, event);
    case TRACE_EVENT_HEAP:
        return take_heap(fields, arena, event);
    case TRACE_EVENT_CLOCK:
        return take_clock(f, fields, event);
    case TRACE_EVENT_SUM:
        return take_sum(f, fields, arena, event);
    default:
        take_texts(fields, event);
        return 0;
    }
}

int ctf_facts_understand(struct ctf_facts *f, struct ctf_functions *functions,
                         const struct ctf_event_layout *l, struct arena *arena, struct trace_event *event,
                         struct trace_call *call)
{
    const struct fields fields = {l, call->args};
    if (l->fact == TRACE_EVENT_ALLOC || l->fact == TRACE_EVENT_FREE)
        return take_resource(f, functions, &fields, arena, event, call);
    int rc = take_fact(f, &fields, arena, event);
    if (rc == 0 && event->kind != TRACE_EVENT_INSTANT)
        event->call = NULL;
    return rc;
}
