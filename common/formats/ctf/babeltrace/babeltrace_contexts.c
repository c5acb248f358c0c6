/* SPDX-License-Identifier: MIT */
#include "formats/ctf/babeltrace/babeltrace_contexts.h"

#include "base/error.h"
#include "formats/ctf/babeltrace/babeltrace_values.h"

/* The types of members are those of the structure, but an optional one may be absent. */
static bool is_kept(const struct trace_value *v)
{
    if (v->type != TRACE_STRUCT || v->count == 0 || v->count > BABELTRACE_CONTEXT_MEMBERS)
        return false;
    for (uint64_t i = 0; i < v->count; ++i)
        if (v->u.items[i].type != TRACE_UINT && v->u.items[i].type != TRACE_SINT)
            return false;
    return true;
}

static struct babeltrace_context *find_place(struct babeltrace_contexts *c, const struct trace_value *v)
{
    uint64_t hash = (uintptr_t)v->sig.structure;
    for (uint64_t i = 0; i < v->count; ++i)
        hash = (hash ^ v->u.items[i].u.uint) * UINT64_C(0x9e3779b97f4a7c15);
    return &c->kept[hash >> 58];
}

static bool is_same(const struct babeltrace_context *kept, const struct trace_value *v)
{
    bool is_same = kept->sig == v->sig.structure;
    for (uint64_t i = 0; is_same && i < v->count; ++i)
        is_same = kept->numbers[i] == v->u.items[i].u.uint;
    return is_same;
}

static void keep(struct babeltrace_context *kept, const struct trace_value *v, const char *text,
                 size_t length)
{
    kept->sig = v->sig.structure;
    for (uint64_t i = 0; i < v->count; ++i)
        kept->numbers[i] = v->u.items[i].u.uint;
    kept->length = length;
    memcpy(kept->text, text, length);
}

/* Reserves room for the whole text, so that it stays in the buffer until it is kept. */
static int reserve_text(struct log_output *o, const struct trace_value *v)
{
    size_t bytes = BABELTRACE_MEMBER_BYTES;
    for (uint64_t i = 0; i < v->count; ++i)
        bytes += BABELTRACE_MEMBER_BYTES + strlen(v->sig.structure->members[i]);
    return log_output_reserve(o, bytes) != NULL ? 0 : TRACE_ERR_IO;
}

static int put_and_keep(struct babeltrace_context *kept, struct log_output *o, const struct trace_value *v,
                        bool with_names)
{
    int rc = reserve_text(o, v);
    size_t start = o->len;
    if (rc == 0)
        rc = babeltrace_put_value(o, v, with_names);
    if (rc == 0 && o->len - start <= sizeof kept->text)
        keep(kept, v, o->bytes + start, o->len - start);
    return rc;
}

int babeltrace_put_context(struct babeltrace_contexts *c, struct log_output *o, const struct trace_value *v,
                           bool with_names)
{
    if (!is_kept(v))
        return babeltrace_put_value(o, v, with_names);
    struct babeltrace_context *kept = find_place(c, v);
    if (!is_same(kept, v))
        return put_and_keep(kept, o, v, with_names);
    char *p = log_output_reserve(o, sizeof kept->text);
    if (p == NULL)
        return TRACE_ERR_IO;
    memcpy(p, kept->text, sizeof kept->text); /* of a constant size is faster */
    log_output_take(o, p + kept->length);
    return 0;
}
