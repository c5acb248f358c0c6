/* SPDX-License-Identifier: MIT */
#include "diff/state_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int state_tree_compare_names(const struct json_member *a, const struct json_member *b)
{
    size_t size = a->name_size < b->name_size ? a->name_size : b->name_size;
    int order = memcmp(a->name, b->name, size);
    return order != 0 ? order : (a->name_size > b->name_size) - (a->name_size < b->name_size);
}

/* --- preparation ----------------------------------------------------------------------------------- */

/* Values of an object are one array, so their order is that of the file. */
static int by_name(const void *a, const void *b)
{
    const struct json_member *m = a, *n = b;
    int order = state_tree_compare_names(m, n);
    return order != 0 ? order : (m->value > n->value) - (m->value < n->value);
}

static bool describes(const struct json_member *m)
{
    return m->name_size >= 4 && memcmp(m->name, "__", 2) == 0 &&
           memcmp(m->name + m->name_size - 2, "__", 2) == 0;
}

static void prepare_object(struct json_value *v, bool keep_images)
{
    size_t kept = 0;
    for (size_t i = 0; i < v->count && !keep_images; ++i) {
        if (strcmp(v->members[i].name, "__class__") == 0) {
            v->kind = JSON_NULL;
            return;
        }
    }
    qsort(v->members, v->count, sizeof *v->members, by_name);
    for (size_t i = 0; i < v->count; ++i) {
        const struct json_member *m = &v->members[i];
        if (!keep_images && describes(m))
            continue;
        if (kept > 0 && state_tree_compare_names(&v->members[kept - 1], m) == 0)
            --kept;
        v->members[kept++] = *m;
    }
    v->count = kept;
    for (size_t i = 0; i < kept; ++i)
        state_tree_prepare(v->members[i].value, keep_images);
}

void state_tree_prepare(struct json_value *v, bool keep_images)
{
    if (v->kind == JSON_OBJECT)
        prepare_object(v, keep_images);
    for (size_t i = 0; v->kind == JSON_ARRAY && i < v->count; ++i)
        state_tree_prepare(&v->items[i], keep_images);
}

/* --- comparison ------------------------------------------------------------------------------------ */

const struct json_value *state_tree_member(const struct json_value *object, const struct json_member *like)
{
    size_t low = 0, high = object->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = state_tree_compare_names(&object->members[middle], like);
        if (order == 0)
            return object->members[middle].value;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool equal_objects(const struct json_value *a, const struct json_value *b, bool ignore_added)
{
    if (a->count != b->count && !ignore_added)
        return false;
    for (size_t i = 0; i < a->count; ++i)
        if (!state_tree_equal(a->members[i].value, state_tree_member(b, &a->members[i]), ignore_added))
            return false;
    return true;
}

static bool equal_arrays(const struct json_value *a, const struct json_value *b, bool ignore_added)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; ++i)
        if (!state_tree_equal(&a->items[i], &b->items[i], ignore_added))
            return false;
    return true;
}

static bool equal_reals(double a, double b)
{
    static const double tolerance = 0x1p-24;
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (a == b)
        return true;
    return a == 0 ? fabs(b) < tolerance : fabs((b - a) / a) < tolerance;
}

static bool is_number(const struct json_value *v)
{
    return v->kind == JSON_INTEGER || v->kind == JSON_REAL;
}

static bool equal_texts(const struct json_value *a, const struct json_value *b)
{
    return a->count == b->count && memcmp(a->text, b->text, a->count) == 0;
}

bool state_tree_equal(const struct json_value *a, const struct json_value *b, bool ignore_added)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (is_number(a) && is_number(b) && (a->kind == JSON_REAL || b->kind == JSON_REAL))
        return equal_reals(strtod(a->text, NULL), strtod(b->text, NULL));
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case JSON_INTEGER:
    case JSON_STRING:
        return equal_texts(a, b);
    case JSON_ARRAY:
        return equal_arrays(a, b, ignore_added);
    case JSON_OBJECT:
        return equal_objects(a, b, ignore_added);
    default:
        return true;
    }
}
