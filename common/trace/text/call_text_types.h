/* SPDX-License-Identifier: MIT
 * A formatter of calls: its style, its text so far, and what it has seen lately.
 */
#ifndef TRACE_CALL_TEXT_TYPES_H
#define TRACE_CALL_TEXT_TYPES_H

#include "base/buf.h"
#include "trace/text/call_template.h"

struct trace_call_text_style {
    bool call_nos;
    bool thread_ids;
    bool arg_names;
    bool multiline; /* line breaks in strings, backtraces, blank lines after frames */
    bool color;
    bool blobs;          /* write each blob to a file of its own in the current directory */
    bool blob_checksums; /* show blobs with a checksum (XXH64) of their contents */
    bool exact_floats;   /* floats and doubles with as many digits as they need, not apitrace's 7 and 16 */
    bool times;          /* when the call was entered, and how long it took, in front of the line */
    bool utf8;           /* strings with all characters, not apitrace's escapes, up to the first NUL */
};

/* Text that is copied in one fixed-size move when it is short: CALL_TEXT_SHORT bytes may be read wherever it
 * begins. */
#define CALL_TEXT_SHORT TRACE_CALL_TEMPLATE_SPARE

/* Names of enum values seen lately: the table of GLenum has thousands, and is searched from its start. */
#define CALL_TEXT_ENUM_CACHE_SIZE 1024

struct trace_call_text_enum_name {
    const struct trace_enum_sig *sig;
    int64_t value;
    const char *name; /* NULL: it has none */
    uint32_t length;
    char text[CALL_TEXT_SHORT]; /* the name, if it is not longer */
};

/* The text of floats seen lately: programs pass the same ones again and again. */
#define CALL_TEXT_FLOAT_BITS 11

struct trace_call_text_float {
    uint32_t bits; /* of the float */
    uint32_t length;
    char text[16];
};

struct trace_call_text {
    struct trace_call_text_style style;
    struct buf out;
    int error; /* the first ERR_* met; its message is kept beside it */
    char message[512];
    uint64_t call_number; /* of the call being formatted, and */
    unsigned blob_count;  /* its blobs so far */
    struct trace_call_text_enum_name enum_cache[CALL_TEXT_ENUM_CACHE_SIZE];
    uint64_t enum_used[CALL_TEXT_ENUM_CACHE_SIZE / 64]; /* a bit for each that is used */
    struct trace_call_text_float floats[1 << CALL_TEXT_FLOAT_BITS];
    struct trace_call_template_cache pieces;
};

#endif
