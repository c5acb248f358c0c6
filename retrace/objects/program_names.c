/* SPDX-License-Identifier: MIT */
#include "objects/program_names.h"

#include <stdlib.h>
#include <string.h>

#include "objects/lost_locations.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

/* In the order of the interfaces of their subroutines, and of those of their subroutines' uniforms. */
static const GLenum stages[] = {GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};
enum { STAGES = sizeof stages / sizeof *stages };

unsigned program_location_kind(GLenum interface)
{
    if (interface >= GL_VERTEX_SUBROUTINE_UNIFORM && interface <= GL_COMPUTE_SUBROUTINE_UNIFORM)
        return SPEC_OBJECT_subroutine_uniform;
    return interface == GL_UNIFORM ? SPEC_OBJECT_location : SPEC_OBJECT_none;
}

unsigned program_index_kind(GLenum interface)
{
    if (interface >= GL_VERTEX_SUBROUTINE && interface <= GL_COMPUTE_SUBROUTINE)
        return SPEC_OBJECT_subroutine;
    switch (interface) {
    case GL_UNIFORM_BLOCK:
        return SPEC_OBJECT_uniform_block;
    case GL_SHADER_STORAGE_BLOCK:
        return SPEC_OBJECT_storage_block;
    default:
        return SPEC_OBJECT_none;
    }
}

static GLenum stage_of(GLenum interface)
{
    bool has_stage = interface >= GL_VERTEX_SUBROUTINE && interface <= GL_COMPUTE_SUBROUTINE_UNIFORM;
    return has_stage ? stages[(interface - GL_VERTEX_SUBROUTINE) % STAGES] : 0;
}

uint64_t program_interface_scope(GLenum interface, uint64_t program)
{
    return replay_program_stage(program, stage_of(interface));
}

GLenum program_subroutines(GLenum stage)
{
    for (unsigned i = 0; i < STAGES; ++i)
        if (stages[i] == stage)
            return GL_VERTEX_SUBROUTINE + i;
    return GL_NONE;
}

static GLuint real_program(struct replayer *r, uint64_t program)
{
    return (GLuint)replay_map_name(r, SPEC_OBJECT_program, program, 0);
}

/* --- sizes of arrays ------------------------------------------------------------------------------- */

/* Returns the length of a uniform's name without an index at its end, which is *element; 0 if it has none. */
static size_t base_length(const char *name, uint32_t *element)
{
    size_t length = strlen(name);
    const char *open = strrchr(name, '[');
    bool is_indexed = open != NULL && name[length - 1] == ']';
    *element = is_indexed ? (uint32_t)strtoul(open + 1, NULL, 10) : 0;
    return is_indexed ? (size_t)(open - name) : length;
}

/* Sizes are kept like locations, by a number made of the name. */
static int64_t name_number(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (uint8_t)name[i]) * UINT64_C(0x100000001b3);
    return (int64_t)(hash >> 1);
}

int program_names_array(struct replayer *r, uint64_t program, const char *name, int64_t size)
{
    uint32_t element;
    size_t length = base_length(name, &element);
    const struct location l = {name_number(name, length), size, 1, 1};
    bool is_array = size > 1 || (size == 1 && name[length] != '\0');
    return is_array && size < INT32_MAX
               ? name_scope_set_location(&r->current->group->names, SPEC_OBJECT_none, program, &l)
               : 0;
}

/* Returns how many elements there are from this one on; 0 if it is not known. */
static uint32_t rest_of_array(int64_t size, uint32_t element)
{
    return size > (int64_t)element ? (uint32_t)(size - element) : 0;
}

static uint32_t traced_size(struct replayer *r, uint64_t program, const char *name)
{
    uint32_t element;
    size_t length = base_length(name, &element);
    const struct location *l = name_scope_find_location(&r->current->group->names, SPEC_OBJECT_none, program,
                                                        name_number(name, length));
    return l != NULL ? rest_of_array(l->real, element) : 0;
}

