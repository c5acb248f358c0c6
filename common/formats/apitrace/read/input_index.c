/* SPDX-License-Identifier: MIT
 * The index of an input, and seeking.
 */
#include "formats/apitrace/read/input_state.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

bool trace_input_has_index_at(struct trace_input *in, uint64_t start)
{
    const struct trace_codec *codec = in->codec;
    uint8_t head[TRACE_INDEX_HEAD_SIZE];
    struct buf before = BUF_INIT;
    size_t got = 0;
    if (in->file.is_pipe || (codec->before_index != NULL && codec->before_index(0, &before) != 0))
        return false;
    uint64_t at = start + before.len + (codec->index_wrap != NULL ? codec->index_wrap->before : 0);
    buf_fini(&before);
    return trace_file_read_at(&in->file, at, head, sizeof head, &got) == 0 && got == sizeof head &&
           memcmp(head, trace_index_head, sizeof head) == 0;
}

/* The end of the file shows whether there is an index. If the index was cut off, the end of the stream may
 * show it. */
static void look_for_cut_index(struct trace_input *in)
{
    if (in->index == NULL && in->index_problem[0] == '\0' && in->ended && in->final.code == 0 &&
        trace_input_has_index_at(in, trace_input_end(in)))
        snprintf(in->index_problem, sizeof in->index_problem, "the index at the file's end is cut off");
}

struct trace_index *trace_input_index(struct trace_input *in, const char **problem)
{
    if (problem != NULL) {
        look_for_cut_index(in);
        *problem = in->index_problem[0] != '\0' ? in->index_problem : NULL;
    }
    return in->index;
}

void trace_input_drop_index(struct trace_input *in)
{
    pthread_mutex_lock(&in->lock); /* workers use it */
    trace_index_close(in->index);
    in->index = NULL;
    pthread_mutex_unlock(&in->lock);
}

/* Forgets the chunks that were read ahead, and the end of the stream. */
static void leave_place(struct trace_input *in)
{
    trace_input_stop_workers(in);
    trace_chunk_unref(in->partial);
    in->partial = NULL;
    in->claimed = in->taken = in->allowed = 0;
    in->all_claimed = in->ended = false;
    in->alone = 0;
}

static int cannot_go_back(const struct trace_input *in)
{
    return trace_error_set(TRACE_ERR_UNSUPPORTED,
                           "%s: cannot go back in a pipe: copy the trace to a file first", in->path);
}

int trace_input_find_chunk(struct trace_input *in, uint64_t stream_offset, uint64_t *index,
                           struct trace_chunk_entry *out)
{
    pthread_mutex_lock(&in->lock);
    int rc = trace_index_find_chunk(in->index, stream_offset, index, out);
    pthread_mutex_unlock(&in->lock);
    return rc;
}

int trace_input_known_chunk(struct trace_input *in, uint64_t index, struct trace_chunk_entry *out)
{
    int rc = trace_error_set(TRACE_ERR_UNSUPPORTED, "there is no index");
    pthread_mutex_lock(&in->lock);
    if (in->index != NULL)
        rc = trace_index_chunk(in->index, index, out);
    pthread_mutex_unlock(&in->lock);
    return rc;
}

/* Returns true if this is the next chunk to be read. */
static bool is_next_chunk(struct trace_input *in, const struct trace_chunk_entry *entry)
{
    struct trace_chunk_job job;
    return in->codec->reader_claim(in->state, &job) > 0 && job.file_offset == entry->file_offset &&
           job.claimed == entry->length;
}

bool trace_input_has_chunk(struct trace_input *in, uint64_t index, const struct trace_chunk_entry *entry)
{
    return in->codec->independent && trace_input_seek(in, index, entry) == 0 && is_next_chunk(in, entry);
}

int trace_input_check_chunks(struct trace_input *in)
{
    struct trace_chunk_entry entry;
    uint64_t count = trace_index_chunk_count(in->index);
    int rc = in->codec->independent ? trace_input_rewind(in) : 0;
    for (uint64_t i = 0; i < count && rc == 0 && in->codec->independent; ++i) {
        rc = trace_index_chunk(in->index, i, &entry);
        if (rc == 0 &&
            (!is_next_chunk(in, &entry) || entry.length > trace_index_start(in->index) - entry.file_offset))
            rc = trace_error_set(TRACE_ERR_FORMAT, "the index at the file's end is of another trace");
    }
    return rc;
}

int trace_input_seek(struct trace_input *in, uint64_t index, const struct trace_chunk_entry *entry)
{
    if (in->file.is_pipe)
        return cannot_go_back(in);
    leave_place(in);
    return in->codec->reader_seek(in->state, index, entry->file_offset);
}

int trace_input_rewind(struct trace_input *in)
{
    if (in->file.is_pipe)
        return cannot_go_back(in);
    void *state;
    int rc = in->codec->reader_open(&state, &in->file);
    if (rc != 0)
        return trace_error_prefix(rc, "%s", in->path);
    leave_place(in);
    in->codec->reader_close(in->state);
    in->state = state;
    return 0;
}

void trace_input_set_tee(struct trace_input *in, trace_input_tee tee, void *context)
{
    in->tee = tee;
    in->tee_context = context;
}

void trace_input_note_chunks(struct trace_input *in)
{
    trace_input_stop_workers(in);
    in->noting = true;
}

const struct trace_chunk_list *trace_input_noted_chunks(const struct trace_input *in)
{
    return &in->noted;
}

uint64_t trace_input_end(const struct trace_input *in)
{
    return in->codec->reader_end(in->state);
}
