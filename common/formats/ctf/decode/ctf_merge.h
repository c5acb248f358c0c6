/* SPDX-License-Identifier: MIT
 * Orders the items of several streams by time.
 */
#ifndef CTF_MERGE_H
#define CTF_MERGE_H

#include "formats/ctf/decode/ctf_stream.h"

struct ctf_merge {
    struct ctf_stream **heap; /* the earliest first */
    size_t count;
    size_t room;
    bool is_taken; /* the first one's item was returned */
};

void ctf_merge_fini(struct ctf_merge *m); /* closes the streams, those that have ended, too */

/* Takes over a stream, which was just opened. Errors: those of ctf_stream_advance(). */
int ctf_merge_add(struct ctf_merge *m, struct ctf_stream *s);

/* *out is the stream with the next item, lent until the next call; NULL at the end. Errors: as before. */
int ctf_merge_next(struct ctf_merge *m, struct ctf_stream **out);

/* Passes over packets of the stream that was returned last, which end before the time (ctf_seek.h). Its item
 * is then not taken. Errors: as before. */
int ctf_merge_seek(struct ctf_merge *m, int64_t time);

#endif
