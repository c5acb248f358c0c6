/* SPDX-License-Identifier: MIT
 * The calls of each thread that have not returned, by which an exit finds its enter.
 */
#ifndef XRAY_CALLS_H
#define XRAY_CALLS_H

#include "trace/model.h"

/* Calls that are remembered: those before them are forgotten. */
#define XRAY_DEPTH_MAX (1u << 18)

struct xray_open_call {
    const struct trace_function_sig *sig;
    uint64_t number;
};

/* Zero-initialise it before use. */
struct xray_calls {
    uint32_t *functions; /* their numbers, which are searched */
    struct xray_open_call *calls;
    uint32_t depth;
    uint32_t room;
};

void xray_calls_fini(struct xray_calls *c);

/* spare: memory of a thread that has no calls, or none; zero-initialised at first. Errors: TRACE_ERR_MEMORY.
 */
int xray_calls_enter(struct xray_calls *c, struct xray_calls *spare, const struct trace_function_sig *sig,
                     uint64_t number);

/* Gives the memory of a thread without calls to spare, or frees it: most threads of a log may have ended. */
void xray_calls_give_back(struct xray_calls *c, struct xray_calls *spare);

/* Finds the innermost call of the function, and forgets it and those that it has made. Returns false if there
 * is none. */
bool xray_calls_exit(struct xray_calls *c, uint32_t function, struct xray_open_call *out);

#endif
