/* SPDX-License-Identifier: MIT */
#include "formats/perfetto/perfetto_names.h"

#include "formats/perfetto/perfetto_fields.h"

#include <string.h>

void perfetto_names_init(struct perfetto_names *n)
{
    memset(n, 0, sizeof *n);
    arena_init(&n->arena);
}

void perfetto_names_fini(struct perfetto_names *n)
{
    for (size_t i = 0; i < PERFETTO_KINDS; ++i)
        string_map_fini(&n->known[i]);
    int_map_fini(&n->functions);
    arena_fini(&n->arena);
    buf_fini(&n->fresh.out);
}

bool perfetto_names_find(struct perfetto_names *n, enum perfetto_kind kind, const char *key, uint64_t *iid)
{
    struct string_map *known = &n->known[kind];
    if (string_map_get(known, key, iid))
        return true;
    *iid = known->len + 1;
    if (string_map_set(known, key, *iid) != 0)
        n->fresh.failed = true;
    return false;
}

uint64_t perfetto_names_text(struct perfetto_names *n, enum perfetto_kind kind, const char *text)
{
    static const unsigned fields[] = {
        [PERFETTO_EVENT_NAME] = INTERNED_EVENT_NAMES,
        [PERFETTO_ANNOTATION_NAME] = INTERNED_ANNOTATION_NAMES,
        [PERFETTO_FUNCTION_NAME] = INTERNED_FUNCTION_NAMES,
        [PERFETTO_MAPPING_PATH] = INTERNED_MAPPING_PATHS,
        [PERFETTO_SOURCE_PATH] = INTERNED_SOURCE_PATHS,
    };
    uint64_t iid;
    if (perfetto_names_find(n, kind, text, &iid))
        return iid;
    size_t mark = proto_begin(&n->fresh, fields[kind]);
    proto_put_uint(&n->fresh, INTERNED_IID, iid);
    proto_put_text(&n->fresh, INTERNED_TEXT, text, strlen(text));
    proto_end(&n->fresh, mark);
    return iid;
}

const struct perfetto_function *perfetto_names_function(struct perfetto_names *n,
                                                        const struct trace_function_sig *sig)
{
    uint64_t key = (uint64_t)(uintptr_t)sig, address;
    if (int_map_get(&n->functions, key, &address))
        return (const struct perfetto_function *)(uintptr_t)address;
    struct perfetto_function *f = arena_alloc(&n->arena, sizeof *f + sig->arg_count * sizeof f->args[0]);
    if (f == NULL || int_map_set(&n->functions, key, (uint64_t)(uintptr_t)f) != 0)
        return NULL;
    f->name = perfetto_names_text(n, PERFETTO_EVENT_NAME, sig->name);
    for (uint32_t i = 0; i < sig->arg_count; ++i)
        f->args[i] = perfetto_names_text(n, PERFETTO_ANNOTATION_NAME, sig->arg_names[i]);
    return f;
}
