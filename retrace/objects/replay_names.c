/* SPDX-License-Identifier: MIT */
#include "objects/replay_names.h"

#include <string.h>

#include "base/error.h"
#include "call/replay_values.h"
#include "objects/current_program.h"
#include "spec_ids.h"

enum { MAX_RANGE = 1 << 20 }; /* highest number of names that a call may create or delete as a range */

/* Returns true for programs and for kinds that share their name space. */
static bool has_locations(const struct spec_object_kind *k)
{
    return k->names == SPEC_OBJECT_program;
}

/* Returns the tables of names of this kind in the current context, or NULL if names are not translated. */
static struct name_scope_tables *names_of(struct replayer *r, const struct spec_object_kind *k)
{
    if (k->scope == SPEC_SCOPE_DISPLAY)
        return &r->handles;
    if (r->current == NULL)
        return NULL;
    switch (k->scope) {
    case SPEC_SCOPE_SHARED:
    case SPEC_SCOPE_PROGRAM:
        return &r->current->group->names;
    case SPEC_SCOPE_CONTEXT:
        return &r->current->names;
    default:
        return NULL;
    }
}

/* Framebuffers of extensions are shared, and so are all of some drivers. What the current context has no name
 * for may be another context's; the last one with this name counts. */
static struct name_scope_tables *shared_names_of(struct replayer *r, const struct spec_object_kind *k)
{
    bool is_framebuffer = k == &spec_object_kinds[SPEC_OBJECT_framebuffer];
    return is_framebuffer && r->current != NULL ? &r->current->group->names : NULL;
}

/* Returns the tables for what the current context has no name for. */
static struct name_scope_tables *other_names_of(struct replayer *r, const struct spec_object_kind *k)
{
    struct name_scope_tables *shared = shared_names_of(r, k);
    return shared != NULL ? shared : names_of(r, k);
}

/* Programs choose numbers of these kinds, if they do not ask the driver for names. */
static bool is_number(unsigned kind, const struct spec_object_kind *k)
{
    return (k->scope == SPEC_SCOPE_SHARED || k->scope == SPEC_SCOPE_CONTEXT) && kind != SPEC_OBJECT_sync &&
           kind != SPEC_OBJECT_texture_handle && kind != SPEC_OBJECT_image_handle;
}

/* Returns true and sets *real if the name was created, or has a stand-in. */
static bool find_name(struct replayer *r, const struct spec_object_kind *k, uint64_t traced, uint64_t *real)
{
    const struct name_scope_tables *others = other_names_of(r, k);
    return name_scope_find(names_of(r, k), k->names, traced, real) ||
           name_scope_find(others, k->names, traced, real) ||
           name_scope_find_stand_in(others, k->names, traced, real);
}

/* Returns true if an object has this number here that is not the program's one of this name. A profile has
 * queries of its own, whose numbers are not known. */
static bool is_taken(struct replayer *r, const struct spec_object_kind *k, uint64_t traced)
{
    bool may_be_profiles = k == &spec_object_kinds[SPEC_OBJECT_query] && r->profile != NULL;
    return may_be_profiles || name_scope_has_number(names_of(r, k), k->names, traced) ||
           name_scope_has_number(other_names_of(r, k), k->names, traced);
}

uint64_t replay_program_stage(uint64_t program, GLenum stage)
{
    return (uint64_t)(stage & INT32_MAX) << 32 | (uint32_t)program;
}

/* Numbers of each stage are kept apart. */
static int64_t number_in_stage(uint64_t program, uint64_t number)
{
    uint64_t stage = program >> 32;
    return (int64_t)(stage == 0 ? number : stage << 32 | (uint32_t)number);
}

static uint64_t map_number(const struct name_scope_tables *names, const struct spec_object_kind *k,
                           uint64_t program, uint64_t traced)
{
    int64_t number = number_in_stage(program, traced);
    int64_t real = name_scope_get_location(names, k->names, (uint32_t)program, number);
    return program >> 32 == 0 ? (uint64_t)real : (uint32_t)real;
}

uint64_t replay_map_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t program)
{
    const struct spec_object_kind *k = &spec_object_kinds[kind];
    const struct name_scope_tables *names = names_of(r, k);
    uint64_t real;
    if (names == NULL || (traced == 0 && !k->zero_is_name))
        return traced;
    if (k->scope == SPEC_SCOPE_PROGRAM)
        return map_number(names, k, program, traced);
    if (find_name(r, k, traced, &real))
        return real;
    if (kind == SPEC_OBJECT_texture_handle) /* a uniform takes handles of textures and of images */
        return name_scope_get(names, spec_object_kinds[SPEC_OBJECT_image_handle].names, traced);
    return is_number(kind, k) && is_taken(r, k, traced)
               ? name_scope_unused_number(other_names_of(r, k), k->names)
               : traced;
}

