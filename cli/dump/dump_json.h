/* SPDX-License-Identifier: MIT
 * Formats calls as JSON Lines: the first line is an object about the trace, and each call is an object on a
 * line (docs/dump-json.md). Lines are appended to a buffer, which the caller writes out.
 */
#ifndef CLI_DUMP_JSON_H
#define CLI_DUMP_JSON_H

#include "base/error.h"
#include "base/json_writer.h"
#include "trace/text/call_template.h"
#include "formats/apitrace/read/reader.h"

enum dump_blobs {
    DUMP_BLOBS_SUMMARY, /* size and checksum */
    DUMP_BLOBS_FILES,   /* each in a file of the current directory */
    DUMP_BLOBS_INLINE,  /* base64 in the line */
};

/* A cache of enum values as JSON. */
#define DUMP_JSON_ENUMS     1024
#define DUMP_JSON_ENUM_TEXT 104

struct dump_json_enum {
    const struct trace_enum_sig *sig;
    int64_t value;
    bool negative;
    uint8_t length;
    char text[DUMP_JSON_ENUM_TEXT];
};

struct dump_json {
    enum dump_blobs blobs;
    struct buf out;
    struct json_writer w;
    struct trace_kept_error error; /* the first error */
    uint64_t call_number;          /* number of the call that is being formatted */
    unsigned blob_count;           /* number of blobs of that call so far */
    struct trace_call_template_cache pieces;
    struct dump_json_enum enums[DUMP_JSON_ENUMS];
};

/* A struct dump_json is large, so do not put it on the stack. */
void dump_json_init(struct dump_json *j, enum dump_blobs blobs);
void dump_json_fini(struct dump_json *j);

/* Call this before signatures that it has seen are freed. */
void dump_json_forget_signatures(struct dump_json *j);

/* Appends the line for the trace at path. */
int dump_json_trace(struct dump_json *j, const struct trace_reader *reader, const char *path);

/* Appends the line for a call of this frame. Errors: TRACE_ERR_MEMORY, TRACE_ERR_IO (a blob cannot be
 * written). */
int dump_json_call(struct dump_json *j, const struct trace_call *call, uint64_t frame);

/* Appends a value (dump_json_values.c). */
void dump_json_value(struct dump_json *j, const struct trace_value *v);

/* Keeps rc and its message if there was no error before. */
void dump_json_keep_error(struct dump_json *j, int rc);

#endif
