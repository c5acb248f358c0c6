/* SPDX-License-Identifier: MIT
 * What the places of a process's call stacks are called, from the files of its modules.
 */
#ifndef COLLECTOR_FRAME_SYMBOLS_H
#define COLLECTOR_FRAME_SYMBOLS_H

#include "records/stack_frames.h"

#include <sys/types.h>

struct frame_symbols;

/* Has the places of *frames described. program: the path of the program of process pid, which must live. The
 * caller owns *out (frame_symbols_free), which must outlive the use of frames. TRACE_ERR_MEMORY. */
int frame_symbols_new(struct frame_symbols **out, struct stack_frames *frames, pid_t pid,
                      const char *program);
void frame_symbols_free(struct frame_symbols *s); /* NULL is fine */

#endif
