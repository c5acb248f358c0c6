/* SPDX-License-Identifier: MIT */
#include "leaks/leak_tracker.h"

#include "base/error.h"
#include "runtime/spec.h"
#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

#define ROLES (SPEC_PARAM_CREATE | SPEC_PARAM_DELETE | SPEC_PARAM_BIND | SPEC_PARAM_SHARE)

/* A call of a few bytes may claim to create billions of objects. This is the highest number of objects of
 * such calls that are tracked at a time. */
#define MAX_RANGE_OBJECTS (UINT64_C(1) << 18)

/* --- functions ------------------------------------------------------------------------------------- */

static const struct spec_param *param_of(const struct spec_function *f, unsigned i)
{
    return i < f->param_count ? spec_param(f, i) : &f->ret;
}

static bool has_roles(const struct spec_function *f)
{
    bool found = (f->flags & (SPEC_FUNCTION_UNBINDS_CONTEXT | SPEC_FUNCTION_LABELS)) != 0;
    for (unsigned i = 0; i <= f->param_count; ++i)
        found |= (param_of(f, i)->flags & ROLES) != 0;
    return found;
}

static const struct leak_function *look_up(struct leak_tracker *t, const struct trace_function_sig *sig)
{
    struct leak_function *f = &t->functions[sig->id % LEAK_FUNCTION_CACHE_SIZE];
    if (f->sig == sig)
        return f;
    const struct spec_function *spec = spec_find_function(sig->name);
    bool wanted = spec != NULL && spec->param_count == sig->arg_count && has_roles(spec);
    *f = (struct leak_function){.sig = sig, .spec = wanted ? spec : NULL};
    f->zero_fails = wanted && (spec->ret.flags & SPEC_PARAM_ENUM) != 0 &&
                    (spec->ret.group == SPEC_GROUP_Bool || spec->ret.group == SPEC_GROUP_EGLBoolean);
    return f;
}

static void learn_kinds(struct leak_tracker *t)
{
    for (unsigned i = 0; i < spec_function_count; ++i)
        for (unsigned k = 0; k <= spec_functions[i].param_count; ++k) {
            const struct spec_param *p = param_of(&spec_functions[i], k);
            struct leak_kind *space = &t->kinds[spec_object_kinds[p->object].names];
            space->deletable |= (p->flags & SPEC_PARAM_DELETE) != 0;
            space->is_address |= (p->flags & SPEC_PARAM_CREATE) != 0 && p->type == SPEC_PTR;
        }
    for (unsigned i = 0; i < spec_object_count; ++i)
        t->kinds[i] = t->kinds[spec_object_kinds[i].names];
}

/* --- one call -------------------------------------------------------------------------------------- */

struct leak_call {
    const struct trace_call *call;
    const struct spec_function *spec;
    struct leak_context *context;
    /* What the objects that it creates have in common; call 0 and no text until needed. */
    struct leak_object made;
    bool described;
};

static const struct trace_value *value_of(const struct leak_call *c, unsigned i)
{
    return i < c->spec->param_count ? &c->call->args[i] : &c->call->ret;
}

/* Returns the first argument of this kind and role, or SPEC_NO_INDEX if there is none. */
static unsigned find_role(const struct leak_call *c, unsigned kind, unsigned role, unsigned but)
{
    for (unsigned i = 0; i <= c->spec->param_count; ++i) {
        const struct spec_param *p = param_of(c->spec, i);
        if (p->object == kind && i != but && (role == 0 || (p->flags & role) != 0))
            return i;
    }
    return SPEC_NO_INDEX;
}

static uint64_t value_in_role(const struct leak_call *c, unsigned kind, unsigned role, unsigned but)
{
    unsigned i = find_role(c, kind, role, but);
    return i == SPEC_NO_INDEX ? 0 : trace_value_to_uint(value_of(c, i), 0);
}

/* Returns the space for names of objects of this kind. */
static struct leak_space *space_of(struct leak_tracker *t, const struct leak_call *c, unsigned kind)
{
    switch (spec_object_kinds[kind].scope) {
    case SPEC_SCOPE_SHARED:
        return &c->context->group->space;
    case SPEC_SCOPE_CONTEXT:
        return &c->context->space;
    case SPEC_SCOPE_DISPLAY:
        return &t->contexts.displays;
    default:
        return NULL;
    }
}

static int describe(struct leak_tracker *t, struct leak_call *c)
{
    if (c->described)
        return 0;
    c->made.call = c->call->number;
    c->made.function = c->spec->id;
    if (t->creators.wants_text && (c->made.text = leak_creators_format(&t->creators, c->call)) == NULL)
        return TRACE_ERR_MEMORY;
    c->described = true;
    return leak_creators_backtrace(&t->creators, c->call, &c->made.backtrace);
}

