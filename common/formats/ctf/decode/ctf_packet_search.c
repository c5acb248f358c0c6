/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_packet_search.h"

#include "base/error.h"

#include <stdlib.h>

#define STEP ((size_t)64 << 10)

/* Returns the number of bytes with which all packets begin; 0 if that is not known. */
static size_t make_pattern(const struct ctf_trace *t, uint8_t out[20])
{
    static const uint8_t little[4] = {0xc1, 0x1f, 0xfc, 0xc1}, big[4] = {0xc1, 0xfc, 0x1f, 0xc1};
    const struct ctf_class *header = t->packet_header;
    if (header == NULL || header->u.structure.count == 0)
        return 0;
    const struct ctf_class *first = header->u.structure.members[0].type;
    if (first->kind != CTF_INTEGER || first->u.integer.role != CTF_MAGIC || first->u.integer.size != 32)
        return 0;
    uint8_t order = first->u.integer.order != CTF_ORDER_DEFAULT ? first->u.integer.order : t->order;
    memcpy(out, order == CTF_BIG_ENDIAN ? big : little, 4);
    if (header->u.structure.count < 2 || !t->has_uuid)
        return 4;
    const struct ctf_class *second = header->u.structure.members[1].type;
    bool has_uuid = second->kind == CTF_ARRAY && second->u.array.role == CTF_UUID && second->align <= 32;
    memcpy(out + 4, t->uuid, sizeof t->uuid);
    return has_uuid ? 20 : 4;
}

static int search(struct ctf_file *file, const uint8_t *pattern, size_t length, uint64_t offset,
                  uint8_t *bytes, uint64_t *out)
{
    size_t got = STEP;
    for (*out = file->size; got == STEP; offset += STEP - length + 1) {
        int rc = ctf_file_read_at(file, offset, bytes, STEP, &got);
        if (rc != 0)
            return rc;
        const uint8_t *found = memmem(bytes, got, pattern, length);
        if (found != NULL) {
            *out = offset + (uint64_t)(found - bytes);
            return 0;
        }
    }
    return 0;
}

int ctf_packet_search(struct ctf_file *file, const struct ctf_trace *trace, uint64_t offset, uint64_t *out)
{
    uint8_t pattern[20];
    size_t length = make_pattern(trace, pattern);
    *out = file->size;
    if (length == 0)
        return 0;
    uint8_t *bytes = malloc(STEP);
    int rc = bytes != NULL ? search(file, pattern, length, offset, bytes, out)
                           : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    free(bytes);
    return rc;
}
