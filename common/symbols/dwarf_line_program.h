/* SPDX-License-Identifier: MIT
 * Reads a line number program of .debug_line (DWARF 5, section 6.2): its files, and its rows.
 */
#ifndef SYMBOLS_DWARF_LINE_PROGRAM_H
#define SYMBOLS_DWARF_LINE_PROGRAM_H

#include "symbols/dwarf_die.h"

#define DWARF_OPCODES_MAX 256

struct dwarf_line_head {
    struct dwarf_sizes sizes; /* of forms in it */
    uint64_t program, end;    /* offsets in .debug_line */
    uint8_t instruction_size; /* bytes, at least */
    uint8_t operations;       /* in an instruction, at most */
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    uint8_t operands[DWARF_OPCODES_MAX]; /* of standard opcodes */
    struct section_bytes tables;         /* of directories and files */
};

/* Receives files and rows. Each function returns 0, or an error, which ends the reading. Texts are lent by
 * their sections. */
struct dwarf_line_sink {
    int (*add_directory)(void *context, const char *path);
    int (*add_file)(void *context, const char *name, uint64_t directory); /* numbered as they come */
    int (*add_row)(void *context, uint64_t address, uint64_t file, uint64_t line);
    int (*end_sequence)(void *context, uint64_t address);
    void *context;
};

/* Reads the head of the program at this offset of data->line. Returns false if it is malformed. */
bool dwarf_line_head_read(struct dwarf_line_head *out, const struct dwarf_data *data, uint64_t offset);

/* Reads the directories and files. Both are numbered from 1 before version 5, and from 0 in version 5, where
 * directory 0 is that of the unit. Stops where they are malformed. Returns the sink's errors. */
int dwarf_line_files_read(const struct dwarf_line_head *head, const struct dwarf_data *data,
                          const struct dwarf_head *unit, const struct dwarf_line_sink *sink);

/* Runs the program. Stops where it is malformed. Returns the sink's errors. */
int dwarf_line_program_run(const struct dwarf_line_head *head, const struct dwarf_data *data,
                           const struct dwarf_line_sink *sink);

#endif
