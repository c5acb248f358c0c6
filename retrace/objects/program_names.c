/* SPDX-License-Identifier: MIT */
#include "objects/program_names.h"

#include "objects/lost_locations.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

unsigned program_location_kind(GLenum interface)
{
    return interface == GL_UNIFORM ? SPEC_OBJECT_location : SPEC_OBJECT_none;
}

unsigned program_index_kind(GLenum interface)
{
    switch (interface) {
    case GL_UNIFORM_BLOCK:
        return SPEC_OBJECT_uniform_block;
    case GL_SHADER_STORAGE_BLOCK:
        return SPEC_OBJECT_storage_block;
    default:
        return SPEC_OBJECT_none;
    }
}

static GLuint real_program(struct replayer *r, uint64_t program)
{
    return (GLuint)replay_map_name(r, SPEC_OBJECT_program, program, 0);
}

int program_names_uniform(struct replayer *r, uint64_t program, int64_t traced, int64_t real,
                          const char *name)
{
    int rc = replay_add_name(r, SPEC_OBJECT_location, (uint64_t)traced, (uint64_t)real, program);
    return rc == 0 && real < 0 ? lost_locations_add(&r->current->group->names.lost, program, traced, name)
                               : rc;
}

int program_names_ask_uniform(struct replayer *r, uint64_t program, int64_t traced, const char *name)
{
    if (r->gl.glGetUniformLocation == NULL || r->current->inside_begin)
        return 0;
    replay_keep_error(r);
    GLint real = r->gl.glGetUniformLocation(real_program(r, program), name);
    replay_clear_errors(r);
    return program_names_uniform(r, program, traced, real, name);
}

/* Older versions have a function for blocks, and none for interfaces. */
static GLuint ask_index(struct replayer *r, GLenum interface, uint64_t program, const char *name)
{
    GLuint index = GL_INVALID_INDEX;
    replay_keep_error(r);
    if (interface == GL_UNIFORM_BLOCK && r->gl.glGetUniformBlockIndex != NULL)
        index = r->gl.glGetUniformBlockIndex(real_program(r, program), name);
    else if (r->gl.glGetProgramResourceIndex != NULL)
        index = r->gl.glGetProgramResourceIndex(real_program(r, program), interface, name);
    replay_clear_errors(r);
    return index;
}

int program_names_ask_index(struct replayer *r, GLenum interface, uint64_t program, uint64_t traced,
                            const char *name, bool may_be_cut)
{
    unsigned kind = program_index_kind(interface);
    if (kind == SPEC_OBJECT_none || r->current->inside_begin)
        return 0;
    GLuint real = ask_index(r, interface, program, name);
    return real == GL_INVALID_INDEX && may_be_cut ? 0 : replay_add_name(r, kind, traced, real, program);
}
