/* SPDX-License-Identifier: MIT
 * The list of objects (program, libraries) whose code has occurred in backtraces, in order of first
 * occurrence. The list only grows: an object that is loaded again, or another one at its address, is a new
 * entry. So an address that was recorded when the list had n entries belongs to the last of these that
 * contains it.
 */
#ifndef UNWIND_LOADED_MODULES_H
#define UNWIND_LOADED_MODULES_H

#include "unwind/frame_tables.h"

#include <stdatomic.h>

#define MODULE_BUILD_ID_LIMIT 32

struct link_map;

struct build_id {
    uint32_t size; /* 0: there is none */
    uint8_t bytes[MODULE_BUILD_ID_LIMIT];
};

struct loaded_module {
    uint64_t start, end; /* addresses of its loaded segments */
    uint64_t base;       /* added to the addresses in its file */
    struct build_id build_id;
    uint32_t serial; /* from 0 */
    _Atomic(struct loaded_module *) next;
    const struct link_map *map;
    char path[]; /* as the loader has it; "" for the program */
};

/* Finds the object that contains pc. Returns false if there is none. Takes no lock. */
bool loaded_module_at(uintptr_t pc, struct frame_tables *tables, const struct link_map **map);

/* Adds the object to the list unless it is there. Takes a lock, so signals must be blocked. */
void loaded_modules_note(const struct frame_tables *tables, const struct link_map *map);

/* Returns the entry after `last`, or the first one if `last` is NULL. Returns NULL if there are no more. */
const struct loaded_module *loaded_modules_next(const struct loaded_module *last);

/* Call it in a forked child, because another thread of the parent may have been changing the list. */
void loaded_modules_forget_parent(void);

#endif
