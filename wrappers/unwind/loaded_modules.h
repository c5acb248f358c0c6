/* SPDX-License-Identifier: MIT
 * The objects (program, libraries) whose code was met in backtraces, in the order in which it was met first.
 * The list only grows: an object that is loaded again, or another one at its place, is a new entry. So an
 * address that was taken while the list had n entries is of the last of these that it lies in.
 */
#ifndef UNWIND_LOADED_MODULES_H
#define UNWIND_LOADED_MODULES_H

#include "unwind/frame_tables.h"

#include <stdatomic.h>

#define MODULE_BUILD_ID_LIMIT 32

struct link_map;

struct build_id {
    uint32_t size; /* 0: it has none */
    uint8_t bytes[MODULE_BUILD_ID_LIMIT];
};

struct loaded_module {
    uint64_t start, end; /* of what is loaded of it */
    uint64_t base;       /* what its own addresses are relative to */
    struct build_id build_id;
    uint32_t serial; /* from 0 */
    _Atomic(struct loaded_module *) next;
    const struct link_map *map;
    char path[]; /* as the loader has it; "" for the program itself */
};

/* The object that pc lies in; false for memory of no object. Takes no lock. */
bool loaded_module_at(uintptr_t pc, struct frame_tables *tables, const struct link_map **map);

/* Adds the object to the list unless it is there. Signals must be held off: this takes a lock. */
void loaded_modules_note(const struct frame_tables *tables, const struct link_map *map);

/* The entry behind `last`; the first one for NULL. NULL: there is none. */
const struct loaded_module *loaded_modules_next(const struct loaded_module *last);

/* In a forked child: another thread of the parent may have been at work on the list. */
void loaded_modules_forget_parent(void);

#endif
