/* SPDX-License-Identifier: MIT */
#include "run/remote_token.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define RANDOM_BYTES 16

static int set_token(struct remote_token *t, const char *text, const char *where)
{
    size_t size = strcspn(text, "\r\n");
    *t = (struct remote_token){.size = 0};
    if (size < REMOTE_TOKEN_MIN || size > REMOTE_TOKEN_MAX)
        return trace_error_set(TRACE_ERR_USAGE, "%s: a token has %d to %d characters", where,
                               REMOTE_TOKEN_MIN, REMOTE_TOKEN_MAX);
    memcpy(t->bytes, text, size);
    t->size = (uint8_t)size;
    return 0;
}

int remote_token_load(struct remote_token *t, const char *path)
{
    const char *text = getenv(REMOTE_TOKEN_ENVIRONMENT);
    char line[REMOTE_TOKEN_MAX + 3] = "";
    *t = (struct remote_token){.size = 0};
    if (path == NULL)
        return text != NULL ? set_token(t, text, REMOTE_TOKEN_ENVIRONMENT) : 0;
    FILE *f = fopen(path, "re");
    if (f == NULL || (fgets(line, sizeof line, f) == NULL && ferror(f))) {
        int reason = errno;
        if (f != NULL)
            fclose(f);
        return trace_error_set_errno(TRACE_ERR_IO, reason, "%s: cannot read the token", path);
    }
    fclose(f);
    return set_token(t, line, path);
}

int remote_token_make(struct remote_token *t)
{
    uint8_t random[RANDOM_BYTES];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot make a token");
    *t = (struct remote_token){.size = 2 * RANDOM_BYTES};
    for (unsigned i = 0; i < RANDOM_BYTES; ++i)
        snprintf((char *)t->bytes + 2 * (size_t)i, 3, "%02x", random[i]);
    return 0;
}

bool remote_token_is(const struct remote_token *t, const uint8_t *bytes, size_t size)
{
    uint8_t sent[REMOTE_TOKEN_MAX + 1] = {0};
    memcpy(sent, bytes, size < sizeof sent ? size : sizeof sent);
    volatile uint8_t difference = t->size == 0 || size != t->size;
    for (size_t i = 0; i < sizeof sent; ++i)
        difference |= (uint8_t)(sent[i] ^ t->bytes[i]);
    return difference == 0;
}
