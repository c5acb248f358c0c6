/* SPDX-License-Identifier: MIT
 * Writes a state dump as JSON (RFC 8259) or as UBJSON (Universal Binary JSON, draft 12) to a buffer.
 * Functions append one value, name or bracket each, and trust the caller to keep the order valid. If memory
 * runs out, state_writer_failed() tells.
 */
#ifndef RETRACE_STATE_WRITER_H
#define RETRACE_STATE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json_writer.h"

struct state_writer {
    struct buf *out; /* borrowed */
    bool binary;     /* UBJSON */
    bool failed;     /* out of memory, in UBJSON */
    struct json_writer json;
};

void state_writer_init(struct state_writer *w, struct buf *out, bool binary);
bool state_writer_failed(const struct state_writer *w);

void state_begin_object(struct state_writer *w);
void state_end_object(struct state_writer *w);
void state_begin_array(struct state_writer *w);
void state_end_array(struct state_writer *w);

/* Writes a member's name. Its value follows. */
void state_key(struct state_writer *w, const char *name);
/* Does the same with a name made like printf() does. It is cut after 511 bytes. */
void state_key_format(struct state_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

void state_null(struct state_writer *w);
void state_bool(struct state_writer *w, bool value);
void state_integer(struct state_writer *w, int64_t value);
void state_float(struct state_writer *w, float value);
void state_double(struct state_writer *w, double value);
void state_string(struct state_writer *w, const char *text);
/* Writes bytes: in base64 in JSON, as an array of bytes in UBJSON. */
void state_bytes(struct state_writer *w, const void *bytes, size_t count);

#endif
