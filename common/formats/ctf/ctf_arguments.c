/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_arguments.h"

#include "base/error.h"

void ctf_functions_fini(struct ctf_functions *f)
{
    int_map_fini(&f->by_key);
    ctf_values_fini(&f->values);
    arena_fini(&f->arena);
}

/* The length of a sequence stands before it. */
static bool is_length(const struct trace_struct_sig *sig, uint64_t i)
{
    const char *name = sig->members[i];
    if (name[0] != '_' || i + 1 >= sig->count)
        return false;
    size_t length = strlen(sig->members[i + 1]);
    return strncmp(name + 1, sig->members[i + 1], length) == 0 && strcmp(name + 1 + length, "_length") == 0;
}

/* --- signatures ------------------------------------------------------------------------------------ */

const char *ctf_label_of(const struct trace_value *value)
{
    const struct trace_range_sig *sig = value->type == TRACE_RANGED ? value->sig.ranges : NULL;
    for (uint32_t i = 0; sig != NULL && i < sig->count; ++i)
        if (sig->labels[i].from == value->u.uint)
            return sig->labels[i].name;
    return NULL;
}

static int make_signature(struct ctf_functions *f, const char *name, const struct trace_struct_sig *args,
                          struct trace_function_sig **out)
{
    struct trace_function_sig *sig = arena_alloc(&f->arena, sizeof *sig);
    const char **names = arena_alloc(&f->arena, (args != NULL ? args->count : 0) * sizeof *names);
    uint32_t count = 0;
    if (sig == NULL || names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; args != NULL && i < args->count; ++i)
        if (!is_length(args, i))
            names[count++] = args->members[i];
    *sig = (struct trace_function_sig){.name = name, .arg_count = count, .arg_names = names};
    *out = sig;
    return 0;
}

int ctf_functions_find(struct ctf_functions *f, const struct ctf_event_layout *l,
                       const struct trace_value *fields, const struct trace_function_sig **out)
{
    struct trace_function_sig *sig;
    uint64_t found;
    *out = NULL;
    if (l->function == CTF_NO_PLACE || fields[l->function].type != TRACE_RANGED)
        return 0;
    const struct trace_value *args = l->args != CTF_NO_PLACE ? &fields[l->args] : NULL;
    const struct trace_struct_sig *members =
        args != NULL && args->type == TRACE_STRUCT ? args->sig.structure : NULL;
    uint64_t key = (uint64_t)l->number << 32 | (uint32_t)fields[l->function].u.uint;
    if (int_map_get(&f->by_key, key, &found)) {
        *out = (const struct trace_function_sig *)(uintptr_t)found;
        return 0;
    }
    const char *name = ctf_label_of(&fields[l->function]);
    if (name == NULL || name[0] == '\0')
        return 0;
    int rc = make_signature(f, name, members, &sig);
    if (rc != 0)
        return rc;
    uint64_t number = l->address != CTF_NO_PLACE ? trace_value_to_uint(&fields[l->address], 0) : 0;
    sig->number = number <= UINT32_MAX ? (uint32_t)number : 0; /* an address above is none */
    *out = sig;
    return int_map_set(&f->by_key, key, (uintptr_t)sig);
}

/* --- values ---------------------------------------------------------------------------------------- */

static const struct ctf_class *type_of(const struct ctf_class *structure, const char *name)
{
    const struct ctf_member *m =
        structure != NULL && structure->kind == CTF_STRUCT ? ctf_struct_find_member(structure, name) : NULL;
    return m != NULL ? m->type : NULL;
}

static int take_arguments(struct ctf_functions *f, const struct ctf_event_layout *l, struct arena *arena,
                          const struct trace_value *in, struct trace_call *call)
{
    const struct trace_struct_sig *sig = in->sig.structure;
    const struct ctf_class *types = type_of(l->class->payload, "args");
    uint32_t room = call->sig->arg_count > sig->count ? call->sig->arg_count : sig->count, count = 0;
    struct trace_value *args = arena_alloc(arena, (room + 1) * sizeof *args);
    int rc = args != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && i < sig->count; ++i)
        if (!is_length(sig, i))
            rc = ctf_value_take(&f->values, type_of(types, sig->members[i]), arena, &in->u.items[i],
                                &args[count++]);
    if (rc != 0)
        return rc;
    while (count < call->sig->arg_count)
        args[count++] = (struct trace_value){.type = TRACE_NONE};
    call->args = args;
    call->arg_count = count;
    return 0;
}

int ctf_arguments_take(struct ctf_functions *f, const struct ctf_event_layout *l, struct arena *arena,
                       struct trace_call *call)
{
    static const struct trace_struct_sig no_members = {.name = ""};
    static const struct trace_value no_fields = {.type = TRACE_STRUCT, .sig.structure = &no_members};
    const struct trace_value *fields = call->args;
    const struct trace_value *in =
        l->args != CTF_NO_PLACE && fields[l->args].type == TRACE_STRUCT ? &fields[l->args] : &no_fields;
    call->arg_count = 0;
    call->args = NULL;
    if (l->function == CTF_NO_PLACE)
        return 0;
    if (l->flags != CTF_NO_PLACE)
        call->flags = (uint32_t)trace_value_to_uint(&fields[l->flags], 0);
    int rc = take_arguments(f, l, arena, in, call);
    if (rc == 0 && l->ret != CTF_NO_PLACE)
        rc =
            ctf_value_take(&f->values, type_of(l->class->payload, "ret"), arena, &fields[l->ret], &call->ret);
    if (rc == 0 && l->frames != CTF_NO_PLACE)
        rc = ctf_frames_take(arena, &fields[l->frames], call);
    return rc;
}
