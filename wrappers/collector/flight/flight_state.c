/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_state.h"

#include "base/error.h"
#include "collector/flight/flight_contexts.h"
#include "collector/flight/flight_values.h"
#include "spec_ids.h"

#include <stdlib.h>

#define ROLES       (SPEC_PARAM_CREATE | SPEC_PARAM_DELETE | SPEC_PARAM_BIND)
#define KIND_SHIFT  56
#define OWNER_SHIFT 32
#define OWNER_MASK  ((uint64_t)0xffffff)

/* Highest number of consecutive names that one call makes or deletes. A call of a few bytes may claim any. */
#define MOST_NAMES ((uint64_t)1 << 16)

struct flight_state {
    struct flight_contexts contexts;
};

/* A call that is being applied. */
struct applied {
    struct flight_contexts *contexts;
    const struct spec_function *spec;
    struct flight_values values;
    struct flight_context *context; /* in which it was called */
    struct kept_call *kept;
};

static const struct spec_param *param_of(const struct spec_function *f, unsigned i)
{
    return i < f->param_count ? spec_param(f, i) : &f->ret;
}

/* Functions that make an object out of the calls between them. */
static const struct making {
    uint16_t begin, end;
    uint8_t place_args; /* so many of the first arguments say which of several is begun or ended */
} makings[] = {
    {SPEC_FN_glNewList, SPEC_FN_glEndList, 0},
    {SPEC_FN_glBeginQuery, SPEC_FN_glEndQuery, 1},
    {SPEC_FN_glBeginQueryARB, SPEC_FN_glEndQueryARB, 1},
    {SPEC_FN_glBeginQueryEXT, SPEC_FN_glEndQueryEXT, 1},
    {SPEC_FN_glBeginQueryIndexed, SPEC_FN_glEndQueryIndexed, 2},
    {SPEC_FN_glBeginOcclusionQueryNV, SPEC_FN_glEndOcclusionQueryNV, 0},
};

static const struct making *making_of(const struct spec_function *f)
{
    for (size_t i = 0; i < sizeof makings / sizeof makings[0]; ++i)
        if (f->id == makings[i].begin || f->id == makings[i].end)
            return &makings[i];
    return NULL;
}

bool flight_state_wants(const struct spec_function *f)
{
    bool found = making_of(f) != NULL || (f->flags & SPEC_FUNCTION_UNBINDS_CONTEXT) != 0 || f->sets != 0;
    for (unsigned i = 0; i <= f->param_count; ++i)
        found |= (param_of(f, i)->flags & ROLES) != 0;
    return found;
}

static const uint8_t *value_of(const struct applied *a, unsigned i)
{
    return i >= a->spec->param_count ? a->values.ret : i < FLIGHT_MAX_ARGS ? a->values.args[i] : NULL;
}

static uint64_t number_of(const struct applied *a, unsigned i)
{
    return flight_value_uint(&a->values, value_of(a, i));
}

/* The first argument of this kind that has one of the roles, if any are given; 0 if there is none. */
static uint64_t name_of_kind(const struct applied *a, unsigned kind, unsigned roles)
{
    for (unsigned i = 0; i < a->spec->param_count; ++i) {
        const struct spec_param *p = spec_param(a->spec, i);
        if (p->object == kind && (roles == 0 || (p->flags & roles) != 0))
            return number_of(a, i);
    }
    return 0;
}

/* --- objects ---------------------------------------------------------------------------------------- */

static struct flight_space *space_of(const struct applied *a, unsigned kind)
{
    switch (spec_object_kinds[kind].scope) {
    case SPEC_SCOPE_SHARED:
        return &a->context->group->objects;
    case SPEC_SCOPE_CONTEXT:
        return &a->context->objects;
    case SPEC_SCOPE_PROGRAM:
        return &a->context->group->members;
    case SPEC_SCOPE_DISPLAY:
        return &a->contexts->displays;
    default:
        return NULL;
    }
}

static uint64_t owner_of(const struct applied *a, const struct spec_param *p)
{
    if (spec_object_kinds[p->object].scope == SPEC_SCOPE_DISPLAY)
        return name_of_kind(a, SPEC_OBJECT_display, 0);
    bool owned = spec_object_kinds[p->object].scope == SPEC_SCOPE_PROGRAM && p->key != SPEC_NO_INDEX;
    return owned ? number_of(a, p->key) : 0;
}