/* Returns true if binding an unused name creates the object, as in all contexts except core profiles. */
static bool creates_on_bind(const struct leak_call *c)
{
    enum { MAJOR, MINOR, PROFILE, COUNT };
    static const uint32_t keys[COUNT][2] = {{0x2091, 0x3098}, {0x2092, 0x30fb}, {0x9126, 0x30fd}};
    uint64_t found[COUNT] = {1, 0, 0};
    const struct trace_value *list = NULL;
    for (unsigned i = 0; i < c->spec->param_count; ++i)
        if ((spec_param(c->spec, i)->flags & SPEC_PARAM_ATTRIBS) != 0)
            list = &c->call->args[i];
    for (uint64_t i = 0; list != NULL && list->type == TRACE_ARRAY && i + 1 < list->count; i += 2) {
        struct trace_value key, value;
        trace_array_get(list, i, &key);
        trace_array_get(list, i + 1, &value);
        for (unsigned k = 0; k < COUNT; ++k)
            if (trace_value_to_uint(&key, 0) == keys[k][0] || trace_value_to_uint(&key, 0) == keys[k][1])
                found[k] = trace_value_to_uint(&value, 0);
    }
    const uint64_t core = 1;
    if (found[PROFILE] != 0)
        return (found[PROFILE] & core) == 0;
    /* EGL contexts are of OpenGL ES unless a profile is requested. */
    bool has_profiles = found[MAJOR] > 3 || (found[MAJOR] == 3 && found[MINOR] >= 2);
    return (c->spec->api & SPEC_API_EGL) != 0 || !has_profiles;
}

static int create(struct leak_tracker *t, struct leak_call *c, unsigned kind, uint64_t name)
{
    struct leak_space *space = space_of(t, c, kind);
    if (name == 0 || space == NULL || !t->kinds[kind].deletable)
        return 0;
    int rc = describe(t, c);
    if (rc != 0)
        return rc;
    struct leak_object object = c->made;
    bool of_display = space == &t->contexts.displays;
    object.kind = (uint16_t)kind;
    object.name = name;
    object.owner = of_display ? value_in_role(c, SPEC_OBJECT_display, 0, SPEC_NO_INDEX) : c->context->handle;
    object.group = of_display ? 0 : c->context->group->number;
    if (kind != SPEC_OBJECT_context)
        return leak_space_add(space, &object);
    uint64_t share = value_in_role(c, SPEC_OBJECT_context, SPEC_PARAM_SHARE, SPEC_NO_INDEX);
    return leak_contexts_create(&t->contexts, &object, share, creates_on_bind(c));
}

static int delete_name(struct leak_tracker *t, const struct leak_call *c, unsigned kind, uint64_t name)
{
    struct leak_space *space = space_of(t, c, kind);
    if (kind == SPEC_OBJECT_context)
        return leak_contexts_destroy(&t->contexts, name, c->call->number);
    if (kind == SPEC_OBJECT_display)
        return leak_contexts_end_display(&t->contexts, name, c->call->number);
    if (space != NULL)
        leak_space_remove(space, kind, name);
    return 0;
}

static int bind(struct leak_tracker *t, struct leak_call *c, unsigned kind, uint64_t name)
{
    if (kind == SPEC_OBJECT_context)
        return leak_contexts_make_current(&t->contexts, c->call->thread, name);
    const struct leak_space *space = space_of(t, c, kind);
    if (!c->context->creates_on_bind || space == NULL || name == 0 ||
        leak_space_find(space, kind, name) != NULL)
        return 0;
    return create(t, c, kind, name);
}

static int apply(struct leak_tracker *t, struct leak_call *c, const struct spec_param *p, uint64_t name)
{
    if ((p->flags & SPEC_PARAM_CREATE) != 0)
        return create(t, c, p->object, name);
    if ((p->flags & SPEC_PARAM_DELETE) != 0)
        return delete_name(t, c, p->object, name);
    return bind(t, c, p->object, name);
}

/* Applies the role to `first` and the names after it. */
static int apply_range(struct leak_tracker *t, struct leak_call *c, const struct spec_param *p,
                       uint64_t first)
{
    int64_t claimed = trace_value_to_sint(value_of(c, p->range), 0);
    uint64_t count = claimed > 0 ? (uint64_t)claimed : 0;
    struct leak_space *space = space_of(t, c, p->object);
    if ((p->flags & SPEC_PARAM_DELETE) != 0) {
        if (space != NULL)
            leak_space_remove_range(space, p->object, first, count);
        return 0;
    }
    if (first == 0)
        return 0;
    int rc = 0;
    for (uint64_t i = 0; i < count && rc == 0; ++i) {
        if (t->range_objects == MAX_RANGE_OBJECTS) {
            t->skipped += count - i;
            break;
        }
        c->made.counter = &t->range_objects;
        rc = create(t, c, p->object, first + i);
    }
    return rc;
}

