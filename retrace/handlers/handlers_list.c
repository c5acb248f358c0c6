/* SPDX-License-Identifier: MIT
 * Display lists: what begins and ends them, and calls with arrays of names relative to a base.
 */
#include "handlers/handlers.h"

#include <string.h>

#include "base/error.h"
#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "objects/list_primitives.h"
#include "objects/replay_drawable.h"
#include "objects/replay_names.h"
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
    if (rc == 0)
        r->current->list_base = replay_arg_uint(c, 0, 0);
    return rc;
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
 * each must be mapped separately. */
static int call_lists(struct replayer *r, struct replay_call *c, int64_t count, GLenum type,
                      const uint8_t *offsets)
{
    int rc;
    uint32_t real_base = (uint32_t)replay_map_name(r, SPEC_OBJECT_display_list, r->current->list_base, 0);
    uint32_t *names = arena_alloc(&r->scratch, (size_t)count * sizeof *names);
    bool same = true;
    if (names == NULL)
        return TRACE_ERR_MEMORY;
    for (int64_t i = 0; i < count; ++i) {
        uint32_t offset;
        if (!list_offset(type, offsets, (uint64_t)i, &offset))
            return replay_invoke(r, c); /* the driver will report the error */
        uint32_t traced = (uint32_t)r->current->list_base + offset;
        names[i] = (uint32_t)replay_map_name(r, SPEC_OBJECT_display_list, traced, 0);
        same &= names[i] == real_base + offset;
    }
    if (same || r->gl.glListBase == NULL)
        return replay_invoke(r, c);
    r->gl.glListBase(0);
    c->args[1].u = GL_UNSIGNED_INT;
    c->args[2].p = names;
    rc = replay_invoke(r, c);
    r->gl.glListBase(real_base);
    return rc;
}

int handle_call_lists(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    int64_t count = c->args[0].i;
    GLenum type = (GLenum)c->args[1].u;
    const uint8_t *offsets = c->args[2].p;
    uint32_t offset;
    if (count <= 0 || offsets == NULL)
        return replay_invoke(r, c);
    rc = call_lists(r, c, count, type, offsets);
    for (int64_t i = 0; i < count && rc == 0 && list_offset(type, offsets, (uint64_t)i, &offset); ++i)
        list_primitives_call(r, (uint32_t)r->current->list_base + offset);
    window_buffers_follow(r);
    return rc;
}
