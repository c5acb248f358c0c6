/* SPDX-License-Identifier: MIT */
#include "profile/stack_json.h"

#include "base/error.h"
#include "base/json_writer.h"

#include <string.h>

#define FLUSH_BYTES ((size_t)1 << 16)

struct json_output {
    const struct stack_json *s;
    struct buf text;
    struct json_writer w;
    bool has_stacks;
};

static void put_time(struct json_output *o, const char *key, uint64_t time)
{
    json_key(&o->w, key);
    if (o->s->per_second > 0)
        json_double(&o->w, (double)time / o->s->per_second);
    else
        json_uint(&o->w, time);
}

static void put_number(struct json_writer *w, const char *key, int64_t number)
{
    json_key(w, key);
    if (number >= 0)
        json_sint(w, number);
    else
        json_null(w);
}

/* top: of a thread, or of all. */
static void put_stack(struct json_output *o, uint32_t id, uint32_t top, const struct thread_stack *thread)
{
    const struct call_tree *t = o->s->tree;
    const struct call_node *node = &t->nodes[id];
    json_splice(&o->w, ",\n" + !o->has_stacks, 1 + o->has_stacks, false);
    o->has_stacks = true;
    json_begin(&o->w, '{');
    put_number(&o->w, "Id", id);
    put_number(&o->w, "Parent", node->parent != top ? (int64_t)node->parent : -1);
    if (thread != NULL) {
        put_number(&o->w, "Process", thread->process);
        put_number(&o->w, "Thread", thread->thread);
    }
    json_key(&o->w, "Function");
    const char *name = o->s->names->names[node->function];
    json_repaired_text(&o->w, name, strlen(name));
    if (t->stacks.functions.functions[node->function].is_group) {
        json_key(&o->w, "Group");
        json_bool(&o->w, true);
    }
    json_key(&o->w, "Count");
    json_uint(&o->w, call_node_count(node));
    put_time(o, "Self", node->self_time);
    put_time(o, "Total", call_node_time(node));
    json_end(&o->w, '}');
}

static int put_top(struct json_output *o, uint32_t top, const struct thread_stack *thread)
{
    const struct call_tree *t = o->s->tree;
    for (uint32_t i = call_tree_next(t, top, top); i != CALL_TREE_NONE; i = call_tree_next(t, top, i)) {
        put_stack(o, i, top, thread);
        if (o->w.failed)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        int rc = o->text.len >= FLUSH_BYTES ? o->s->write(&o->text) : 0;
        if (rc != 0)
            return rc;
    }
    return 0;
}

int stack_json_write(const struct stack_json *s)
{
    struct json_output o = {.s = s, .text = BUF_INIT};
    int rc = 0;
    json_writer_init(&o.w, &o.text);
    json_begin(&o.w, '[');
    for (size_t i = 0; rc == 0 && i < s->tops->count; ++i)
        rc = put_top(&o, s->tops->nodes[i], s->tops->threads != NULL ? s->tops->threads[i] : NULL);
    json_splice(&o.w, "\n", 1, true);
    json_end(&o.w, ']');
    json_splice(&o.w, "\n", 1, true);
    if (rc == 0 && o.w.failed)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc == 0)
        rc = s->write(&o.text);
    buf_fini(&o.text);
    return rc;
}
