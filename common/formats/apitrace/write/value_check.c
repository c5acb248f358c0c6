/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/write/value_check.h"

#include "base/error.h"
#include "formats/apitrace/format.h"

/* The state of a check. */
struct check {
    unsigned depth; /* nesting of arrays, structures and representations around the current value */
    uint64_t items; /* number of items in the call so far */
};

static int check_value(struct check *c, const struct trace_value *v);

static int check_pointer(const void *pointer, uint64_t count, const char *what)
{
    if (count > 0 && pointer == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "%s: the pointer to the data is NULL", what);
    return count <= PTRDIFF_MAX ? 0 : trace_error_set(TRACE_ERR_USAGE, "%s: too large", what);
}

static int check_names(uint32_t id, uint32_t count, const void *names, const char *what)
{
    if (id >= TRACE_ID_LIMIT)
        return trace_error_set(TRACE_ERR_USAGE, "%s: the signature's id is too large", what);
    if (count > TRACE_NAMES_LIMIT)
        return trace_error_set(TRACE_ERR_USAGE, "%s: the signature has more than %lu names", what,
                               (unsigned long)TRACE_NAMES_LIMIT);
    return check_pointer(names, count, what);
}

static int check_items(struct check *c, const struct trace_value *items, uint64_t count, const char *what)
{
    int rc = check_pointer(items, count, what);
    if (rc == 0 && count > TRACE_ITEMS_LIMIT - c->items)
        rc = trace_error_set(TRACE_ERR_USAGE, "%s: more than %lu values in one call", what,
                             (unsigned long)TRACE_ITEMS_LIMIT);
    if (rc != 0)
        return rc;
    c->items += count;
    for (uint64_t i = 0; i < count && rc == 0; ++i)
        rc = check_value(c, &items[i]);
    return rc;
}

static int check_array(struct check *c, const struct trace_value *v)
{
    switch (v->element) {
    case TRACE_FLOAT:
    case TRACE_DOUBLE:
    case TRACE_UINT:
    case TRACE_SINT:
        return check_pointer(v->u.items, v->count, "array");
    case TRACE_NONE:
        return check_items(c, v->u.items, v->count, "array");
    default:
        return trace_error_set(TRACE_ERR_USAGE, "array: elements of type %u cannot be packed", v->element);
    }
}

static int check_struct(struct check *c, const struct trace_value *v)
{
    const struct trace_struct_sig *sig = v->sig.structure;
    if (sig == NULL || sig->name == NULL || v->count != sig->count)
        return trace_error_set(TRACE_ERR_USAGE,
                               "structure: the signature is missing, or has another number of members");
    int rc = check_names(sig->id, sig->count, sig->members, "structure");
    return rc != 0 ? rc : check_items(c, v->u.items, v->count, "structure");
}

static int check_enum(const struct trace_enum_sig *sig)
{
    return sig == NULL ? trace_error_set(TRACE_ERR_USAGE, "enum: no signature")
                       : check_names(sig->id, sig->count, sig->names, "enum");
}

static int check_bitmask(const struct trace_bitmask_sig *sig)
{
    return sig == NULL ? trace_error_set(TRACE_ERR_USAGE, "bitmask: no signature")
                       : check_names(sig->id, sig->count, sig->flags, "bitmask");
}

static int check_nested(struct check *c, const struct trace_value *v)
{
    if (c->depth == TRACE_DEPTH_LIMIT)
        return trace_error_set(TRACE_ERR_USAGE, "values nested deeper than %d", TRACE_DEPTH_LIMIT);
    c->depth++;
    int rc = 0;
    switch (v->type) {
    case TRACE_ENUM:
        rc = check_enum(v->sig.enumeration);
        break;
    case TRACE_ARRAY:
        rc = check_array(c, v);
        break;
    case TRACE_STRUCT:
        rc = check_struct(c, v);
        break;
    case TRACE_CHOICE:
        rc = check_items(c, v->u.items, 1, "alternative");
        break;
    default:
        rc = check_items(c, v->u.items, 2, "representation");
    }
    c->depth--;
    return rc;
}

static int check_value(struct check *c, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_FLOAT:
    case TRACE_DOUBLE:
    case TRACE_OPAQUE:
    case TRACE_BASED:
    case TRACE_RANGED:
    case TRACE_NONE:
        return 0;
    case TRACE_STRING:
        return check_pointer(v->u.string, v->count, "string");
    case TRACE_BLOB:
        return check_pointer(v->u.blob, v->count, "blob");
    case TRACE_WSTRING:
        return check_pointer(v->u.wstring, v->count, "string");
    case TRACE_BITMASK:
        return check_bitmask(v->sig.bitmask);
    case TRACE_ENUM:
    case TRACE_ARRAY:
    case TRACE_STRUCT:
    case TRACE_REPR:
    case TRACE_CHOICE:
        return check_nested(c, v);
    default:
        return trace_error_set(TRACE_ERR_USAGE, "unknown value type %u", v->type);
    }
}

static int check_function(const struct trace_call *call)
{
    const struct trace_function_sig *sig = call->sig;
    if (sig == NULL || sig->name == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "the call has no function");
    int rc = check_names(sig->id, sig->arg_count, sig->arg_names, "arguments");
    for (uint32_t i = 0; rc == 0 && i < sig->arg_count; ++i)
        if (sig->arg_names[i] == NULL)
            rc = trace_error_set(TRACE_ERR_USAGE, "argument %u has no name", i);
    if (rc == 0 && call->arg_count > sig->arg_count)
        rc = trace_error_set(TRACE_ERR_USAGE, "%u arguments, but the function has %u", call->arg_count,
                             sig->arg_count);
    if (rc == 0)
        rc = check_pointer(call->args, call->arg_count, "arguments");
    return rc != 0 && sig->name != NULL ? trace_error_prefix(rc, "%s", sig->name) : rc;
}

int trace_check_call(const struct trace_call *call)
{
    struct check c = {0, 0};
    int rc = check_function(call);
    if (rc != 0)
        return rc;
    for (uint32_t i = 0; i < call->arg_count; ++i)
        if ((rc = check_value(&c, &call->args[i])) != 0)
            return trace_error_prefix(rc, "%s: argument %u", call->sig->name, i);
    if ((rc = check_value(&c, &call->ret)) != 0)
        return trace_error_prefix(rc, "%s: return value", call->sig->name);
    if ((rc = check_pointer(call->frames, call->frame_count, "backtrace")) != 0)
        return trace_error_prefix(rc, "%s", call->sig->name);
    return 0;
}