bool replay_was_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t real)
{
    const struct spec_object_kind *k = &spec_object_kinds[kind];
    const struct name_scope_tables *names = names_of(r, k);
    return names != NULL && k->scope != SPEC_SCOPE_PROGRAM &&
           name_scope_was_name(names, k->names, traced, real);
}

uint64_t replay_map_name_of(struct replayer *r, struct replay_context *context, unsigned kind,
                            uint64_t traced)
{
    struct replay_context *current = r->current;
    r->current = context;
    uint64_t real = replay_map_name(r, kind, traced, 0);
    r->current = current;
    return real;
}

uint64_t replay_bind_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t program)
{
    const struct spec_object_kind *k = &spec_object_kinds[kind];
    uint64_t real;
    if (names_of(r, k) == NULL || traced == 0 || !is_number(kind, k) || find_name(r, k, traced, &real) ||
        !is_taken(r, k, traced))
        return replay_map_name(r, kind, traced, program);
    /* without memory, for this call only */
    name_scope_add_stand_in(other_names_of(r, k), k->names, traced, &real);
    return real;
}

/* Where arrays end is told later, if it is known. */
static int add_number(struct name_scope_tables *names, const struct spec_object_kind *k, uint64_t program,
                      uint64_t traced, uint64_t real)
{
    uint32_t size = k->consecutive ? ENDLESS_ARRAY : 1;
    const struct location l = {number_in_stage(program, traced), (int64_t)real, size, size};
    return name_scope_set_location(names, k->names, (uint32_t)program, &l);
}

int replay_add_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t real, uint64_t program)
{
    const struct spec_object_kind *k = &spec_object_kinds[kind];
    struct name_scope_tables *names = names_of(r, k);
    if (names == NULL || (traced == 0 && !k->zero_is_name))
        return 0;
    if (k->scope == SPEC_SCOPE_PROGRAM)
        return add_number(names, k, program, traced, real);
    bool is_handle = kind == SPEC_OBJECT_texture_handle || kind == SPEC_OBJECT_image_handle;
    if (is_handle && r->current != NULL)
        r->current->group->handles_moved |= traced != real;
    if (has_locations(k)) /* of a deleted program with the same name */
        name_scope_remove_program(names, traced);
    struct name_scope_tables *shared = shared_names_of(r, k);
    int rc = shared != NULL ? name_scope_set(shared, k->names, traced, real) : 0;
    return rc != 0 ? rc : name_scope_set(names, k->names, traced, real);
}

/* Returns true if both contexts have an object of this name. */
static bool is_of_another_context(const struct name_scope_tables *names,
                                  const struct name_scope_tables *shared, const struct spec_object_kind *k,
                                  uint64_t traced)
{
    uint64_t own, others;
    return name_scope_find(names, k->names, traced, &own) &&
           name_scope_find(shared, k->names, traced, &others) && own != others;
}

void replay_remove_name(struct replayer *r, unsigned kind, uint64_t traced)
{
    const struct spec_object_kind *k = &spec_object_kinds[kind];
    struct name_scope_tables *names = names_of(r, k), *shared = shared_names_of(r, k);
    if (shared != NULL && !is_of_another_context(names, shared, k, traced))
        name_scope_remove(shared, k->names, traced);
    /* Shaders and programs still exist after their deletion while they are attached or in use. */
    if (names != NULL && has_locations(k))
        int_map_remove(&names->usable, traced);
    if (names == NULL || k->scope == SPEC_SCOPE_PROGRAM || has_locations(k))
        return;
    if (r->check.enabled) /* without memory, one answer may seem to differ */
        name_scope_note_deleted(names, k->names, traced);
    name_scope_remove(names, k->names, traced);
}

bool replay_knows_name(struct replayer *r, unsigned kind, uint64_t traced)
{
    const struct spec_object_kind *k = &spec_object_kinds[kind];
    const struct name_scope_tables *names = names_of(r, k);
    return names != NULL && name_scope_find(names, k->names, traced, NULL);
}

