/* SPDX-License-Identifier: MIT
 * What `trace-cli info` tells about a trace: gathered in one pass over its events, printed as JSON (with the
 * names and the layout of `apitrace info`) or as a table.
 */
#ifndef CLI_INFO_SCAN_H
#define CLI_INFO_SCAN_H

#include "base/hash_map.h"
#include "formats/apitrace/call_uploads.h"
#include "formats/apitrace/read/raw_events.h"

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
    uint64_t blob_bytes; /* in textures, buffers, and other data */
    uint64_t uploads;    /* calls that hand over data, and */
    uint64_t uploaded;   /* its bytes */
};

/* What is handed over for one purpose. */
struct info_upload {
    uint64_t calls;
    uint64_t bytes;
};

struct info_counts {
    struct info_count *items;
    size_t count;
    size_t cap;
    uint32_t *direct;     /* while scanning: 1 + item, by key; 0: none */
    size_t direct_size;   /* keys that are below it; */
    struct int_map index; /* of others, key to item */
};

struct trace_info {
    const char *path; /* lent */
    const char *container;
    const char *api;
    unsigned semantic_version;
    uint64_t stream_bytes;
    uint64_t file_bytes;
    uint64_t frame_count;
    bool damaged;            /* parts of it could not be read */
    char index_problem[128]; /* why the index could not be used; "": nothing is known against it */
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

/* Fills *info from the trace at path. TRACE_ERR_TRUNCATED: as far as it goes. Warns of damaged
 * parts on stderr. */
int info_scan(struct trace_info *info, const char *path, bool frames, bool stats);
void info_fini(struct trace_info *info);

/* Parts of it: statistics by function and by thread, which are in order after _finish. */
int info_stats_add_event(struct trace_info *info, const struct trace_raw_event *event);
int info_stats_add_plain(struct trace_info *info, const struct trace_plain_call *calls, size_t count);
void info_stats_finish(struct trace_info *info);
void info_stats_fini(struct trace_info *info);

/* The API that a function belongs to, NULL if its name does not tell; and a frame more. */
const char *info_find_api(const char *name);
int info_add_frame(struct trace_info *info, const struct info_frame *frame);

/* Fills in what the scan would find, if the trace has an index that tells it; otherwise false. */
bool info_read_index(struct trace_info *info, struct trace_raw_events *events);

/* Warns if the trace has an index that cannot be used; after the end of what is read of it. */
void info_warn_of_index(const struct trace_info *info, struct trace_raw_events *events);

void info_print_json(const struct trace_info *info);
void info_print_table(const struct trace_info *info);

#endif
