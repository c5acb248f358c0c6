/* SPDX-License-Identifier: MIT
 * LTTng's index of a stream file: where its packets are, and their times. The file DIRECTORY/index/NAME.idx
 * belongs to DIRECTORY/NAME. It may be of an earlier state of the stream, or false: what it says is compared
 * with the packets before it counts (ctf_seek.h). Source of the layout: ctf-index.h of lttng-tools.
 */
#ifndef CTF_INDEX_H
#define CTF_INDEX_H

#include "trace/trace_file.h"

struct ctf_index {
    struct trace_file file;
    uint32_t entry_size; /* bytes */
    uint64_t count;      /* of entries */
};

struct ctf_index_entry {
    uint64_t offset;      /* of the packet in the stream file, in bytes */
    uint64_t packet_size; /* in bits; likewise the next */
    uint64_t content_size;
    uint64_t begin; /* in cycles of the clock; likewise the next */
    uint64_t end;
};

/* Opens the index of a stream file. Returns false if there is none that can be used; no message is set that
 * counts, and there is nothing to close. */
bool ctf_index_open(struct ctf_index *index, const char *stream_path);
void ctf_index_close(struct ctf_index *index);

/* Reads entry i, which is below the count. Returns false if that is not possible. */
bool ctf_index_get(struct ctf_index *index, uint64_t i, struct ctf_index_entry *out);

#endif
