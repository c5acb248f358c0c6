/* SPDX-License-Identifier: MIT
 * What glListBase() has set, in the trace and in the driver, and what glPushAttrib() has saved of it.
 */
#ifndef RETRACE_LIST_BASES_H
#define RETRACE_LIST_BASES_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_SAVED_BASES = 64 };

struct list_base {
    uint32_t traced, real;
};

struct list_bases {
    struct list_base now;
    unsigned depth; /* how often attributes are saved */
    struct saved_base {
        struct list_base base;
        bool is_saved; /* with other attributes, it is not */
    } saved[MAX_SAVED_BASES];
};

/* glPushAttrib(), for which the driver has room, and glPopAttrib(). What is too much is ignored. */
void list_bases_push(struct list_bases *b, bool is_saved);
void list_bases_pop(struct list_bases *b);

#endif
