/* SPDX-License-Identifier: MIT
 * Display lists: what begins and ends them, and calls with ranges of names, or with arrays of names relative
 * to a base, which is saved with other attributes.
 */
#include "handlers/handlers.h"

#include <string.h>

#include "base/error.h"
#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "objects/list_primitives.h"
#include "objects/replay_drawable.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "objects/window_buffers.h"
#include "call/replay_values.h"
#include "runtime/length.h"
#include "spec_ids.h"

/* (list, mode) */
int handle_new_list(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    uint64_t list = replay_arg_uint(c, 0, 0);
    if (rc == 0 && list != 0)
        list_primitives_open(r, list, (GLenum)replay_arg_uint(c, 1, 0));
    return rc;
}

int handle_end_list(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0)
        rc = list_primitives_close(r);
    window_buffers_follow(r);
    replay_grow_after_list(r);
    return rc;
}

int handle_call_list(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0)
        list_primitives_call(r, replay_arg_uint(c, 0, 0));
    window_buffers_follow(r);
    return rc;
}

int handle_list_base(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0 && !r->current->inside_begin) /* where it fails */
        r->current->list_bases.now =
            (struct list_base){(uint32_t)replay_arg_uint(c, 0, 0), (uint32_t)c->args[0].u};
    return rc;
}

static bool has_room_for_attributes(struct replayer *r)
{
    enum { LEAST = 16 /* that every driver has */ };
    unsigned depth = r->current->list_bases.depth;
    return depth < LEAST || depth < (unsigned)replay_get_integer(r, GL_MAX_ATTRIB_STACK_DEPTH, LEAST);
}

int handle_push_attrib(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0 && !r->current->inside_begin && has_room_for_attributes(r))
        list_bases_push(&r->current->list_bases, (c->args[0].u & GL_LIST_BIT) != 0);
    return rc;
}

int handle_pop_attrib(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0 && !r->current->inside_begin)
        list_bases_pop(&r->current->list_bases);
    window_buffers_follow(r);
    return rc;
}

static uint32_t real_list(struct replayer *r, uint32_t traced)
{
    return (uint32_t)replay_map_name(r, SPEC_OBJECT_display_list, traced, 0);
}

/* Gets element i of the names passed to glCallLists. Returns false for an unknown type. */
static bool list_offset(GLenum type, const uint8_t *names, uint64_t i, uint32_t *out)
{
    union spec_arg value = {0};
    switch (type) {
    case GL_BYTE:
        spec_load(SPEC_I8, names, i, &value);
        break;
    case GL_UNSIGNED_BYTE:
        spec_load(SPEC_U8, names, i, &value);
        break;
    case GL_SHORT:
        spec_load(SPEC_I16, names, i, &value);
        break;
    case GL_UNSIGNED_SHORT:
        spec_load(SPEC_U16, names, i, &value);
        break;
    case GL_INT:
    case GL_UNSIGNED_INT:
        spec_load(SPEC_U32, names, i, &value);
        break;
    case GL_FLOAT:
        spec_load(SPEC_F32, names, i, &value);
        value.i = value.f32 > -2e9f && value.f32 < 2e9f ? (int64_t)value.f32 : 0;
        break;
    case GL_2_BYTES:
        value.u = (uint64_t)names[2 * i] << 8 | names[2 * i + 1];
        break;
    case GL_3_BYTES:
        value.u = (uint64_t)names[3 * i] << 16 | (uint64_t)names[3 * i + 1] << 8 | names[3 * i + 2];
        break;
    case GL_4_BYTES:
        value.u = (uint64_t)names[4 * i] << 24 | (uint64_t)names[4 * i + 1] << 16 |
                  (uint64_t)names[4 * i + 2] << 8 | names[4 * i + 3];
        break;
    default:
        return false;
    }
    *out = (uint32_t)value.u;
    return true;
}

/* glCallLists(n, type, lists). The sum of base and offset is a traced name, so if names differ in the replay,
 * each must be mapped separately. The driver adds its own base to what it gets. */
static int call_lists(struct replayer *r, struct replay_call *c, int64_t count, GLenum type,
                      const uint8_t *offsets)
{
    struct list_base base = r->current->list_bases.now;
    uint32_t *names = arena_alloc(&r->scratch, (size_t)count * sizeof *names);
    bool same = true;
    if (names == NULL)
        return TRACE_ERR_MEMORY;
    for (int64_t i = 0; i < count; ++i) {
        uint32_t offset;
        if (!list_offset(type, offsets, (uint64_t)i, &offset))
            return replay_invoke(r, c); /* the driver will report the error */
        names[i] = real_list(r, base.traced + offset) - base.real;
        same &= names[i] == offset;
    }
    if (!same) {
        c->args[1].u = GL_UNSIGNED_INT;
        c->args[2].p = names;
    }
    return replay_invoke(r, c);
}

int handle_call_lists(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    int64_t count = c->args[0].i;
    GLenum type = (GLenum)c->args[1].u;
    const uint8_t *offsets = c->args[2].p;
    uint32_t offset, base = r->current->list_bases.now.traced;
    if (count <= 0 || offsets == NULL)
        return replay_invoke(r, c);
    rc = call_lists(r, c, count, type, offsets);
    for (int64_t i = 0; i < count && rc == 0 && list_offset(type, offsets, (uint64_t)i, &offset); ++i)
        list_primitives_call(r, base + offset);
    window_buffers_follow(r);
    return rc;
}

/* Deletes each range that the names in `real` have. */
static int delete_ranges(struct replayer *r, struct replay_call *c, const uint32_t *real, uint32_t count)
{
    int rc = 0;
    for (uint32_t first = 0, end; first < count && rc == 0; first = end) {
        for (end = first + 1; end < count && real[end] == real[end - 1] + 1;)
            ++end;
        c->args[0].u = real[first];
        c->args[1].i = end - first;
        rc = replay_invoke(r, c);
    }
    return rc;
}

/* (list, range). A range of the trace need not be one here. */
int handle_delete_lists(struct replayer *r, struct replay_call *c)
{
    enum { MAX_COUNT = 1 << 20 };
    int rc = replay_decode_args(r, c);
    uint32_t first = (uint32_t)replay_arg_uint(c, 0, 0);
    if (rc != 0 || c->args[1].i <= 0 || c->args[1].i > MAX_COUNT)
        return rc != 0 ? rc : replay_invoke(r, c);
    uint32_t count = (uint32_t)c->args[1].i;
    uint32_t *real = arena_alloc(&r->scratch, count * sizeof *real);
    if (real == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; i < count; ++i)
        real[i] = real_list(r, first + i);
    return delete_ranges(r, c, real, count);
}
