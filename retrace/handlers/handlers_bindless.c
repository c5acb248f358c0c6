/* SPDX-License-Identifier: MIT
 * What may contain handles of bindless textures and images: the contents of buffers, and uniforms and
 * attributes of 64 bits or of two numbers with 32.
 */
#include "handlers/handlers.h"

#include <string.h>

#include "base/error.h"
#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "objects/bindless_handles.h"

static int map_memory(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = i < c->call->arg_count ? &c->call->args[i] : NULL;
    bool has_bytes = p->form == SPEC_FORM_BLOB || (p->form == SPEC_FORM_ARRAY && p->object == 0);
    if (!has_bytes || (p->flags & SPEC_PARAM_OUT) != 0 || c->args[i].p == NULL || v == NULL ||
        (v->type != TRACE_BLOB && v->type != TRACE_ARRAY))
        return 0;
    uint64_t size = c->given[i] * (p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type) : 1);
    const void *mapped = bindless_handles_map_bytes(r, c->args[i].p, size);
    if (mapped == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for handles");
    c->args[i].p = (void *)(uintptr_t)mapped;
    return 0;
}

int handle_with_handles(struct replayer *r, struct replay_call *c)
{
    const struct spec_function *f = c->function->spec;
    int rc = replay_decode_args(r, c);
    if (rc != 0 || !bindless_handles_moved(r))
        return rc != 0 ? rc : replay_invoke(r, c);
    for (unsigned i = 0; rc == 0 && i < f->param_count; ++i)
        rc = map_memory(r, c, i);
    const struct spec_param *last = spec_param(f, f->param_count - 1u);
    union spec_arg *args = &c->args[f->param_count - 1];
    if (last->form == SPEC_FORM_VALUE && last->type == SPEC_U64)
        args[0].u = bindless_handles_map(r, args[0].u);
    if (last->form == SPEC_FORM_VALUE && last->type == SPEC_U32 &&
        strcmp(spec_string(last->name), "v1") == 0) {
        uint64_t real = bindless_handles_map(r, args[-1].u | args[0].u << 32);
        args[-1].u = (uint32_t)real;
        args[0].u = real >> 32;
    }
    return rc != 0 ? rc : replay_invoke(r, c);
}
