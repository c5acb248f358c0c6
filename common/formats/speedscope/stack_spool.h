/* SPDX-License-Identifier: MIT
 * Beginnings and ends of calls in a temporary file: those of all threads are put as they come, and read
 * thread by thread. The file is a chain of blocks for each thread, so that memory does not grow with it.
 */
#ifndef STACK_SPOOL_H
#define STACK_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_SPOOL_BLOCK 8192 /* bytes */

struct stack_spool {
    int fd;       /* -1: nothing has left memory yet */
    uint64_t end; /* of the blocks that have been given out */
};

/* The chain of a thread. */
struct stack_spool_chain {
    uint64_t first;  /* the place of its first block */
    uint64_t latest; /* that of its latest one, which is in memory */
    uint8_t *block;
    size_t len;   /* bytes of the latest block */
    size_t room;  /* in memory for it; a whole block once the thread has ends for one */
    int64_t time; /* that of the latest end */
};

struct stack_end {
    bool begins;
    uint32_t frame;
    int64_t time; /* nanoseconds from the first of the chain, which is 0 */
};

void stack_spool_init(struct stack_spool *s);
void stack_spool_fini(struct stack_spool *s);

/* Begins a chain. Errors: TRACE_ERR_MEMORY. */
int stack_spool_begin(struct stack_spool *s, struct stack_spool_chain *c);
void stack_spool_chain_fini(struct stack_spool_chain *c);

/* Appends an end, whose time is not below that of the one before. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int stack_spool_put(struct stack_spool *s, struct stack_spool_chain *c, const struct stack_end *end);

/* Calls back for each end of the chain, in order, until it returns other than 0. The chain has then been
 * used up. Returns that, or TRACE_ERR_IO. */
int stack_spool_read(const struct stack_spool *s, struct stack_spool_chain *c,
                     int (*take)(void *context, const struct stack_end *end), void *context);

#endif
