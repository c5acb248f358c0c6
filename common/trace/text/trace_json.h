/* SPDX-License-Identifier: MIT
 * Formats calls as JSON Lines: the first line is an object about the trace, and each call is an object on a
 * line (docs/dump-json.md). Lines are appended to a buffer, which the caller writes out.
 */
#ifndef TRACE_JSON_H
#define TRACE_JSON_H

#include "base/error.h"
#include "base/json_writer.h"
#include "trace/text/call_template.h"
#include "trace/model.h"

enum trace_json_blobs {
    TRACE_JSON_BLOBS_SUMMARY, /* size and checksum */
    TRACE_JSON_BLOBS_FILES,   /* each in a file of the current directory */
    TRACE_JSON_BLOBS_INLINE,  /* base64 in the line */
};

/* A cache of enum values as JSON. */
#define TRACE_JSON_ENUMS     1024
#define TRACE_JSON_ENUM_TEXT 104

struct trace_json_enum {
    const struct trace_enum_sig *sig;
    int64_t value;
    bool negative;
    uint8_t length;
    char text[TRACE_JSON_ENUM_TEXT];
};

struct trace_json {
    enum trace_json_blobs blobs;
    struct buf out;
    struct json_writer w;
    struct trace_kept_error error; /* the first error */
    uint64_t call_number;          /* number of the call that is being formatted */
    unsigned blob_count;           /* number of blobs of that call so far */
    uint64_t blobs_left_out;       /* number of blobs whose contents are not in the output */
    struct trace_call_template_cache pieces;
    struct trace_json_enum enums[TRACE_JSON_ENUMS];
};

/* A struct trace_json is large, so do not put it on the stack. */
void trace_json_init(struct trace_json *j, enum trace_json_blobs blobs);
void trace_json_fini(struct trace_json *j);

/* Call this before signatures that it has seen are freed. */
void trace_json_forget_signatures(struct trace_json *j);

/* What is known of a trace. NULL and below 0: not known. */
struct trace_json_head {
    const char *file;
    const char *format;
    const char *container;
    int64_t version;
    int64_t semantic_version;
    const struct trace_property *properties;
    size_t property_count;
};

/* Appends the line for a trace. */
int trace_json_trace(struct trace_json *j, const struct trace_json_head *head);

/* Appends the line for a call of this frame. Errors: TRACE_ERR_MEMORY, TRACE_ERR_IO (a blob cannot be
 * written). */
int trace_json_call(struct trace_json *j, const struct trace_call *call, uint64_t frame);

/* Appends a value (trace_json_values.c). */
void trace_json_value(struct trace_json *j, const struct trace_value *v);

/* Keeps rc and its message if there was no error before. */
void trace_json_keep_error(struct trace_json *j, int rc);

#endif
