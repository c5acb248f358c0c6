/* SPDX-License-Identifier: MIT
 * glArrayElement() with client-side arrays. Arrays cannot be set between glBegin() and glEnd(), and at
 * glBegin() it is unknown which elements will be read. So the trace disables the client-side arrays between
 * glBegin() and glEnd(). Each glArrayElement() is preceded by the calls that it is equivalent to, with the
 * values of the element: glColor4ubv(), glNormal3fv(), …; glVertex3fv() follows it.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "gl/gl_client_arrays.h"
#include "gl/gl_draw_indices.h"
#include "gl/gl_element_values.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <stdlib.h>

/* The client-side arrays that are enabled between glBegin() and glEnd(). */
struct gl_array_elements {
    uint32_t unit;    /* the client texture unit that the program has selected */
    uint32_t element; /* index of the current glArrayElement() */
    bool disabled;    /* the arrays are disabled in the trace */
    bool restarts;    /* element `restart` is no vertex, but begins a new primitive */
    uint32_t restart;
    unsigned count;
    struct gl_client_array arrays[GL_ARRAY_COUNT];
};

/* --- glBegin() … glEnd() ----------------------------------------------------------------------------- */

static void keep_array(struct capture_thread *t, const struct gl_client_array *array, void *data)
{
    (void)data;
    struct gl_array_elements *e = t->context->elements;
    e->arrays[e->count++] = *array;
}

static void find_arrays(struct capture_thread *t)
{
    struct gl_context *c = t->context;
    if (c->elements == NULL)
        c->elements = calloc(1, sizeof *c->elements);
    if (c->elements == NULL)
        return;
    c->elements->disabled = false;
    c->elements->unit = gl_client_arrays_unit(c).program;
    c->elements->restarts = gl_draw_indices_restart(c, &c->elements->restart);
    gl_client_arrays_visit(t, keep_array, NULL);
}

static void record_enable(struct capture_thread *t, enum gl_array array, bool enable)
{
    bool generic = array >= GL_ARRAY_GENERIC_0;
    const union spec_arg args[1] = {{.u = generic ? (uint32_t)array - GL_ARRAY_GENERIC_0 //
                                                  : gl_client_array_state(array)}};
    if (generic)
        capture_fake_call(t, enable ? SPEC_FN_glEnableVertexAttribArray : SPEC_FN_glDisableVertexAttribArray,
                          args);
    else
        capture_fake_call(t, enable ? SPEC_FN_glEnableClientState : SPEC_FN_glDisableClientState, args);
}

static void record_enables(struct capture_thread *t, bool enable)
{
    struct gl_array_elements *e = t->context->elements;
    struct gl_client_unit unit = {e->unit, e->unit};
    for (unsigned i = 0; i < e->count; ++i) {
        gl_client_arrays_enter_unit(t, &unit, e->arrays[i].array);
        record_enable(t, e->arrays[i].array, enable);
    }
    gl_client_arrays_leave_unit(t, &unit);
    e->disabled = !enable;
}

/* GL rejects other modes. Core profiles and OpenGL ES do not have glBegin(). */
static bool can_begin(const struct gl_context *c, uint64_t mode)
{
    return mode <= SPEC_GL_PATCHES && !c->core && c->profile != GL_PROFILE_ES;
}

static void begin_primitives(struct capture_thread *t, uint32_t mode)
{
    struct gl_context *c = t->context;
    if (c->in_begin)
        return;
    if (c->elements != NULL)
        c->elements->count = 0;
    if (c->arrays->client_pointers != 0)
        find_arrays(t);
    if ((c->used & GL_USES_ARRAY_ELEMENT) != 0 && c->elements != NULL && c->elements->count != 0)
        record_enables(t, false);
    c->begun = mode;
    c->in_begin = true;
}

/* glBegin(mode) */
DEFINE_HOOK(begin)
{
    UNUSED_HOOK_ARGUMENTS;
    if (can_begin(t->context, args[0].u))
        begin_primitives(t, (uint32_t)args[0].u);
}

static void complete_end(struct capture_thread *t)
{
    record_enables(t, true);
}

static void end_primitives(struct capture_thread *t)
{
    struct gl_context *c = t->context;
    c->in_begin = false;
    if (c->elements != NULL && c->elements->disabled)
        t->complete = complete_end;
}

