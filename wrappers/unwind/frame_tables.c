/* SPDX-License-Identifier: MIT
 * Finds the call frame information of an address, with the table in .eh_frame_hdr (Linux Standard Base, Core,
 * 10.6).
 */
#include "unwind/frame_tables.h"

#include "unwind/cfa_program.h"

#include <string.h>

#define TABLE_ENCODING 0x3b /* four bytes, relative to the header, as every linker writes it */

/* Returns the start of the entry of the function that may contain pc, or NULL. */
static const uint8_t *find_entry(const uint8_t *header, uintptr_t pc)
{
    struct entry {
        int32_t start, entry;
    };
    struct frame_bytes b = {header + 4, header + 64, false};
    if (header[0] != 1 || header[3] != TABLE_ENCODING)
        return NULL;
    frame_bytes_pointer(&b, header[1], (uintptr_t)header);
    uint64_t count = frame_bytes_pointer(&b, header[2], 0);
    int64_t wanted = (intptr_t)(pc - (uintptr_t)header);
    if (b.failed || count == 0)
        return NULL;
    uint64_t low = 0, high = count;
    struct entry e;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        memcpy(&e, b.at + middle * sizeof e, sizeof e);
        if (e.start <= wanted)
            low = middle;
        else
            high = middle;
    }
    memcpy(&e, b.at + low * sizeof e, sizeof e);
    return e.start <= wanted ? header + e.entry : NULL;
}

/* Returns the bytes of an entry after its length. Those of a common information entry begin with the id 0. */
static struct frame_bytes entry_bytes(const uint8_t *entry)
{
    uint32_t length;
    memcpy(&length, entry, sizeof length);
    const uint8_t *at = entry + sizeof length;
    /* 64-bit lengths do not occur in practice. */
    bool usable = length >= sizeof(uint32_t) && length < UINT32_MAX;
    return (struct frame_bytes){at, usable ? at + length : at, !usable};
}

/* Interprets the letters of the augmentation. */
static void read_augmentation(struct frame_entry *out, const char *letters, struct frame_bytes b)
{
    for (; *letters != '\0' && !b.failed; ++letters) {
        switch (*letters) {
        case 'R':
            out->pointer_encoding = (uint8_t)frame_bytes_fixed(&b, 1);
            break;
        case 'P':
            frame_bytes_pointer(&b, (uint8_t)(frame_bytes_fixed(&b, 1) & 0x7f), 0);
            break;
        case 'L':
            frame_bytes_fixed(&b, 1);
            break;
        case 'S':
            out->signal = true;
            break;
        default: /* 'B' has no data; data of unknown letters cannot be skipped */
            if (*letters != 'B')
                return;
        }
    }
}

static bool read_common(const uint8_t *common, struct frame_entry *out)
{
    struct frame_bytes b = entry_bytes(common);
    uint64_t id = frame_bytes_fixed(&b, 4), version = frame_bytes_fixed(&b, 1);
    const char *letters = (const char *)b.at;
    while (!b.failed && frame_bytes_fixed(&b, 1) != 0)
        continue;
    out->code_factor = frame_bytes_unsigned(&b);
    out->data_factor = frame_bytes_signed(&b);
    out->return_register = version == 1 ? frame_bytes_fixed(&b, 1) : frame_bytes_unsigned(&b);
    if (b.failed || id != 0 || (version != 1 && version != 3) || (*letters != '\0' && *letters != 'z'))
        return false;
    out->has_augmentation = *letters == 'z';
    if (out->has_augmentation) {
        uint64_t size = frame_bytes_unsigned(&b);
        struct frame_bytes data = b;
        frame_bytes_skip(&b, size);
        data.end = b.at;
        read_augmentation(out, letters + 1, data);
    }
    out->initial = b;
    return !b.failed;
}

static bool read_entry(const uint8_t *entry, struct frame_entry *out)
{
    struct frame_bytes b = entry_bytes(entry);
    const uint8_t *at = b.at;
    uint64_t distance = frame_bytes_fixed(&b, 4);
    if (b.failed || distance == 0 || !read_common(at - distance, out))
        return false;
    out->start = frame_bytes_pointer(&b, out->pointer_encoding, 0);
    out->end = out->start + frame_bytes_pointer(&b, out->pointer_encoding & 0x0f, 0);
    if (out->has_augmentation)
        frame_bytes_skip(&b, frame_bytes_unsigned(&b)); /* exception tables */
    out->instructions = b;
    return !b.failed;
}

struct frame_rule frame_tables_find(const struct frame_tables *object, uintptr_t pc)
{
    const struct frame_rule unknown = {.kind = CFA_UNKNOWN};
    struct frame_entry entry = {.pointer_encoding = 0};
    const uint8_t *found = object->header != NULL ? find_entry(object->header, pc) : NULL;
    if (found == NULL || !read_entry(found, &entry) || pc < entry.start || pc >= entry.end)
        return unknown;
    return cfa_program_run(&entry, pc);
}
