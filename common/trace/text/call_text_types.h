/* SPDX-License-Identifier: MIT
 * The types of a formatter of calls: its style, its output, and its caches.
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
    bool blobs;          /* write each blob to a separate file in the current directory */
    bool blob_checksums; /* show blobs with a checksum (XXH64) of their bytes */
    bool exact_floats;   /* print floats and doubles with as many digits as they need, instead of apitrace's 7
                            and 16 */
    bool times;          /* begin each line with the time of entry and the duration of the call */
    bool utf8; /* print strings up to the first NUL, with all characters, without apitrace's escapes */
};

/* Short text that is copied in one move of a fixed size: CALL_TEXT_SHORT bytes may be read from its
 * beginning. */
#define CALL_TEXT_SHORT TRACE_CALL_TEMPLATE_SPARE

/* A cache of the names of enum values: GLenum has thousands, and its table is searched linearly. */
#define CALL_TEXT_ENUM_CACHE_SIZE 1024

struct trace_call_text_enum_name {
    const struct trace_enum_sig *sig;
    int64_t value;
    const char *name; /* NULL: the value has no name */
    uint32_t length;
    char text[CALL_TEXT_SHORT]; /* a copy of the name if it fits */
};

/* A cache of the text of floats: programs pass the same values over and over. */
#define CALL_TEXT_FLOAT_BITS 11

struct trace_call_text_float {
    uint32_t bits; /* the representation of the float */
    uint32_t length;
    char text[16];
};

struct trace_call_text {
    struct trace_call_text_style style;
    struct buf out;
    int error; /* the first TRACE_ERR_* code; its message is kept beside it */
    char message[512];
    uint64_t call_number; /* number of the call that is being formatted */
    unsigned blob_count;  /* number of its blobs so far */
    struct trace_call_text_enum_name enum_cache[CALL_TEXT_ENUM_CACHE_SIZE];
    uint64_t enum_used[CALL_TEXT_ENUM_CACHE_SIZE / 64]; /* one bit for each entry that is filled */
    struct trace_call_text_float floats[1 << CALL_TEXT_FLOAT_BITS];
    struct trace_call_template_cache pieces;
};

#endif
