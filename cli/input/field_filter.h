/* SPDX-License-Identifier: MIT
 * The option --field=NAME=VALUE: which values the arguments of calls, or the fields of events, must have. The
 * grammar is NAME OPERATOR VALUE. NAME is that of an argument or a field, with its members and the numbers of
 * elements behind dots: "rect.width", "values.0"; "ret" is what a call returned. Operators are = != < <= >
 * >=. VALUE is a number, or a glob for texts and for names of enumerations and flags.
 */
#ifndef CLI_FIELD_FILTER_H
#define CLI_FIELD_FILTER_H

#include "trace/event.h"

#define FIELD_CONDITIONS_MAX 32

enum field_comparison {
    FIELD_EQUAL,
    FIELD_NOT_EQUAL,
    FIELD_BELOW,
    FIELD_AT_MOST,
    FIELD_ABOVE,
    FIELD_AT_LEAST,
};

/* An integer from -2^63 to 2^64 - 1, or a real number. */
struct field_number {
    bool is_real;
    bool is_negative; /* of an integer; it is then (int64_t)bits, otherwise bits */
    uint64_t bits;
    double real;
};

struct field_condition {
    const char *name; /* lent, likewise the value */
    size_t name_length;
    enum field_comparison comparison;
    const char *glob;
    bool is_number; /* the next member counts, too */
    struct field_number number;
};

struct field_filter {
    struct field_condition conditions[FIELD_CONDITIONS_MAX];
    size_t count; /* 0: everything matches */
};

/* Adds a condition; text is lent. filter is a struct field_filter: this is a function of option tables.
 * Errors: TRACE_ERR_USAGE. */
int field_filter_add(void *filter, const char *text);

/* Returns whether all conditions hold: of a call's arguments, or of the fields of the event, its payload's
 * first. Without the argument or field, or a value of it, its condition does not hold. */
bool field_filter_matches(const struct field_filter *f, const struct trace_event *event);

#endif
