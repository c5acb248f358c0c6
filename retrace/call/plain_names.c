/* SPDX-License-Identifier: MIT */
#include "call/plain_names.h"

#include <string.h>

#include "call/replay_values.h"
#include "objects/replay_names.h"
#include "spec_ids.h"

/* Subroutines have their stage in another argument. */
static bool is_simple(unsigned object)
{
    return object != SPEC_OBJECT_subroutine && object != SPEC_OBJECT_subroutine_uniform;
}

bool plain_names_find(struct replay_function *fn)
{
    fn->plain_name_count = 0;
    for (unsigned i = 0; i < fn->spec->param_count; ++i) {
        unsigned object = spec_param(fn->spec, i)->object;
        if (object == 0)
            continue;
        if (!is_simple(object) || fn->plain_name_count == PLAIN_NAMES)
            return false;
        fn->plain_names[fn->plain_name_count++] = (uint8_t)i;
    }
    return true;
}

/* Reads an integer as the program gave it. */
static uint64_t load(const struct replay_function *fn, unsigned i, const void *args)
{
    const struct trace_plain_param *plain = &fn->plain.params[i];
    const char *at = (const char *)args + plain->offset;
    uint64_t value = 0;
    uint32_t narrow;
    if (plain->kind == TRACE_PLAIN_64) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&narrow, at, sizeof narrow);
    return replay_fit_integer(spec_param(fn->spec, i)->type, narrow);
}

static void store(const struct replay_function *fn, unsigned i, void *args, uint64_t value)
{
    const struct trace_plain_param *plain = &fn->plain.params[i];
    char *at = (char *)args + plain->offset;
    uint32_t narrow = (uint32_t)replay_fit_integer(spec_param(fn->spec, i)->type, value);
    if (plain->kind == TRACE_PLAIN_64)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

/* Returns the traced name of the program that the name belongs to, if it belongs to one. */
static uint64_t program_of(struct replayer *r, const struct replay_function *fn, const struct spec_param *p,
                           const void *args)
{
    if (spec_object_kinds[p->object].scope != SPEC_SCOPE_PROGRAM)
        return 0;
    uint64_t program = p->key != SPEC_NO_INDEX ? load(fn, p->key, args) : replay_current_program(r);
    return replay_program_stage(program, 0);
}

const void *plain_names_map(struct replayer *r, const struct replay_function *fn, const void *args,
                            struct plain_args *memory)
{
    if (fn->plain_name_count == 0)
        return args;
    memcpy(memory->bytes, args, fn->plain.size);
    for (unsigned n = 0; n < fn->plain_name_count; ++n) {
        unsigned i = fn->plain_names[n];
        const struct spec_param *p = spec_param(fn->spec, i);
        uint64_t traced = load(fn, i, args), program = program_of(r, fn, p, args);
        store(fn, i, memory->bytes,
              (p->flags & SPEC_PARAM_BIND) != 0 ? replay_bind_name(r, p->object, traced, program)
                                                : replay_map_name(r, p->object, traced, program));
    }
    return memory->bytes;
}
