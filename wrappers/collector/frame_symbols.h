/* SPDX-License-Identifier: MIT
 * Names the functions in a process's call stacks, from the files of its modules.
 */
#ifndef COLLECTOR_FRAME_SYMBOLS_H
#define COLLECTOR_FRAME_SYMBOLS_H

#include "records/stack_frames.h"

#include <sys/types.h>

struct frame_symbols;

struct frame_symbols_options {
    pid_t pid;           /* the process, which must live */
    const char *program; /* path of its program */
    bool expected;       /* there will be backtraces: keeps what would be gone with the process */
    bool verbose;        /* prints on stderr what is wrong with the files */
    const char *const *debug_directories; /* searched before /usr/lib/debug, up to a NULL; lent. NULL: none */
};

/* Has the places of *frames described. The caller owns *out (frame_symbols_free), which must outlive the use
 * of frames. TRACE_ERR_MEMORY. */
int frame_symbols_new(struct frame_symbols **out, struct stack_frames *frames,
                      const struct frame_symbols_options *options);
void frame_symbols_free(struct frame_symbols *s); /* NULL is fine */

#endif
