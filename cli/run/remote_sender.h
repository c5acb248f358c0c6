/* SPDX-License-Identifier: MIT
 * Sends traces to another machine while they are written (remote_protocol.h). Whoever writes a trace writes
 * to a pipe; a thread sends what comes out of all pipes. If the network is slow, the writers wait. If the
 * receiver has gone, they get EPIPE.
 */
#ifndef CLI_REMOTE_SENDER_H
#define CLI_REMOTE_SENDER_H

#include "run/remote_token.h"

#include <stddef.h>

struct remote_sender;

/* Connects to HOST:PORT, which is lent, and says the token. The caller owns *out. Errors: TRACE_ERR_USAGE,
 * TRACE_ERR_IO, also if the token is wrong. */
int remote_sender_connect(struct remote_sender **out, const char *address, const struct remote_token *token);

/* Begins a trace that this side would call `name`. Returns a descriptor to write it to; closing it ends the
 * trace. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int remote_sender_open(struct remote_sender *s, const char *name);

/* Waits until all traces have ended and the receiver has stored them. Returns the number of those that it
 * does not have completely, which has been reported on stderr. Frees s. */
unsigned remote_sender_finish(struct remote_sender *s);

#endif
