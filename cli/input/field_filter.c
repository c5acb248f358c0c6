/* SPDX-License-Identifier: MIT */
#include "input/field_filter.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* --- the option ------------------------------------------------------------------------------------ */

static bool parse_integer(const char *text, struct field_number *out)
{
    bool minus = *text == '-';
    char *end;
    if (!isdigit((unsigned char)text[minus]))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text + minus, &end, 0);
    if (errno != 0 || *end != '\0' || (minus && value > (UINT64_C(1) << 63)))
        return false;
    *out = (struct field_number){.is_negative = minus && value > 0, .bits = minus ? 0 - value : value};
    return true;
}

static bool parse_number(const char *text, struct field_number *out)
{
    char *end;
    if (parse_integer(text, out))
        return true;
    *out = (struct field_number){.is_real = true, .real = strtod(text, &end)};
    return end != text && *end == '\0' && !isspace((unsigned char)*text);
}

/* Returns the length of the operator, or 0 if there is none. */
static size_t parse_comparison(const char *text, enum field_comparison *out)
{
    static const struct {
        const char *text;
        enum field_comparison comparison;
    } all[] = {{"!=", FIELD_NOT_EQUAL}, {"<=", FIELD_AT_MOST}, {">=", FIELD_AT_LEAST},
               {"=", FIELD_EQUAL},      {"<", FIELD_BELOW},    {">", FIELD_ABOVE}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (strncmp(text, all[i].text, strlen(all[i].text)) == 0) {
            *out = all[i].comparison;
            return strlen(all[i].text);
        }
    return 0;
}

int field_filter_add(void *filter, const char *text)
{
    struct field_filter *f = filter;
    struct field_condition c = {.name = text, .name_length = strcspn(text, "!=<>")};
    size_t length = parse_comparison(text + c.name_length, &c.comparison);
    if (length == 0 || c.name_length == 0)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not NAME=VALUE, nor with != < <= > or >=", text);
    if (f->count == FIELD_CONDITIONS_MAX)
        return trace_error_set(TRACE_ERR_USAGE, "more than %d conditions", FIELD_CONDITIONS_MAX);
    c.glob = text + c.name_length + length;
    c.is_number = parse_number(c.glob, &c.number);
    if (!c.is_number && c.comparison != FIELD_EQUAL && c.comparison != FIELD_NOT_EQUAL)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" in \"%s\" is not a number", c.glob, text);
    f->conditions[f->count++] = c;
    return 0;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static struct field_number integer_of(bool is_negative, uint64_t bits)
{
    return (struct field_number){.is_negative = is_negative, .bits = bits};
}

static bool number_of(const struct trace_value *v, struct field_number *out)
{
    switch (v->type) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        *out = integer_of(false, v->type == TRACE_TRUE);
        return true;
    case TRACE_UINT:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
        *out = integer_of(false, v->u.uint);
        return true;
    case TRACE_SINT:
        *out = integer_of(v->u.sint < 0, v->u.uint);
        return true;
    case TRACE_ENUM:
    case TRACE_BASED:
    case TRACE_RANGED:
        *out = integer_of(v->negative && v->u.sint < 0, v->u.uint);
        return true;
    case TRACE_FLOAT:
        *out = (struct field_number){.is_real = true, .real = (double)v->u.f32};
        return true;
    case TRACE_DOUBLE:
        *out = (struct field_number){.is_real = true, .real = v->u.f64};
        return true;
    default:
        return false;
    }
}

static double real_of(const struct field_number *n)
{
    return n->is_real ? n->real : n->is_negative ? (double)(int64_t)n->bits : (double)n->bits;
}

static bool holds(enum field_comparison comparison, bool is_below, bool is_equal, bool is_above)
{
    switch (comparison) {
    case FIELD_BELOW:
        return is_below;
    case FIELD_AT_MOST:
        return is_below || is_equal;
    case FIELD_ABOVE:
        return is_above;
    case FIELD_AT_LEAST:
        return is_above || is_equal;
    default: /* the caller turns FIELD_NOT_EQUAL round */
        return is_equal;
    }
}

/* A number that is compared with a float is first rounded to one. Nothing holds of what is not a number. */
static bool number_holds(const struct field_condition *c, const struct trace_value *v)
{
    struct field_number a;
    if (!c->is_number || !number_of(v, &a))
        return false;
    const struct field_number *b = &c->number;
    if (a.is_real || b->is_real) {
        double x = real_of(&a), y = real_of(b);
        y = v->type == TRACE_FLOAT ? (double)(float)y : y;
        return holds(c->comparison, x<y, x == y, x> y);
    }
    if (a.is_negative != b->is_negative)
        return holds(c->comparison, a.is_negative, false, b->is_negative);
    return holds(c->comparison, a.bits<b->bits, a.bits == b->bits, a.bits> b->bits);
}

/* --- texts ----------------------------------------------------------------------------------------- */

static bool fits(const char *glob, const char *text)
{
    return text != NULL && fnmatch(glob, text, FNM_EXTMATCH) == 0;
}

static bool flag_fits(const char *glob, const struct trace_value *v)
{
    const struct trace_bitmask_sig *sig = v->sig.bitmask;
    for (uint32_t i = 0; i < sig->count; ++i)
        if (sig->flags[i].value != 0 && (v->u.uint & sig->flags[i].value) == sig->flags[i].value &&
            fits(glob, sig->flags[i].name))
            return true;
    return false;
}

