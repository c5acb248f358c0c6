/* SPDX-License-Identifier: MIT
 * What `trace-cli info` prints about a trace.
 */
#ifndef CLI_TRACE_INFO_H
#define CLI_TRACE_INFO_H

#include "base/hash_map.h"
#include "formats/apitrace/call_uploads.h"

struct info_frame {
    uint64_t first_call; /* in the order in which calls return */
    uint64_t last_call;
    uint64_t calls;
    uint64_t bytes; /* bytes of the event stream */
};

/* Totals of the calls of a function or a thread. */
struct info_count {
    const char *name; /* name of the function; owned */
    uint64_t thread;
    uint64_t calls;
    uint64_t bytes;      /* bytes of the event stream, including signatures */
    uint64_t blob_bytes; /* bytes of blobs: textures, buffers and other data */
    uint64_t uploads;    /* number of calls that upload data */
    uint64_t uploaded;   /* number of bytes uploaded */
};

/* Uploads of one kind. */
struct info_upload {
    uint64_t calls;
    uint64_t bytes;
};

struct info_counts {
    struct info_count *items;
    size_t count;
    size_t cap;
    uint32_t *direct;     /* while scanning: maps a key to the index of the item, plus 1; 0: none */
    size_t direct_size;   /* only keys below this are in direct */
    struct int_map index; /* maps other keys to the index of the item */
};

struct trace_info {
    const char *path; /* lent */
    const char *container;
    const char *api;
    unsigned semantic_version;
    const struct trace_property *properties; /* of the header; lent by the input */
    size_t property_count;
    uint64_t stream_bytes;
    uint64_t file_bytes;
    uint64_t frame_count;
    char index_problem[128]; /* why the index could not be used; "" if unknown */
    bool wants_frames;
    bool wants_stats;

    struct info_frame *frames; /* only filled in on request */
    size_t frame_cap;

    /* Only filled in on request. */
    uint64_t calls;
    uint64_t incomplete;
    struct info_counts functions; /* sorted by bytes, largest first */
    struct info_counts threads;   /* sorted by number */
    struct info_upload uploads[TRACE_UPLOAD_KINDS];
};

void trace_info_fini(struct trace_info *info);

/* Appends a frame to info->frames. The caller increments info->frame_count. */
int trace_info_add_frame(struct trace_info *info, const struct info_frame *frame);

/* Returns the API of a function, as apitrace names it, or NULL if the name does not show it. */
const char *trace_info_find_api(const char *function_name);

#endif
