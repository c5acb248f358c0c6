/* SPDX-License-Identifier: MIT
 * Calls as JSON Lines: an object a line, first of the trace, then of each call (docs/dump-json.md).
 * Text is appended to a buffer that the caller writes out.
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
    DUMP_BLOBS_INLINE,  /* base64 */
};

/* Enum values seen lately, as JSON. */
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
    struct trace_kept_error error; /* the first that was met */
    uint64_t call_number;          /* of the call being formatted, and */
    unsigned blob_count;           /* its blobs so far */
    struct trace_call_template_cache pieces;
    struct dump_json_enum enums[DUMP_JSON_ENUMS];
};

/* A struct dump_json is large: keep it off the stack. */
void dump_json_init(struct dump_json *j, enum dump_blobs blobs);
void dump_json_fini(struct dump_json *j);

/* Signatures that it has seen are about to be freed. */
void dump_json_forget_signatures(struct dump_json *j);

/* The line for the trace at path. */
int dump_json_trace(struct dump_json *j, const struct trace_reader *reader, const char *path);

/* The line for a call of this frame. TRACE_ERR_IO when a blob could not be written. */
int dump_json_call(struct dump_json *j, const struct trace_call *call, uint64_t frame);

/* dump_json_values.c: an object. */
void dump_json_value(struct dump_json *j, const struct trace_value *v);

/* Keeps rc and the present error message, if they are the first. */
void dump_json_keep_error(struct dump_json *j, int rc);

#endif
