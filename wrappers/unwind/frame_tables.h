/* SPDX-License-Identifier: MIT
 * Call frame information of a loaded object: the table that leads to it (.eh_frame_hdr), and the entry of a
 * place.
 */
#ifndef UNWIND_FRAME_TABLES_H
#define UNWIND_FRAME_TABLES_H

#include "unwind/frame_rule.h"

/* An object that is loaded, as far as unwinding goes. */
struct frame_tables {
    uintptr_t start, end;  /* of what is loaded of it */
    const uint8_t *header; /* .eh_frame_hdr; NULL: none */
};

/* The rule for the code at pc, which lies in the object; of kind CFA_UNKNOWN when there is none. */
struct frame_rule frame_tables_find(const struct frame_tables *object, uintptr_t pc);

#endif