/* Returns the stage that the parameter's subroutines belong to, or 0 for other parameters. */
static GLenum stage_of(const struct replay_call *c, const struct spec_param *p)
{
    const struct spec_function *f = c->function->spec;
    if (p->object != SPEC_OBJECT_subroutine && p->object != SPEC_OBJECT_subroutine_uniform)
        return 0;
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(spec_string(spec_param(f, i)->name), "shadertype") == 0)
            return (GLenum)replay_arg_uint(c, i, 0);
    return 0;
}

uint64_t replay_current_program(const struct replayer *r)
{
    if (r->current == NULL)
        return 0;
    uint64_t program = current_program_get(r->current);
    if (program == 0)
        int_map_get(&r->current->pipeline_programs, r->current->pipeline, &program);
    return program;
}

uint64_t replay_scoping_program(struct replayer *r, const struct replay_call *c, const struct spec_param *p)
{
    uint64_t program = replay_current_program(r);
    if (p->key != SPEC_NO_INDEX && p->form != SPEC_FORM_STRINGS)
        program = replay_arg_uint(c, p->key, 0);
    return replay_program_stage(program, stage_of(c, p));
}

/* Stores the name of an object, or of several with consecutive names. */
static int learn_value(struct replayer *r, struct replay_call *c, const struct spec_param *p, uint64_t traced,
                       uint64_t real)
{
    int64_t count = p->range != SPEC_NO_INDEX ? replay_arg_sint(c, p->range, 0) : 1;
    bool creates = (p->flags & SPEC_PARAM_CREATE) != 0;
    int rc = 0;
    if (p->range != SPEC_NO_INDEX && (traced == 0 || (creates && real == 0)))
        return 0; /* none were created */
    if (creates && count > MAX_RANGE)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: too many objects at once: %lld",
                               spec_string(c->function->spec->name), (long long)count);
    for (int64_t i = 0; rc == 0 && i < count && i < MAX_RANGE; ++i)
        if (creates)
            rc = replay_add_name(r, p->object, traced + (uint64_t)i, real + (uint64_t)i,
                                 replay_scoping_program(r, c, p));
        else
            replay_remove_name(r, p->object, traced + (uint64_t)i);
    return rc;
}

/* Pairs the names in argument i of the trace with those that the driver returned when it created the objects.
 */
static int learn_param(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = replay_arg(c, i);
    uint64_t program = replay_scoping_program(r, c, p);
    if (p->form == SPEC_FORM_VALUE)
        return (p->flags & SPEC_PARAM_DELETE) != 0 ? learn_value(r, c, p, trace_value_to_uint(v, 0), 0) : 0;
    if (p->form != SPEC_FORM_ARRAY || v->type != TRACE_ARRAY)
        return 0;
    for (uint64_t n = 0; n < v->count && n < c->given[i]; ++n) {
        struct trace_value element;
        union spec_arg real;
        trace_array_get(v, n, &element);
        uint64_t traced = replay_fit_integer(p->type, trace_value_to_uint(&element, 0));
        spec_load(p->type, c->args[i].p, n, &real);
        int rc = 0;
        if ((p->flags & SPEC_PARAM_DELETE) != 0)
            replay_remove_name(r, p->object, traced);
        else if ((p->flags & SPEC_PARAM_OUT) != 0 && real.u != 0) /* 0: the call has failed */
            rc = replay_add_name(r, p->object, traced, real.u, program);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* Between glBegin() and glEnd(), OpenGL deletes nothing. */
static unsigned learnt_roles(const struct replayer *r, const struct spec_function *f)
{
    bool fails = f->api == SPEC_API_GL && r->current != NULL && r->current->inside_begin;
    return fails ? SPEC_PARAM_CREATE : SPEC_PARAM_CREATE | SPEC_PARAM_DELETE;
}

int replay_learn_names(struct replayer *r, struct replay_call *c)
{
    const struct spec_function *f = c->function->spec;
    unsigned roles = learnt_roles(r, f);
    for (unsigned i = 0; i < f->param_count; ++i) {
        if (spec_param(f, i)->object == 0 || (spec_param(f, i)->flags & roles) == 0)
            continue;
        int rc = learn_param(r, c, i);
        if (rc != 0)
            return rc;
    }
    if (f->ret.object == 0 || (f->ret.flags & SPEC_PARAM_CREATE) == 0 || c->call->ret.type == TRACE_NONE)
        return 0;
    const struct trace_value *ret = &c->call->ret;
    uint64_t traced = ret->type == TRACE_SINT ? (uint64_t)ret->u.sint : trace_value_to_uint(ret, 0);
    return learn_value(r, c, &f->ret, replay_fit_integer(f->ret.type, traced), c->ret.u);
}