static int apply_value(struct leak_tracker *t, struct leak_call *c, unsigned i)
{
    const struct spec_param *p = param_of(c->spec, i);
    const struct trace_value *v = value_of(c, i);
    if (p->range != SPEC_NO_INDEX)
        return apply_range(t, c, p, trace_value_to_uint(v, 0));
    if (v->type != TRACE_ARRAY)
        return apply(t, c, p, trace_value_to_uint(v, 0));
    int rc = 0;
    for (uint64_t n = 0; n < v->count && rc == 0; ++n) {
        struct trace_value element;
        trace_array_get(v, n, &element);
        rc = apply(t, c, p, trace_value_to_uint(&element, 0));
    }
    return rc;
}

/* Makes an existing context share the objects of another. */
static int share(struct leak_tracker *t, const struct leak_call *c)
{
    unsigned with = find_role(c, SPEC_OBJECT_context, SPEC_PARAM_SHARE, SPEC_NO_INDEX);
    if (with == SPEC_NO_INDEX ||
        find_role(c, SPEC_OBJECT_context, SPEC_PARAM_CREATE, SPEC_NO_INDEX) != SPEC_NO_INDEX)
        return 0;
    return leak_contexts_share(&t->contexts, trace_value_to_uint(value_of(c, with), 0),
                               value_in_role(c, SPEC_OBJECT_context, 0, with));
}

/* The arguments are [identifier of the kind,] name, length, label. */
static int set_label(struct leak_tracker *t, const struct leak_call *c)
{
    unsigned count = c->spec->param_count;
    if (count < 3)
        return 0;
    unsigned kind = spec_param(c->spec, count - 3)->object;
    if (kind == SPEC_OBJECT_none && count > 3)
        kind = spec_identified_kind((uint32_t)trace_value_to_uint(&c->call->args[count - 4], 0));
    struct leak_space *space = space_of(t, c, kind);
    const struct trace_value *label = &c->call->args[count - 1];
    struct leak_text *text = NULL;
    if (space == NULL)
        return 0;
    if (label->type == TRACE_STRING && label->count > 0 &&
        (text = leak_text_new(label->u.string, label->count)) == NULL)
        return TRACE_ERR_MEMORY;
    leak_space_set_label(space, kind, trace_value_to_uint(&c->call->args[count - 3], 0), text);
    return 0;
}

int leak_tracker_add_call(struct leak_tracker *t, const struct trace_call *call)
{
    const struct leak_function *f = look_up(t, call->sig);
    if (f->spec == NULL || (f->zero_fails && trace_value_to_uint(&call->ret, 1) == 0))
        return 0;
    struct leak_call c = {call, f->spec, leak_contexts_current(&t->contexts, call->thread), {0}, false};
    int rc = share(t, &c);
    for (unsigned i = 0; i <= f->spec->param_count && rc == 0; ++i)
        if ((param_of(f->spec, i)->flags & ROLES & ~(unsigned)SPEC_PARAM_SHARE) != 0)
            rc = apply_value(t, &c, i);
    if (rc == 0 && (f->spec->flags & SPEC_FUNCTION_LABELS) != 0)
        rc = set_label(t, &c);
    if (rc == 0 && (f->spec->flags & SPEC_FUNCTION_UNBINDS_CONTEXT) != 0)
        rc = leak_contexts_make_current(&t->contexts, call->thread, 0);
    leak_text_release(c.made.text);
    return rc;
}

int leak_tracker_end(struct leak_tracker *t)
{
    leak_creators_forget_signatures(&t->creators);
    return leak_contexts_end(&t->contexts);
}

int leak_tracker_init(struct leak_tracker *t, bool wants_text)
{
    memset(t, 0, sizeof *t);
    int rc = leak_creators_init(&t->creators, wants_text);
    t->kinds = calloc(spec_object_count, sizeof *t->kinds);
    if (rc == 0 && t->kinds == NULL)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc == 0)
        learn_kinds(t);
    return rc;
}

void leak_tracker_fini(struct leak_tracker *t)
{
    leak_contexts_fini(&t->contexts);
    leak_creators_fini(&t->creators);
    free(t->kinds);
}
