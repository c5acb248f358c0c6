/* SPDX-License-Identifier: MIT
 * Runs the instructions of call frame information (DWARF 5, section 6.4.2) up to a location in the code, for
 * the registers that a backtrace needs.
 */
#ifndef UNWIND_CFA_PROGRAM_H
#define UNWIND_CFA_PROGRAM_H

#include "unwind/frame_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a section. Reading beyond the end returns zeros and sets failed. */
struct frame_bytes {
    const uint8_t *at, *end;
    bool failed;
};

uint64_t frame_bytes_fixed(struct frame_bytes *b, unsigned size); /* 1, 2, 4 or 8 bytes */
uint64_t frame_bytes_unsigned(struct frame_bytes *b);             /* LEB128 */
int64_t frame_bytes_signed(struct frame_bytes *b);
void frame_bytes_skip(struct frame_bytes *b, uint64_t size);

/* Reads a pointer with this encoding (DW_EH_PE_*), relative to its own address or to data if the encoding
 * says so. Fails for encodings that .eh_frame does not use. */
uintptr_t frame_bytes_pointer(struct frame_bytes *b, uint8_t encoding, uintptr_t data);

/* A frame description entry, and the common information entry to which it refers. */
struct frame_entry {
    struct frame_bytes initial, instructions;
    uint64_t code_factor;
    int64_t data_factor;
    uint64_t return_register;
    uint8_t pointer_encoding;
    bool signal, has_augmentation;
    uintptr_t start, end; /* the code that it describes */
};

/* Returns the rule at pc, which must be in the entry's code. */
struct frame_rule cfa_program_run(const struct frame_entry *entry, uintptr_t pc);

#endif
