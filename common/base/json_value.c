/* SPDX-License-Identifier: MIT */
#include "base/json_value.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

int json_children_add(struct json_children *c, const char *name, size_t name_size,
                      const struct json_value *value)
{
    if (ARRAY_RESERVE(c->values, c->count, c->value_room) != 0 ||
        (name != NULL && ARRAY_RESERVE(c->members, c->count, c->member_room) != 0))
        return TRACE_ERR_MEMORY;
    if (name != NULL)
        c->members[c->count] = (struct json_member){.name = name, .name_size = name_size};
    c->values[c->count++] = *value;
    return 0;
}

static int copy(const struct json_children *c, struct arena *arena, struct json_value *out)
{
    struct json_value *values = arena_copy(arena, c->values, c->count * sizeof *values);
    if (values == NULL)
        return TRACE_ERR_MEMORY;
    if (out->kind == JSON_ARRAY) {
        out->items = values;
        return 0;
    }
    out->members = arena_copy(arena, c->members, c->count * sizeof *c->members);
    for (size_t i = 0; out->members != NULL && i < c->count; ++i)
        out->members[i].value = &values[i];
    return out->members != NULL ? 0 : TRACE_ERR_MEMORY;
}

int json_children_finish(struct json_children *c, struct arena *arena, struct json_value *out,
                         enum json_kind kind, int rc)
{
    *out = (struct json_value){.kind = kind, .count = c->count};
    if (rc == 0)
        rc = copy(c, arena, out);
    free(c->values);
    free(c->members);
    return rc;
}
