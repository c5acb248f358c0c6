/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_functions.h"

#include "base/error.h"
#include "formats/xray/xray_cursor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DENSE_MAX 65536u /* numbers below have an array, others a map */
#define EVENT_IDS 2u     /* ids of the signatures of events */

static const char *const event_args[] = {"data"};
static const char *const typed_args[] = {"type", "data"};

const struct trace_function_sig xray_custom_sig = {
    .id = 0, .name = XRAY_CUSTOM_NAME, .arg_count = 1, .arg_names = event_args};
const struct trace_function_sig xray_typed_sig = {
    .id = 1, .name = XRAY_TYPED_NAME, .arg_count = 2, .arg_names = typed_args};

/* The log has no names of arguments. */
static const char *const arg_names[] = {"a0",  "a1",  "a2",  "a3",  "a4",  "a5",  "a6",  "a7",
                                        "a8",  "a9",  "a10", "a11", "a12", "a13", "a14", "a15",
                                        "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23",
                                        "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31"};
_Static_assert(sizeof arg_names / sizeof *arg_names == XRAY_ARGS_MAX, "a name for each argument");

void xray_functions_fini(struct xray_functions *f)
{
    free(f->dense);
    int_map_fini(&f->others);
    arena_fini(&f->arena);
}

static int grow_dense(struct xray_functions *f, uint32_t number)
{
    uint32_t count = f->dense_count == 0 ? 64 : f->dense_count;
    while (count <= number)
        count *= 2;
    struct xray_function **dense = realloc(f->dense, count * sizeof(struct xray_function *));
    if (dense == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (uint32_t i = f->dense_count; i < count; ++i)
        dense[i] = NULL;
    f->dense = dense;
    f->dense_count = count;
    return 0;
}

/* Returns the function's first signature, or NULL. */
static struct xray_function *find_first(const struct xray_functions *f, uint32_t number)
{
    uint64_t address;
    if (number < f->dense_count)
        return f->dense[number];
    return int_map_get(&f->others, number, &address) ? (struct xray_function *)(uintptr_t)address : NULL;
}

static int set_first(struct xray_functions *f, uint32_t number, struct xray_function *function)
{
    if (number >= DENSE_MAX)
        return int_map_set(&f->others, number, (uint64_t)(uintptr_t)function);
    int rc = number >= f->dense_count ? grow_dense(f, number) : 0;
    if (rc == 0)
        f->dense[number] = function;
    return rc;
}

static struct xray_function *new_function(struct xray_functions *f, uint32_t number, uint32_t args)
{
    char text[16];
    snprintf(text, sizeof text, "#%" PRIu32, number);
    const char *name = f->namer != NULL ? f->namer(f->context, number) : text;
    f->rc = name != NULL ? TRACE_ERR_MEMORY : TRACE_ERR_FORMAT;
    struct xray_function *function = name != NULL ? arena_alloc(&f->arena, sizeof *function) : NULL;
    char *copy = function != NULL ? arena_copy(&f->arena, name, strlen(name) + 1) : NULL;
    if (copy == NULL)
        return NULL;
    *function = (struct xray_function){.sig = {.id = EVENT_IDS + f->count++,
                                               .name = copy,
                                               .arg_count = args,
                                               .arg_names = arg_names,
                                               .number = number}};
    return function;
}

const struct trace_function_sig *xray_functions_add(struct xray_functions *f, uint32_t number, uint32_t args)
{
    struct xray_function *first = find_first(f, number), *function = first;
    while (function != NULL && function->sig.arg_count != args)
        function = function->next;
    if (function != NULL)
        return &function->sig;
    function = new_function(f, number, args);
    if (function == NULL)
        return NULL;
    if (first != NULL) {
        function->next = first->next;
        first->next = function;
        return &function->sig;
    }
    return set_first(f, number, function) == 0 ? &function->sig : NULL;
}
