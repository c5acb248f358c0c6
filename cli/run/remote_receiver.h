/* SPDX-License-Identifier: MIT
 * Takes the traces of one sender (remote_protocol.h), and writes them into the working directory. Names are
 * chosen as for traces that are recorded here: nothing is overwritten.
 */
#ifndef CLI_REMOTE_RECEIVER_H
#define CLI_REMOTE_RECEIVER_H

#include "run/remote_token.h"

#include <stdbool.h>
#include <stdint.h>

/* Waits at the listening socket for a sender that knows the token. Returns its connection, or an error:
 * TRACE_ERR_IO. Others are told on stderr and sent away. */
int remote_receiver_wait(int listener, const struct remote_token *token);

struct remote_received {
    unsigned traces;     /* files */
    unsigned incomplete; /* traces that are not there, or not to their end; reported on stderr */
};

/* Receives from the connection until the sender has finished or gone, or SIGINT, SIGTERM or SIGHUP comes.
 * limit: bytes in all files together; 0: any. Returns 0, or the error that ended it: TRACE_ERR_IO if the
 * sender has gone, TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. What came before is in the files. */
int remote_receive(int connection, uint64_t limit, struct remote_received *out);

#endif
