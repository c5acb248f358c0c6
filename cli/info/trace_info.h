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
    uint64_t bytes; /* of the event stream */
};

/* Sums over the calls of a function or a thread. */
struct info_count {
    const char *name; /* of a function; owned */
    uint64_t thread;
    uint64_t calls;
    uint64_t bytes;      /* of the event stream, signatures included */
    uint64_t blob_bytes; /* in blobs: textures, buffers and other data */
    uint64_t uploads;    /* calls that upload data */
    uint64_t uploaded;   /* bytes of that data */
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
    uint32_t *direct;     /* while scanning: 1 + index of the item, by key; 0: none */
    size_t direct_size;   /* only keys below this are in direct */
    struct int_map index; /* other keys, to the index of the item */
};

struct trace_info {
    const char *path; /* lent */
    const char *container;
    const char *api;
    unsigned semantic_version;
    uint64_t stream_bytes;
    uint64_t file_bytes;
    uint64_t frame_count;
    char index_problem[128]; /* why the index could not be used; "" if no reason is known */
    bool wants_frames;
    bool wants_stats;

    struct info_frame *frames; /* if wanted */
    size_t frame_cap;

    /* If wanted. */
    uint64_t calls;
    uint64_t incomplete;
    struct info_counts functions; /* by bytes, largest first */
    struct info_counts threads;   /* by number */
    struct info_upload uploads[TRACE_UPLOAD_KINDS];
};

void trace_info_fini(struct trace_info *info);

/* Appends a frame to info->frames. The caller increments info->frame_count. */
int trace_info_add_frame(struct trace_info *info, const struct info_frame *frame);

/* Returns the API of a function, in apitrace's words; NULL if the name does not tell. */
const char *trace_info_find_api(const char *function_name);

#endif
