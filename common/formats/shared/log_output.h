/* SPDX-License-Identifier: MIT
 * Writes a file, or the standard output, through a large buffer. The file appears at its path when it is
 * complete.
 */
#ifndef FORMATS_LOG_OUTPUT_H
#define FORMATS_LOG_OUTPUT_H

#include "base/new_file.h"

#include <stddef.h>
#include <string.h>

struct log_output {
    struct new_file file; /* unused for the standard output */
    int fd;
    char *bytes; /* not yet written to the file */
    size_t len;
    size_t cap;
};

/* path "-" is the standard output. After an error there is nothing to close. Errors: TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int log_output_open(struct log_output *o, const char *path);
int log_output_flush(struct log_output *o);
int log_output_close(struct log_output *o); /* closes and frees everything, even after an error */
void log_output_abandon(struct log_output *o);
/* Closes it if rc is 0, abandons it otherwise. Returns rc, or the error of closing. */
int log_output_end(struct log_output *o, int rc);

/* The slow path of log_output_reserve(). */
char *log_output_make_room(struct log_output *o, size_t count);

/* Reserves count bytes. log_output_take() then appends what has been written there to the file. Returns NULL
 * after an error, with the message set; the code is in o->rc. */
static inline char *log_output_reserve(struct log_output *o, size_t count)
{
    return o->cap - o->len >= count ? o->bytes + o->len : log_output_make_room(o, count);
}

/* Appends the reserved bytes up to end. */
static inline void log_output_take(struct log_output *o, const char *end)
{
    o->len = (size_t)(end - o->bytes);
}

int log_output_put(struct log_output *o, const void *bytes, size_t count);

#endif
