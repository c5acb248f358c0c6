/* SPDX-License-Identifier: MIT
 * A file that is written through a large buffer, or the standard output. The file appears when it is
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
    char *bytes; /* not yet written: */
    size_t len;
    size_t cap;
};

/* path "-" is the standard output. After an error there is nothing to close. */
int log_output_open(struct log_output *o, const char *path);
int log_output_flush(struct log_output *o);
int log_output_close(struct log_output *o); /* what is open is gone also after an error */
void log_output_abandon(struct log_output *o);

/* The slow half of log_output_reserve(). */
char *log_output_make_room(struct log_output *o, size_t count);

/* Room for count bytes, of which log_output_take() makes some part of the file; NULL: an error, message set,
 * whose code is the file's rc. */
static inline char *log_output_reserve(struct log_output *o, size_t count)
{
    return o->cap - o->len >= count ? o->bytes + o->len : log_output_make_room(o, count);
}

/* Up to end, which lies in the room. */
static inline void log_output_take(struct log_output *o, const char *end)
{
    o->len = (size_t)(end - o->bytes);
}

int log_output_put(struct log_output *o, const void *bytes, size_t count);

#endif
