/* SPDX-License-Identifier: MIT
 * Runs the instructions of call frame information (DWARF 5, section 6.4.2) up to one place in the code, for
 * those registers that a backtrace needs.
 */
#ifndef UNWIND_CFA_PROGRAM_H
#define UNWIND_CFA_PROGRAM_H

#include "unwind/frame_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a section. Reading behind the end gives zeros and sets failed. */
struct frame_bytes {
    const uint8_t *at, *end;
    bool failed;
};

uint64_t frame_bytes_fixed(struct frame_bytes *b, unsigned size); /* 1, 2, 4 or 8 bytes */
uint64_t frame_bytes_unsigned(struct frame_bytes *b);             /* LEB128 */
int64_t frame_bytes_signed(struct frame_bytes *b);
void frame_bytes_skip(struct frame_bytes *b, uint64_t size);

/* A pointer of the encoding (DW_EH_PE_*), relative to where it stands if the encoding says so, and to data.
 * Fails on what .eh_frame does not use. */
uintptr_t frame_bytes_pointer(struct frame_bytes *b, uint8_t encoding, uintptr_t data);

/* A common information entry, and what its frame description entry says. */
struct frame_entry {
    struct frame_bytes initial, instructions;
    uint64_t code_factor;
    int64_t data_factor;
    uint64_t return_register;
    uint8_t pointer_encoding;
    bool signal, has_augmentation;
    uintptr_t start, end; /* the code that it is about */
};

/* The rule at pc, which lies in the entry's code. */
struct frame_rule cfa_program_run(const struct frame_entry *entry, uintptr_t pc);

#endif
