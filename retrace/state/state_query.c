/* SPDX-License-Identifier: MIT */
#include "state/state_query.h"

#include "base/error.h"
#include "objects/replay_state.h"
#include "runtime/spec.h"

/* Of several names for a value, the first one counts. */
static int index_enum_names(struct int_map *names)
{
    if (names->len > 0)
        return 0;
    const struct spec_group *all = &spec_groups[0];
    for (uint32_t i = 0; i < all->count; ++i) {
        uint64_t known, value = (uint64_t)spec_group_name(all, i)->value;
        if (!int_map_get(names, value, &known) && int_map_set(names, value, i) != 0) {
            int_map_fini(names);
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the names of enums");
        }
    }
    return 0;
}

void state_query_init(struct state_dump *d, struct replayer *r)
{
    *d = (struct state_dump){.r = r, .context = r->current};
    replay_keep_error(r);
    state_functions_load(&d->gl, r->ws);
}

int state_dump_init(struct state_dump *d, struct replayer *r, struct buf *out, bool binary)
{
    state_query_init(d, r);
    state_writer_init(&d->w, out, binary);
    if (state_has_version(d, 32, 0))
        d->is_core = (state_get_integer(d, GL_CONTEXT_PROFILE_MASK, 0) & GL_CONTEXT_CORE_PROFILE_BIT) != 0;
    d->has_labels = d->gl.glGetObjectLabel != NULL && state_get_integer(d, GL_MAX_LABEL_LENGTH, 0) > 0;
    return index_enum_names(&r->state_memory.enum_names);
}

bool state_no_error(struct state_dump *d)
{
    if (d->r->gl.glGetError() == GL_NO_ERROR)
        return true;
    replay_clear_errors(d->r);
    return false;
}

GLint state_get_integer(struct state_dump *d, GLenum pname, GLint fallback)
{
    GLint values[16] = {fallback};
    d->r->gl.glGetIntegerv(pname, values);
    return state_no_error(d) ? values[0] : fallback;
}

bool state_is_enabled(struct state_dump *d, GLenum capability)
{
    if (d->r->gl.glIsEnabled == NULL)
        return false;
    GLboolean enabled = d->r->gl.glIsEnabled(capability);
    return state_no_error(d) && enabled != GL_FALSE;
}

const char *state_enum_name(const struct state_dump *d, GLenum value)
{
    uint64_t index;
    if (value <= GL_ONE) /* these have many names; as in apitrace, they are factors of blending */
        return value == GL_ONE ? "GL_ONE" : "GL_ZERO";
    if (!int_map_get(&d->r->state_memory.enum_names, value, &index))
        return NULL;
    return spec_string(spec_group_name(&spec_groups[0], (unsigned)index)->name);
}

void state_write_enum(struct state_dump *d, GLenum value)
{
    const char *name = state_enum_name(d, value);
    if (name != NULL)
        state_string(&d->w, name);
    else
        state_integer(&d->w, (GLint)value);
}

void state_write_boolean(struct state_dump *d, GLint value)
{
    if (value == GL_FALSE || value == GL_TRUE)
        state_string(&d->w, value == GL_TRUE ? "GL_TRUE" : "GL_FALSE");
    else
        state_integer(&d->w, value);
}

bool state_get_label(struct state_dump *d, GLenum identifier, GLuint name, char out[STATE_LABEL_BYTES])
{
    out[0] = '\0';
    if (name == 0 || !d->has_labels)
        return false;
    d->gl.glGetObjectLabel(identifier, name, STATE_LABEL_BYTES, NULL, out);
    out[STATE_LABEL_BYTES - 1] = '\0';
    if (!state_no_error(d))
        out[0] = '\0';
    return out[0] != '\0';
}

void state_write_label(struct state_dump *d, GLenum identifier, GLuint name, const char *member)
{
    char label[STATE_LABEL_BYTES];
    if (!state_get_label(d, identifier, name, label))
        return;
    state_key(&d->w, member);
    state_string(&d->w, label);
}
