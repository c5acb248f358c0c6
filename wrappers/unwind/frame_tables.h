/* SPDX-License-Identifier: MIT
 * The call frame information of a loaded object: its search table (.eh_frame_hdr), and the entry of a
 * location.
 */
#ifndef UNWIND_FRAME_TABLES_H
#define UNWIND_FRAME_TABLES_H

#include "unwind/frame_rule.h"

/* A loaded object, as far as it is needed for unwinding. */
struct frame_tables {
    uintptr_t start, end;  /* addresses of its loaded segments */
    const uint8_t *header; /* .eh_frame_hdr; NULL: there is none */
};

/* Returns the rule for the code at pc, which must be in the object. Its kind is CFA_UNKNOWN if there is no
 * information. */
struct frame_rule frame_tables_find(const struct frame_tables *object, uintptr_t pc);

#endif
