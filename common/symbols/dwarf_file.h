/* SPDX-License-Identifier: MIT
 * The debug information of an ELF file: its compilation units by address, each read when it is first needed.
 */
#ifndef SYMBOLS_DWARF_FILE_H
#define SYMBOLS_DWARF_FILE_H

#include "symbols/address_map.h"
#include "symbols/dwarf_sections.h"
#include "symbols/elf_file.h"

#include <libdwarf/libdwarf.h>

struct dwarf_unit;

/* A unit that has code. */
struct dwarf_unit_place {
    uint64_t die;            /* offset of its DIE in .debug_info */
    struct dwarf_unit *unit; /* NULL: not read */
    uint64_t last_use;
    bool failed; /* cannot be read */
};

struct dwarf_file {
    struct elf_file *elf; /* lent */
    struct dwarf_sections sections;
    Dwarf_Debug debug;
    struct dwarf_unit_place *units;
    size_t unit_count;
    size_t unit_room;
    struct address_map map; /* to the index of a unit */
    uint64_t lowest;        /* address of code; what claims to be below it was left out by the linker */
    size_t memory;          /* bytes that the units take which have been read */
};

/* elf must outlive *out, which the caller owns (dwarf_file_close). *out is NULL where there is no debug
 * information. TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int dwarf_file_open(struct dwarf_file **out, struct elf_file *elf);
void dwarf_file_close(struct dwarf_file *f); /* NULL is fine */

/* *out: the unit with the code at this address, NULL if there is none; lent until dwarf_file_forget_oldest().
 * now: a clock of uses. */
int dwarf_file_find_unit(struct dwarf_file *f, uint64_t address, uint64_t now, struct dwarf_unit **out);

/* The use of the unit that has not been used for longest; UINT64_MAX: none is read. */
uint64_t dwarf_file_oldest_use(const struct dwarf_file *f);

/* Frees that unit. It is read again when it is needed. */
void dwarf_file_forget_oldest(struct dwarf_file *f);

/* The code of libdwarf's error, which is freed, as one of ours; the message says what and where. */
int dwarf_file_error(const struct dwarf_file *f, const char *what, Dwarf_Error error);

#endif