/* Names have less than 56 bits: numbers of 32, or addresses. */
static uint64_t key_of(unsigned kind, uint64_t owner, uint64_t name)
{
    uint64_t low = spec_object_kinds[kind].scope == SPEC_SCOPE_PROGRAM
                       ? (owner & OWNER_MASK) << OWNER_SHIFT | (uint32_t)name
                       : name & (((uint64_t)1 << KIND_SHIFT) - 1);
    return (uint64_t)spec_object_kinds[kind].names << KIND_SHIFT | low;
}

static bool is_name(unsigned kind, uint64_t name)
{
    bool fails = spec_object_kinds[kind].scope == SPEC_SCOPE_PROGRAM && (int32_t)name < 0; /* not found */
    return (name != 0 || spec_object_kinds[kind].zero_is_name) && !fails;
}

static int create(struct applied *a, const struct spec_param *p, uint64_t name)
{
    struct flight_space *space = space_of(a, p->object);
    uint64_t owner = owner_of(a, p);
    if (space == NULL || !is_name(p->object, name))
        return 0;
    if (p->object == SPEC_OBJECT_context)
        return flight_contexts_create(a->contexts, name, owner,
                                      name_of_kind(a, SPEC_OBJECT_context, SPEC_PARAM_SHARE), a->kept);
    const struct flight_object object = {p->object, name, owner, a->kept, NULL};
    return flight_space_set(a->contexts, space, key_of(p->object, owner, name), &object);
}

static bool is_member_of(const struct flight_object *o, uint64_t kind, uint64_t program)
{
    (void)kind;
    return o->owner == program;
}

/* If other names of the call that made the object are left, the deletion is kept with it. */
static int remove_name(struct applied *a, const struct spec_param *p, uint64_t name)
{
    struct flight_space *space = space_of(a, p->object);
    if (p->object == SPEC_OBJECT_context)
        flight_contexts_destroy(a->contexts, name);
    else if (p->object == SPEC_OBJECT_display)
        flight_contexts_end_display(a->contexts, name);
    if (space == NULL || p->object == SPEC_OBJECT_context)
        return 0;
    uint64_t key = key_of(p->object, owner_of(a, p), name);
    const struct flight_object *o = flight_space_find(space, key);
    if (o == NULL)
        return 0;
    uint16_t kind = o->kind;
    int rc = o->made->names > 1 ? kept_call_need(o->made, a->kept) : 0;
    flight_space_remove(a->contexts, space, key);
    flight_contexts_unbind(a->contexts, a->context->group, kind, name);
    if (spec_object_kinds[kind].names == spec_object_kinds[SPEC_OBJECT_program].names)
        flight_space_remove_all(a->contexts, &a->context->group->members, is_member_of, 0, name);
    return rc;
}

/* Binding a name that does not exist creates the object. The first binding may say of which type it is. */
static int bind(struct applied *a, const struct spec_param *p, uint64_t name)
{
    struct flight_space *space = space_of(a, p->object);
    if (p->object == SPEC_OBJECT_context)
        return flight_contexts_make_current(a->contexts, a->kept->call.thread, name, a->kept);
    if (space == NULL || !is_name(p->object, name) || a->spec->sets == 0)
        return 0;
    struct flight_object *o = flight_space_find(space, key_of(p->object, owner_of(a, p), name));
    if (o == NULL)
        return create(a, p, name);
    if (o->bound == NULL && o->made != a->kept)
        kept_call_set(&a->contexts->calls, &o->bound, a->kept);
    return 0;
}

static int apply_name(struct applied *a, const struct spec_param *p, uint64_t name)
{
    if ((p->flags & SPEC_PARAM_CREATE) != 0)
        return create(a, p, name);
    if ((p->flags & SPEC_PARAM_DELETE) != 0)
        return remove_name(a, p, name);
    return bind(a, p, name);
}