/* A display list may begin primitives without ending them, or the reverse. c->list_ends then contains the
 * mode, or this value. */
#define LIST_ENDS UINT32_MAX

/* glEnd() */
DEFINE_HOOK(end)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (c->compiling && !c->in_begin)
        int_map_set(&c->list_ends, c->list, LIST_ENDS);
    end_primitives(t);
}

/* glNewList(list, mode): commands that are only compiled have no effect yet. */
DEFINE_HOOK(new_list)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (c->in_begin)
        return;
    c->in_list = args[0].u != 0;
    c->compiling = args[1].u == SPEC_GL_COMPILE;
    c->list = (uint32_t)args[0].u;
    if (c->list_ends.cap != 0)
        int_map_remove(&c->list_ends, c->list);
}

DEFINE_HOOK(end_list)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (c->compiling && c->in_begin) {
        int_map_set(&c->list_ends, c->list, c->begun);
        c->in_begin = false;
    }
    c->compiling = c->in_list = false;
}

static void run_list(struct capture_thread *t, uint32_t list)
{
    uint64_t end;
    if (!int_map_get(&t->context->list_ends, list, &end))
        return;
    if (end == LIST_ENDS)
        end_primitives(t);
    else
        begin_primitives(t, (uint32_t)end);
}

/* glCallList(list) */
DEFINE_HOOK(call_list)
{
    UNUSED_HOOK_ARGUMENTS;
    if (t->context->list_ends.cap != 0)
        run_list(t, (uint32_t)args[0].u);
}

/* glCallLists(n, type, lists). The list base cannot be queried between glBegin() and glEnd(). The next
 * glEnd() then ends the primitives. */
DEFINE_HOOK(call_lists)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    unsigned size = gl_draw_index_size((uint32_t)args[1].u);
    if (c->list_ends.cap == 0 || c->in_begin || size == 0 || args[0].i <= 0 ||
        !program_memory_readable(args[2].p, (uint64_t)args[0].i * size))
        return;
    uint32_t base = (uint32_t)gl_driver_integer(SPEC_GL_LIST_BASE);
    for (int64_t i = 0; i < args[0].i; ++i)
        run_list(t, base + gl_draw_load_index(args[2].p, size, i));
}

/* --- glArrayElement() -------------------------------------------------------------------------------- */

/* These arrays specify a vertex, so they must come last. */
static bool is_vertex(const struct gl_client_array *a)
{
    return a->array == GL_ARRAY_VERTEX || a->array == GL_ARRAY_GENERIC_0;
}

static void record_values(struct capture_thread *t, bool vertex)
{
    struct gl_array_elements *e = t->context->elements;
    const struct gl_client_array *last = NULL;
    for (unsigned i = 0; i < e->count; ++i) {
        if (!is_vertex(&e->arrays[i])) {
            if (!vertex)
                gl_element_values_record(t, &e->arrays[i], e->element);
        } else {
            last = &e->arrays[i]; /* generic attribute 0 takes precedence over the vertex */
        }
    }
    if (vertex && last != NULL)
        gl_element_values_record(t, last, e->element);
}

static void complete_array_element(struct capture_thread *t)
{
    record_values(t, true);
}

/* For the first glArrayElement() in a context, glBegin() has already been recorded with the arrays enabled.
 */
static void disable_belatedly(struct capture_thread *t)
{
    const union spec_arg mode[1] = {{.u = t->context->begun}};
    capture_fake_call(t, SPEC_FN_glEnd, NULL);
    record_enables(t, false);
    capture_fake_call(t, SPEC_FN_glBegin, mode);
}

/* glArrayElement(i) */
DEFINE_HOOK(array_element)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (c->arrays->client_pointers == 0)
        return;
    c->used |= GL_USES_ARRAY_ELEMENT;
    if (!c->in_begin) {
        const struct gl_array_range range = {(uint32_t)args[0].i, (uint64_t)(uint32_t)args[0].i + 1, 1, 0};
        if (args[0].i >= 0)
            gl_client_arrays_record(t, &range);
        return;
    }
    if (c->elements == NULL || c->elements->count == 0 || args[0].i < 0)
        return;
    if (!c->elements->disabled)
        disable_belatedly(t);
    c->elements->element = (uint32_t)args[0].i;
    if (c->elements->restarts && c->elements->element == c->elements->restart)
        return;
    record_values(t, false);
    t->complete = complete_array_element;
}
