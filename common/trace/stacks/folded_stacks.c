/* SPDX-License-Identifier: MIT */
#include "trace/stacks/folded_stacks.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

#define FLUSH_BYTES ((size_t)1 << 16)

/* The names of a line so far, up to each depth. */
struct folded_line {
    struct buf text;
    size_t ends[CALL_TREE_DEPTH_MAX + 1]; /* bytes up to this depth */
};

static uint64_t value_of(const struct folded_stacks *f, const struct call_node *node)
{
    switch (f->value) {
    case FOLDED_SELF:
        return node->self_time;
    case FOLDED_TOTAL:
        return call_node_time(node);
    default:
        return call_node_count(node);
    }
}

/* Semicolons and line ends would end the name. */
static int append_name(struct buf *out, const char *name)
{
    int rc = 0;
    for (; rc == 0 && *name != '\0'; ++name) {
        bool is_control = (unsigned char)*name < ' ';
        rc = buf_append_byte(out, *name == ';' ? ':' : is_control ? ' ' : (uint8_t)*name);
    }
    return rc == 0 ? buf_append_byte(out, ';') : rc;
}

/* The line's text becomes the names down to this node. */
static int move_to(struct folded_line *line, const struct folded_stacks *f, const struct call_node *node)
{
    line->text.len = line->ends[node->depth - 1];
    int rc = append_name(&line->text, f->names[node->function]);
    line->ends[node->depth] = line->text.len;
    return rc;
}

static int append_line(struct folded_line *line, const struct folded_stacks *f, const struct call_node *node)
{
    uint64_t value = value_of(f, node);
    if (value == 0 && !f->like_llvm)
        return 0;
    int rc = buf_append(f->out, line->text.data, line->text.len - !f->like_llvm);
    if (rc == 0)
        rc = buf_printf(f->out, " %" PRIu64 "\n", value);
    return rc;
}

/* Outermost calls come in the order of occurrence; what each has called, from the last one to the first. */
static int append_below(struct folded_line *line, const struct folded_stacks *f, const struct call_tree *t,
                        uint32_t root)
{
    int rc = 0;
    for (uint32_t i = root; rc == 0 && i != CALL_TREE_NONE; i = call_tree_next(t, root, i)) {
        rc = move_to(line, f, &t->nodes[i]);
        if (rc == 0)
            rc = append_line(line, f, &t->nodes[i]);
        if (rc != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        if (f->out->len >= FLUSH_BYTES)
            rc = f->flush(f->context);
    }
    return rc;
}

int folded_stacks_append(const struct folded_stacks *f, const struct call_tree *t, uint32_t top,
                         const char *prefix)
{
    uint32_t *roots = NULL;
    size_t count = 0;
    struct folded_line *line = calloc(1, sizeof *line);
    int rc = line != NULL ? buf_append_string(&line->text, prefix) : -1;
    if (rc != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    else
        rc = call_tree_list_callees(t, top, &roots, &count);
    if (rc == 0)
        line->ends[0] = line->text.len;
    for (size_t i = 0; rc == 0 && i < count; ++i)
        rc = append_below(line, f, t, roots[i]);
    free(roots);
    if (line != NULL)
        buf_fini(&line->text);
    free(line);
    return rc;
}
