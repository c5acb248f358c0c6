/* SPDX-License-Identifier: MIT
 * The secret that the sender and the receiver of traces share. It comes from a file or from the environment,
 * since everybody can see the arguments of a process.
 */
#ifndef CLI_REMOTE_TOKEN_H
#define CLI_REMOTE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REMOTE_TOKEN_ENVIRONMENT "TRACE_CLI_TOKEN"
#define REMOTE_TOKEN_MAX         255 /* bytes */
#define REMOTE_TOKEN_MIN         8

struct remote_token {
    uint8_t bytes[REMOTE_TOKEN_MAX + 1]; /* those behind size are zeros */
    uint8_t size;                        /* 0: there is none */
};

/* Reads the token: the first line of the file, or if path is NULL, the environment's, which may have none.
 * Errors: TRACE_ERR_IO, TRACE_ERR_USAGE. */
int remote_token_load(struct remote_token *t, const char *path);

/* Makes one up that nobody can guess. Errors: TRACE_ERR_IO. */
int remote_token_make(struct remote_token *t);

/* Compares it with what somebody has sent, in a time that does not depend on either. */
bool remote_token_is(const struct remote_token *t, const uint8_t *bytes, size_t size);

#endif