static int apply_param(struct applied *a, unsigned i)
{
    const struct spec_param *p = param_of(a->spec, i);
    const uint8_t *at = value_of(a, i);
    uint64_t count = 1, first = flight_value_uint(&a->values, at);
    const uint8_t *element = flight_value_array(&a->values, at, &count);
    int rc = 0;
    if (element == NULL && p->range != SPEC_NO_INDEX)
        count = number_of(a, p->range);
    for (uint64_t n = 0; element == NULL && n < count && n < MOST_NAMES && rc == 0; ++n)
        rc = apply_name(a, p, first + n);
    for (; element != NULL && count > 0 && rc == 0; --count) {
        rc = apply_name(a, p, flight_value_uint(&a->values, element));
        element = flight_value_end(&a->values, element);
    }
    return rc;
}

/* --- what is set ------------------------------------------------------------------------------------ */

/* FNV-1a */
static uint64_t hash_bytes(uint64_t hash, const uint8_t *p, const uint8_t *end)
{
    for (; p != NULL && p < end; ++p)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_arguments(const struct flight_values *v, unsigned count, uint64_t hash)
{
    for (unsigned i = 0; i < count && i < FLIGHT_MAX_ARGS; ++i)
        if (v->args[i] != NULL)
            hash = hash_bytes(hash, v->args[i], flight_value_end(v, v->args[i]));
    return hash;
}

static uint64_t key_of_setting(const struct spec_function *f)
{
    return (f->alias + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
}

/* What selects the place that a call sets: part of the place's key, and needed by the call. */
static int add_selection(struct applied *a, const struct flight_space *bindings, uint64_t *key)
{
    struct flight_values values;
    if (a->spec->sets_by == SPEC_NO_INDEX)
        return 0;
    const struct spec_function *by = &spec_functions[a->spec->sets_by];
    const struct flight_object *selection = flight_space_find(bindings, key_of_setting(by));
    if (selection == NULL)
        return 0;
    if (flight_values_find(&values, &selection->made->call))
        *key = hash_arguments(&values, by->param_count, *key ^ 1);
    return kept_call_need(a->kept, selection->made);
}

/* The object that a setting binds is the last that it names. */
static void find_bound(const struct applied *a, struct flight_object *out)
{
    for (unsigned i = 0; i < a->spec->param_count; ++i) {
        const struct spec_param *p = spec_param(a->spec, i);
        if (p->object != 0 && p->form == SPEC_FORM_VALUE && p->object != SPEC_OBJECT_display) {
            out->kind = p->object;
            out->name = number_of(a, i);
        }
    }
}

/* Settings of the window system are not those of a context. */
static int set(struct applied *a)
{
    struct flight_context *x = (a->spec->api & SPEC_API_GL) != 0 ? a->context : &a->contexts->none;
    struct flight_object setting = {.made = a->kept};
    uint64_t key = key_of_setting(a->spec);
    int rc = add_selection(a, &x->bindings, &key);
    key = hash_arguments(&a->values, a->spec->sets - 1u, key);
    find_bound(a, &setting);
    return rc != 0 ? rc : flight_space_set(a->contexts, &x->bindings, key, &setting);
}

/* --- what is made by two calls --------------------------------------------------------------------- */

static uint64_t key_of_making(const struct applied *a, const struct making *m)
{
    uint64_t key = key_of_setting(&spec_functions[m->begin]);
    for (unsigned i = 0; i < m->place_args; ++i)
        key = (key ^ number_of(a, i)) * UINT64_C(0x9e3779b97f4a7c15);
    return key;
}

/* What is begun is kept until it is ended. */
static int begin_making(struct applied *a, const struct making *m)
{
    const struct flight_object begun = {.made = a->kept};
    return flight_space_set(a->contexts, &a->context->bindings, key_of_making(a, m), &begun);
}

/* If there was no object of the name, both calls are kept as long as there is. */
static int end_making(struct applied *a, const struct making *m)
{
    struct flight_space *bindings = &a->context->bindings;
    const struct flight_object *begun = flight_space_find(bindings, key_of_making(a, m));
    struct applied b = {.contexts = a->contexts, .spec = &spec_functions[m->begin], .context = a->context};
    int rc = 0;
    if (begun == NULL)
        return 0;
    b.kept = begun->made;
    bool is_sound = flight_values_find(&b.values, &b.kept->call);
    for (unsigned i = 0; is_sound && i < b.spec->param_count && rc == 0; ++i) {
        const struct spec_param *p = spec_param(b.spec, i);
        const struct flight_space *space = space_of(&b, p->object);
        uint64_t name = number_of(&b, i);
        if ((p->flags & SPEC_PARAM_BIND) == 0 || space == NULL || !is_name(p->object, name) ||
            flight_space_find(space, key_of(p->object, owner_of(&b, p), name)) != NULL)
            continue;
        rc = kept_call_need(b.kept, a->kept);
        if (rc == 0)
            rc = create(&b, p, name);
    }
    flight_space_remove(a->contexts, bindings, key_of_making(a, m));
    return rc;
}

static int apply_making(struct applied *a)
{
    const struct making *m = making_of(a->spec);
    if (m == NULL)
        return 0;
    return a->spec->id == m->begin ? begin_making(a, m) : end_making(a, m);
}

/* --- what a kept call needs -------------------------------------------------------------------------- */

/* The calls that made the objects that it names, and its context. */
static int add_needs(struct applied *a)
{
    int rc = 0;
    bool makes_current = name_of_kind(a, SPEC_OBJECT_context, SPEC_PARAM_BIND) != 0;
    if (makes_current)
        rc = kept_call_need(a->kept, a->context->made);
    else if (a->context != &a->contexts->none && (a->spec->api & SPEC_API_GL) != 0)
        rc = kept_call_need_current(a->kept, a->context->current);
    for (unsigned i = 0; i < a->spec->param_count && rc == 0; ++i) {
        const struct spec_param *p = spec_param(a->spec, i);
        const struct flight_space *space = space_of(a, p->object);
        if (space == NULL || p->form != SPEC_FORM_VALUE || (p->flags & SPEC_PARAM_DELETE) != 0)
            continue;
        const struct flight_object *o =
            flight_space_find(space, key_of(p->object, owner_of(a, p), number_of(a, i)));
        if (o != NULL)
            rc = kept_call_need(a->kept, o->made);
    }
    return rc;
}

/* --- calls ------------------------------------------------------------------------------------------ */

static bool has_failed(const struct applied *a)
{
    const struct spec_param *ret = &a->spec->ret;
    bool tells = (ret->flags & SPEC_PARAM_ENUM) != 0 &&
                 (ret->group == SPEC_GROUP_Bool || ret->group == SPEC_GROUP_EGLBoolean);
    return tells && flight_value_uint(&a->values, a->values.ret) == 0;
}

static int apply(struct applied *a)
{
    int rc = 0;
    for (unsigned i = 0; i <= a->spec->param_count && rc == 0; ++i)
        if ((param_of(a->spec, i)->flags & ROLES) != 0)
            rc = apply_param(a, i);
    if (rc == 0 && (a->spec->flags & SPEC_FUNCTION_UNBINDS_CONTEXT) != 0)
        rc = flight_contexts_make_current(a->contexts, a->kept->call.thread, 0, a->kept);
    a->context = flight_contexts_current(a->contexts, a->kept->call.thread);
    if (rc == 0 && a->spec->sets != 0)
        rc = set(a);
    if (rc == 0)
        rc = apply_making(a);
    if (rc == 0 && a->kept->refs > 1)
        rc = add_needs(a);
    return rc;
}

int flight_state_add(struct flight_state *s, const struct flight_call *call)
{
    struct applied a = {.contexts = &s->contexts, .spec = &spec_functions[call->function]};
    if (!flight_values_find(&a.values, call) || has_failed(&a))
        return 0;
    a.context = flight_contexts_current(&s->contexts, call->thread);
    a.kept = kept_call_new(&s->contexts.calls, call);
    if (a.kept == NULL)
        return TRACE_ERR_MEMORY;
    int rc = apply(&a);
    kept_call_unref(&s->contexts.calls, a.kept);
    return rc;
}

int flight_state_copy(const struct flight_state *s, struct buf *out, uint64_t *count)
{
    *count += s->contexts.calls.count;
    return kept_calls_copy(&s->contexts.calls, out);
}

size_t flight_state_size(const struct flight_state *s)
{
    return s->contexts.calls.count;
}

int flight_state_new(struct flight_state **out)
{
    struct flight_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
    flight_contexts_init(&s->contexts);
    *out = s;
    return 0;
}

void flight_state_free(struct flight_state *s)
{
    if (s == NULL)
        return;
    flight_contexts_fini(&s->contexts);
    free(s);
}
