/* SPDX-License-Identifier: MIT
 * The table of parameters.inc.
 */
#ifndef RETRACE_STATE_PARAMETER_TABLE_H
#define RETRACE_STATE_PARAMETER_TABLE_H

#include <stddef.h>

#include "state/state_parameters.h"

enum state_type {
    STATE_BOOLEAN,
    STATE_ENUM,
    STATE_INTEGER,
    STATE_FLOAT,
    STATE_POINTER,
    STATE_STRING,
};

enum { STATE_MAX_VALUES = 16 }; /* of a parameter that is no list */

struct state_parameter {
    GLenum pname;
    uint8_t type;  /* enum state_type */
    uint8_t count; /* number of values; 0: `counter` says */
    GLenum counter;
    const char *name;
};

struct state_parameter_list {
    const struct state_parameter *parameters;
    size_t count;
};

/* Indexed by enum state_kind. */
extern const struct state_parameter_list state_parameter_lists[STATE_KIND_COUNT];

#endif
