/* SPDX-License-Identifier: MIT
 * How traces go from one machine to another: docs/remote-protocol.md. The parser takes the bytes of a sender
 * as they come, keeps none of them but a name, and believes nothing.
 */
#ifndef CLI_REMOTE_PROTOCOL_H
#define CLI_REMOTE_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REMOTE_MAGIC      "trace-cli stream 1\n" /* then the token: a byte with its size, and its bytes */
#define REMOTE_MAGIC_SIZE (sizeof REMOTE_MAGIC - 1)
#define REMOTE_HELLO_MAX  (REMOTE_MAGIC_SIZE + 1 + 255)

#define REMOTE_ACCEPTED 'A' /* the receiver's answer to it, a byte */
#define REMOTE_REFUSED  'R'

/* Of the sender. */
enum remote_frame {
    REMOTE_OPEN = 1, /* a trace begins; payload: the name that the sender would give it */
    REMOTE_DATA = 2, /* bytes of its file */
    REMOTE_END = 3,  /* the file is complete */
    REMOTE_BYE = 4,  /* there will be no more traces */
};

/* Of the receiver. */
enum remote_answer {
    REMOTE_STORED = 1, /* the file is complete and written */
    REMOTE_FAILED = 2, /* it could not be written; payload: why */
};

#define REMOTE_HEADER     9 /* the kind of frame, its trace (4 bytes), the bytes of its payload (4 bytes) */
#define REMOTE_NAME_MAX   255
#define REMOTE_DATA_MAX   ((uint32_t)1 << 20)
#define REMOTE_TRACES_MAX 65536 /* of one sender */
#define REMOTE_OPEN_MAX   1024  /* at the same time */

void remote_put_header(uint8_t header[REMOTE_HEADER], unsigned kind, uint32_t trace, uint32_t size);

/* What a sender says. Traces are numbered from 0, in the order in which they begin. Each function returns 0,
 * or an error code, which ends the parsing. */
struct remote_listener {
    int (*open)(void *context, uint32_t trace, const char *name);
    int (*data)(void *context, uint32_t trace, const uint8_t *bytes, size_t size);
    int (*end)(void *context, uint32_t trace);
    void *context;
};

struct remote_parser {
    const struct remote_listener *listener; /* lent */
    uint8_t header[REMOTE_HEADER];
    unsigned header_size;
    uint32_t left; /* bytes of the payload that have not come */
    char name[REMOTE_NAME_MAX + 1];
    unsigned name_size;
    uint32_t traces;                        /* that have begun */
    uint32_t open_count;                    /* and not ended */
    uint8_t is_open[REMOTE_TRACES_MAX / 8]; /* a bit for each */
    bool said_bye;
};

void remote_parser_init(struct remote_parser *p, const struct remote_listener *listener);

/* Errors: TRACE_ERR_FORMAT if this is no sender's; the listener's. */
int remote_parser_feed(struct remote_parser *p, const uint8_t *bytes, size_t size);

/* Returns 1 if bytes are a whole hello with *token in it, lent; 0 if they are the beginning of one; -1 if
 * they are not. */
int remote_parse_hello(const uint8_t *bytes, size_t size, const uint8_t **token, size_t *token_size);

/* Makes a name for a file out of what the sender calls it, which may be anything: no directory, nothing
 * hidden, nothing that a terminal or a shell would obey. */
void remote_clean_name(char out[REMOTE_NAME_MAX + 1], const char *name);

#endif
