/* SPDX-License-Identifier: MIT
 * Adds functions, files and lines to the frames of backtraces in a trace of apitrace's format, event by
 * event. A frame may become several, if functions are inlined. All frames get new ids.
 */
#ifndef CLI_FRAME_REWRITER_H
#define CLI_FRAME_REWRITER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash_map.h"
#include "formats/apitrace/copy/raw_event_copier.h"
#include "formats/apitrace/index/index_modules.h"
#include "symbols/symbolizer.h"

/* The new frames that replace an old one. */
struct frame_expansion {
    uint32_t first; /* id */
    uint32_t count;
};

struct frame_rewriter {
    struct symbolizer *symbolizer;
    int64_t written; /* when the trace was written, in seconds of the wall clock; INT64_MAX: unknown */
    struct string_map modules;          /* those that have been checked */
    const struct trace_modules *builds; /* the builds of the modules; NULL: unknown */
    const char *root;                   /* directory below which the modules have their paths; NULL: / */
    struct int_map ids;                 /* old ids to indexes of expansions */
    struct frame_expansion *expansions;
    size_t expansion_count;
    size_t expansion_room;
    uint32_t next_id;
    uint64_t named;   /* frames that got names */
    uint64_t unnamed; /* frames for which no names were found */
    struct buf bytes; /* of the edits of an event */
    struct trace_edit *edits;
    size_t edit_count;
    size_t edit_room;
    struct arena texts; /* of a frame */
};

/* symbolizer and root are borrowed. Afterwards, set `builds` (also borrowed) and `written` if they are known.
 * If `written` is set, there is a warning for each module whose build is unknown and whose file is newer than
 * the trace. */
void frame_rewriter_init(struct frame_rewriter *r, struct symbolizer *symbolizer, const char *root);
void frame_rewriter_fini(struct frame_rewriter *r);

/* Returns the edits that an event needs, which must have marks. They are lent until the next call. Errors:
 * TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int frame_rewriter_event(struct frame_rewriter *r, const struct trace_raw_event *event,
                         const struct trace_edit **edits, size_t *count);

#endif
