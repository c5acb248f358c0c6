/* SPDX-License-Identifier: MIT
 * Finds the call frame information of an address, with the table in .eh_frame_hdr (Linux Standard Base, Core,
 * 10.6).
 */
#include "unwind/frame_tables.h"

#include "memory/program_memory.h"
#include "unwind/cfa_program.h"

#include <string.h>

#define TABLE_ENCODING 0x3b                /* four bytes, relative to the header, as every linker writes it */
#define ENTRY_MAX      (UINT32_C(1) << 20) /* bytes of an entry */

/* The object's file may be damaged, or hostile: nothing of it is read before this. */
static bool can_read(const struct frame_tables *object, const void *memory, size_t size)
{
    uintptr_t at = (uintptr_t)memory;
    return at >= object->start && at < object->end && size <= object->end - at &&
           program_memory_readable(memory, size);
}

struct table_entry {
    int32_t start, entry; /* relative to the header */
};

/* Finds the last entry that begins at or before `wanted`. Returns false if there is none. */
static bool search(const struct frame_tables *object, const uint8_t *table, uint64_t count, int64_t wanted,
                   struct table_entry *out)
{
    uint64_t low = 0, high = count;
    *out = (struct table_entry){0, 0};
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        struct table_entry e;
        if (!can_read(object, table + middle * sizeof e, sizeof e))
            return false;
        memcpy(&e, table + middle * sizeof e, sizeof e);
        if (e.start > wanted) {
            high = middle;
            continue;
        }
        low = middle + 1;
        *out = e;
    }
    return low > 0;
}

/* Returns the start of the entry of the function that may contain pc, or NULL. */
static const uint8_t *find_entry(const struct frame_tables *object, uintptr_t pc)
{
    const uint8_t *header = object->header;
    const size_t most = 4 + 2 * sizeof(uint64_t); /* bytes of the header, without the table */
    struct table_entry e;
    if (!can_read(object, header, most) || header[0] != 1 || header[3] != TABLE_ENCODING)
        return NULL;
    struct frame_bytes b = {header + 4, header + most, false};
    frame_bytes_pointer(&b, header[1], (uintptr_t)header);
    uint64_t count = frame_bytes_pointer(&b, header[2], 0);
    if (b.failed || count > (object->end - (uintptr_t)b.at) / sizeof e)
        return NULL;
    return search(object, b.at, count, (intptr_t)(pc - (uintptr_t)header), &e) ? header + e.entry : NULL;
}

/* Returns the bytes of an entry after its length. Those of a common information entry begin with the id 0. */
static struct frame_bytes entry_bytes(const struct frame_tables *object, const uint8_t *entry)
{
    uint32_t length;
    if (!can_read(object, entry, sizeof length))
        return (struct frame_bytes){entry, entry, true};
    memcpy(&length, entry, sizeof length);
    const uint8_t *at = entry + sizeof length;
    /* 64-bit lengths do not occur in practice. */
    bool usable = length >= sizeof(uint32_t) && length <= ENTRY_MAX && can_read(object, at, length);
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

static bool read_common(const struct frame_tables *object, const uint8_t *common, struct frame_entry *out)
{
    struct frame_bytes b = entry_bytes(object, common);
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

static bool read_entry(const struct frame_tables *object, const uint8_t *entry, struct frame_entry *out)
{
    struct frame_bytes b = entry_bytes(object, entry);
    const uint8_t *at = b.at;
    uint64_t distance = frame_bytes_fixed(&b, 4);
    if (b.failed || distance == 0 || !read_common(object, at - distance, out))
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
    const uint8_t *found = object->header != NULL ? find_entry(object, pc) : NULL;
    if (found == NULL || !read_entry(object, found, &entry) || pc < entry.start || pc >= entry.end)
        return unknown;
    return cfa_program_run(&entry, pc);
}
