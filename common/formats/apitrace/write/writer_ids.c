/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/write/writer_ids.h"

#include "base/buf.h"
#include "base/error.h"
#include "formats/apitrace/format.h"

#include <inttypes.h>

void writer_ids_fini(struct writer_ids *ids)
{
    for (int i = 0; i < TRACE_SIG_KINDS; ++i) {
        int_map_fini(&ids->tables[i].by_signature);
        int_map_fini(&ids->tables[i].taken);
    }
    string_map_fini(&ids->frames);
    *ids = (struct writer_ids){.frames = {0}};
}

static int take_id(struct writer_id_table *t, uint64_t key, uint32_t wanted, uint32_t *out)
{
    uint32_t id = wanted;
    if (int_map_get(&t->taken, id, NULL)) {
        while (int_map_get(&t->taken, t->next, NULL))
            ++t->next;
        id = t->next;
    }
    if (id >= TRACE_ID_LIMIT)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "more signatures than a trace can have");
    int rc = int_map_set(&t->taken, id, 0);
    if (rc == 0)
        rc = int_map_set(&t->by_signature, key, id);
    *out = id;
    return rc;
}

static int find_id(struct writer_id_table *t, uint64_t key, uint32_t wanted, uint32_t *out)
{
    uint64_t id;
    if (!int_map_get(&t->by_signature, key, &id))
        return take_id(t, key, wanted, out);
    *out = (uint32_t)id;
    return 0;
}

int writer_ids_find(struct writer_ids *ids, enum trace_sig_kind kind, const void *sig, uint32_t wanted,
                    uint32_t *out)
{
    return find_id(&ids->tables[kind], (uint64_t)(uintptr_t)sig, wanted, out);
}

static int append_text(struct buf *b, const char *text)
{
    /* The length prefix makes the texts of different frames different. */
    return text == NULL ? buf_append_string(b, "-") : buf_printf(b, "%zu:%s", strlen(text), text);
}

/* Describes a frame as a string, because the map needs one. */
static int spell_frame(struct buf *b, const struct trace_frame *f)
{
    int rc = buf_printf(b, "%" PRId64 ",%" PRId64 ",", f->line, f->offset);
    if (rc == 0)
        rc = append_text(b, f->module);
    if (rc == 0)
        rc = append_text(b, f->function);
    if (rc == 0)
        rc = append_text(b, f->file);
    return rc == 0 ? buf_append_byte(b, '\0') : rc;
}

int writer_ids_find_frame(struct writer_ids *ids, const struct trace_frame *frame, uint32_t *out)
{
    struct buf text = BUF_INIT;
    uint64_t key = ids->frames.len;
    int rc = spell_frame(&text, frame);
    if (rc == 0 && !string_map_get(&ids->frames, (char *)text.data, &key))
        rc = string_map_set(&ids->frames, (char *)text.data, key);
    buf_fini(&text);
    return rc != 0 ? rc : find_id(&ids->tables[TRACE_SIG_FRAME], key, frame->id, out);
}