static bool label_fits(const char *glob, const struct trace_value *v)
{
    const struct trace_range_sig *sig = v->sig.ranges;
    for (uint32_t i = 0; i < sig->count; ++i)
        if (trace_range_has(sig, &sig->labels[i], v->u.uint) && fits(glob, sig->labels[i].name))
            return true;
    return false;
}

static bool text_fits(const char *glob, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_STRING:
        return fits(glob, v->u.string);
    case TRACE_ENUM:
        return fits(glob, trace_enum_find_name(v->sig.enumeration, v->u.sint));
    case TRACE_BITMASK:
        return flag_fits(glob, v);
    case TRACE_RANGED:
        return label_fits(glob, v);
    case TRACE_FALSE:
    case TRACE_TRUE:
        return fits(glob, v->type == TRACE_TRUE ? "true" : "false");
    case TRACE_NULL:
        return fits(glob, "NULL");
    case TRACE_REPR:
        return text_fits(glob, &v->u.items[0]);
    default:
        return false;
    }
}

/* --- values ---------------------------------------------------------------------------------------- */

static bool holds_of(const struct field_condition *c, const struct trace_value *v)
{
    const struct trace_value *number = v->type == TRACE_REPR ? &v->u.items[1] : v;
    bool is_text = c->comparison == FIELD_EQUAL || c->comparison == FIELD_NOT_EQUAL;
    bool result = number_holds(c, number) || (is_text && text_fits(c->glob, v));
    return result != (c->comparison == FIELD_NOT_EQUAL);
}

static bool find_element(const struct trace_value *v, const char *name, size_t length,
                         struct trace_value *out)
{
    char *end;
    unsigned long long index = strtoull(name, &end, 10);
    if (!isdigit((unsigned char)*name) || end != name + length || index >= v->count)
        return false;
    if (v->element != TRACE_NONE)
        trace_array_get(v, index, out);
    else
        *out = v->u.items[index];
    return true;
}

static bool find_value(const char *const *names, const struct trace_value *values, uint64_t count,
                       const char *name, size_t length, struct trace_value *out);

/* Finds what the path leads to, from the value on. */
static bool descend(const struct trace_value *v, const char *path, size_t length, struct trace_value *out)
{
    const char *dot = memchr(path, '.', length);
    size_t first = dot != NULL ? (size_t)(dot - path) : length;
    while (v->type == TRACE_CHOICE)
        v = &v->u.items[0];
    if (v->type == TRACE_STRUCT)
        return find_value(v->sig.structure->members, v->u.items, v->count, path, length, out);
    if (v->type != TRACE_ARRAY || !find_element(v, path, first, out))
        return false;
    if (dot == NULL)
        return true;
    struct trace_value element = *out;
    return descend(&element, path + first + 1, length - first - 1, out);
}

/* Names may contain dots themselves. */
static bool find_value(const char *const *names, const struct trace_value *values, uint64_t count,
                       const char *name, size_t length, struct trace_value *out)
{
    for (uint64_t i = 0; i < count; ++i) {
        size_t n = strlen(names[i]);
        if (n > length || memcmp(names[i], name, n) != 0)
            continue;
        *out = values[i];
        if (n == length)
            return true;
        if (name[n] == '.' && descend(&values[i], name + n + 1, length - n - 1, out))
            return true;
    }
    return false;
}

/* "ret" of a call that is whole; of its two ends, only one would have the value. */
static bool find_result(const struct trace_event *event, const struct field_condition *c,
                        struct trace_value *out)
{
    static const char *const names[] = {"ret"};
    return event->kind == TRACE_EVENT_CALL &&
           find_value(names, &event->call->ret, 1, c->name, c->name_length, out);
}

static bool find_field(const struct trace_event *event, const struct field_condition *c,
                       struct trace_value *out)
{
    static const enum trace_scope order[] = {TRACE_SCOPE_PAYLOAD, TRACE_SCOPE_SPECIFIC, TRACE_SCOPE_COMMON,
                                             TRACE_SCOPE_PACKET};
    const struct trace_call *call = event->call;
    if (call != NULL && call->args != NULL &&
        find_value(call->sig->arg_names, call->args, call->sig->arg_count, c->name, c->name_length, out))
        return true;
    for (size_t i = 0; event->record != NULL && i < sizeof order / sizeof order[0]; ++i) {
        const struct trace_value *scope = &event->record->scopes[order[i]];
        if (scope->type == TRACE_STRUCT && descend(scope, c->name, c->name_length, out))
            return true;
    }
    return find_result(event, c, out);
}

static bool condition_holds(const struct field_condition *c, const struct trace_event *event)
{
    struct trace_value value;
    if (!find_field(event, c, &value))
        return false;
    while (value.type == TRACE_CHOICE)
        value = value.u.items[0];
    return value.type != TRACE_NONE && holds_of(c, &value);
}

bool field_filter_matches(const struct field_filter *f, const struct trace_event *event)
{
    for (size_t i = 0; i < f->count; ++i)
        if (!condition_holds(&f->conditions[i], event))
            return false;
    return true;
}