/* Before these versions, programs do not choose locations: what follows that of an array is a part of it. */
static bool may_choose_locations(const struct replay_context *context)
{
    return context->version >= (context->is_es ? 30 : 31);
}

/* Asks the driver. */
static uint32_t real_size(struct replayer *r, uint64_t program, const char *name)
{
    uint32_t element;
    size_t length = base_length(name, &element);
    char *base = arena_alloc(&r->scratch, length + 1);
    GLuint index = GL_INVALID_INDEX;
    GLint size = 0;
    if (base == NULL || r->gl.glGetUniformIndices == NULL || r->gl.glGetActiveUniformsiv == NULL)
        return 0;
    memcpy(base, name, length);
    base[length] = '\0';
    replay_keep_error(r);
    r->gl.glGetUniformIndices(real_program(r, program), 1, (const GLchar *const[]){base}, &index);
    if (index != GL_INVALID_INDEX)
        r->gl.glGetActiveUniformsiv(real_program(r, program), 1, &index, GL_UNIFORM_SIZE, &size);
    replay_clear_errors(r);
    return rest_of_array(size, element);
}

/* A uniform that the driver lacks is an array if its name tells, or if the trace does. */
static void set_sizes(struct replayer *r, uint64_t program, const char *name, struct location *l)
{
    if (!may_choose_locations(r->current))
        return;
    uint32_t traced = traced_size(r, program, name);
    uint32_t real = l->real >= 0 && !r->current->inside_begin ? real_size(r, program, name) : 0;
    uint32_t element;
    bool is_single = l->real < 0 && name[base_length(name, &element)] == '\0';
    uint32_t unknown = is_single ? 1 : ENDLESS_ARRAY;
    l->traced_size = traced > 0 ? traced : real > 0 ? real : unknown;
    l->real_size = real > 0 ? real : l->traced_size;
}

/* --- locations of uniforms ------------------------------------------------------------------------- */

static bool is_known(const struct location *l, int64_t real)
{
    return l != NULL && l->real == real && l->traced_size != ENDLESS_ARRAY;
}

int program_names_uniform(struct replayer *r, uint64_t program, int64_t traced, int64_t real,
                          const char *name)
{
    struct name_scope_tables *names = &r->current->group->names;
    struct location l = {traced, real, ENDLESS_ARRAY, ENDLESS_ARRAY};
    if (is_known(name_scope_find_location(names, SPEC_OBJECT_location, program, traced), real))
        return 0;
    set_sizes(r, program, name, &l);
    int rc = name_scope_set_location(names, SPEC_OBJECT_location, program, &l);
    return rc == 0 && real < 0 ? lost_locations_add(&names->lost, program, traced, name) : rc;
}

int64_t program_names_find_uniform(struct replayer *r, uint64_t program, const char *name)
{
    if (r->gl.glGetUniformLocation == NULL || r->current->inside_begin)
        return -1;
    replay_keep_error(r);
    GLint real = r->gl.glGetUniformLocation(real_program(r, program), name);
    replay_clear_errors(r);
    return real;
}

/* --- indices --------------------------------------------------------------------------------------- */

/* Older versions have functions for blocks and subroutines, and none for interfaces. */
static GLuint ask_index(struct replayer *r, GLenum interface, uint64_t program, const char *name)
{
    GLuint index = GL_INVALID_INDEX;
    replay_keep_error(r);
    if (interface == GL_UNIFORM_BLOCK && r->gl.glGetUniformBlockIndex != NULL)
        index = r->gl.glGetUniformBlockIndex(real_program(r, program), name);
    else if (stage_of(interface) != 0 && r->gl.glGetSubroutineIndex != NULL)
        index = r->gl.glGetSubroutineIndex(real_program(r, program), stage_of(interface), name);
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
    bool is_unknown = real == GL_INVALID_INDEX && may_be_cut;
    return is_unknown ? 0
                      : replay_add_name(r, kind, traced, real, program_interface_scope(interface, program));
}
