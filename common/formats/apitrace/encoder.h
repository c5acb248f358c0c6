/* SPDX-License-Identifier: MIT
 * Encodes events of the apitrace format, version 6, into a memory buffer (docs/trace-format.md).
 * Pure C without any codec library, so that it can also run inside a traced program. Signature bodies are
 * written where their id first occurs, as the format wants. Functions append to the buffer given at init;
 * memory exhaustion is sticky (encoder.failed), checked once per event by the owner.
 */
#ifndef TRACE_ENCODER_H
#define TRACE_ENCODER_H

#include "base/buf.h"
#include "formats/apitrace/raw_event.h"

struct trace_id_set {
    uint8_t *bits;
    uint32_t cap; /* ids */
};

static inline bool trace_id_set_has(const struct trace_id_set *s, uint32_t id)
{
    return id < s->cap && (s->bits[id >> 3] & 1u << (id & 7)) != 0;
}

/* Says which id a signature is written under. TRACE_ID_LIMIT: it failed. */
typedef uint32_t (*trace_encoder_id)(void *context, enum trace_sig_kind kind, const void *sig, uint32_t id);

struct trace_encoder {
    struct buf *out; /* not owned */
    bool failed;
    struct trace_id_set functions, enums, bitmasks, structs, frames; /* ids already written */
    /* The signatures that the present event defines, kept when wanted; lent until the next event. */
    bool wants_definitions;
    struct trace_definition *definitions;
    size_t definition_count, definition_cap;
    size_t event_start;     /* in out */
    trace_encoder_id id_of; /* NULL: each under its own */
    void *id_context;
};

void trace_encoder_init(struct trace_encoder *e, struct buf *out);
void trace_encoder_fini(struct trace_encoder *e);

/* Version 6 header; properties are written in the given order. */
void trace_encode_header(struct trace_encoder *e, unsigned semantic_version,
                         const struct trace_property *properties, size_t count);

/* Events: begin, details, end. flags: only TRACE_CALL_FAKE is stored. */
void trace_encode_enter(struct trace_encoder *e, uint32_t thread, const struct trace_function_sig *sig,
                        uint32_t flags);
void trace_encode_backtrace(struct trace_encoder *e, const struct trace_frame *frames, uint32_t count);
void trace_encode_leave(struct trace_encoder *e, uint64_t call_number);
void trace_encode_end(struct trace_encoder *e);

/* Details: exactly one value follows each. */
void trace_encode_arg(struct trace_encoder *e, uint32_t index);
void trace_encode_ret(struct trace_encoder *e);

/* Values. */
void trace_encode_null(struct trace_encoder *e);
void trace_encode_bool(struct trace_encoder *e, bool value);
void trace_encode_sint(struct trace_encoder *e, int64_t value); /* UINT tag when not negative */
void trace_encode_uint(struct trace_encoder *e, uint64_t value);
void trace_encode_float(struct trace_encoder *e, float value);
/* count float values one after the other, from memory of any alignment. */
void trace_encode_floats(struct trace_encoder *e, const void *values, uint64_t count);
void trace_encode_double(struct trace_encoder *e, double value);
void trace_encode_string(struct trace_encoder *e, const char *bytes, uint64_t count);
void trace_encode_blob(struct trace_encoder *e, const void *bytes, uint64_t count);
/* A string or blob whose count bytes follow, in one or several calls of trace_encode_bytes(). */
void trace_encode_string_head(struct trace_encoder *e, uint64_t count);
void trace_encode_blob_head(struct trace_encoder *e, uint64_t count);
void trace_encode_bytes(struct trace_encoder *e, const void *bytes, size_t count);
void trace_encode_wstring(struct trace_encoder *e, const uint32_t *chars, uint64_t count);
void trace_encode_enum(struct trace_encoder *e, const struct trace_enum_sig *sig, int64_t value);
void trace_encode_bitmask(struct trace_encoder *e, const struct trace_bitmask_sig *sig, uint64_t value);
void trace_encode_opaque(struct trace_encoder *e, uint64_t address); /* NULL tag when 0 */
void trace_encode_array(struct trace_encoder *e, uint64_t count);    /* count values follow */
void trace_encode_struct(struct trace_encoder *e,
                         const struct trace_struct_sig *sig); /* its members follow */
void trace_encode_repr(struct trace_encoder *e);              /* human value, then machine value follow */

/* Any value of the model, with everything inside it. */
void trace_encode_value(struct trace_encoder *e, const struct trace_value *v);

/* The enter of a call with its backtrace and arguments, and its leave with the return value; args: its
 * arguments belong to the leave, too. Arguments of type TRACE_NONE are left out. */
void trace_encode_call_enter(struct trace_encoder *e, const struct trace_call *call);
void trace_encode_call_leave(struct trace_encoder *e, uint64_t number, const struct trace_call *call,
                             bool args);

#endif
