/* SPDX-License-Identifier: MIT
 * Reads numbers and texts from a section. Reading beyond the end returns 0 and sets `failed`, so that one
 * check after several reads is enough.
 */
#ifndef SYMBOLS_SECTION_BYTES_H
#define SYMBOLS_SECTION_BYTES_H

#include "symbols/elf_file.h"

#include <string.h>

struct section_bytes {
    const uint8_t *data;
    uint64_t size; /* bytes */
    uint64_t at;
    bool little_endian;
    bool failed;
};

/* section: may be NULL, like an empty one. */
static inline struct section_bytes section_bytes_at(const struct elf_section *section, bool little_endian,
                                                    uint64_t at)
{
    struct section_bytes r = {.little_endian = little_endian, .at = at};
    if (section != NULL && section->data != NULL) {
        r.data = section->data;
        r.size = section->size;
    }
    r.failed = at > r.size;
    return r;
}

static inline void section_bytes_skip(struct section_bytes *r, uint64_t size)
{
    if (r->failed || r->size - r->at < size)
        r->failed = true;
    else
        r->at += size;
}

/* size: up to 8 bytes. */
static inline uint64_t section_bytes_number(struct section_bytes *r, unsigned size)
{
    uint64_t number = 0;
    if (r->failed || size > 8 || r->size - r->at < size) {
        r->failed = true;
        return 0;
    }
    const uint8_t *p = r->data + r->at;
    for (unsigned i = 0; i < size; ++i)
        number = number << 8 | p[r->little_endian ? size - 1 - i : i];
    r->at += size;
    return number;
}

/* Reads an unsigned LEB128 number. Bits above the 64th are ignored. */
static inline uint64_t section_bytes_unsigned(struct section_bytes *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += shift < 64 ? 7 : 0) {
        if (r->failed || r->at >= r->size) {
            r->failed = true;
            return 0;
        }
        uint8_t byte = r->data[r->at++];
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return number;
    }
}

static inline int64_t section_bytes_signed(struct section_bytes *r)
{
    uint64_t from = r->at, number = section_bytes_unsigned(r);
    uint64_t bits = r->failed ? 64 : (r->at - from) * 7;
    if (bits < 64 && (number >> (bits - 1) & 1) != 0)
        number |= UINT64_MAX << bits;
    return (int64_t)number;
}

/* Returns a text, lent by the section, or NULL if its NUL is missing. */
static inline const char *section_bytes_text(struct section_bytes *r)
{
    const uint8_t *end = r->failed || r->at >= r->size ? NULL : memchr(r->data + r->at, 0, r->size - r->at);
    if (end == NULL) {
        r->failed = true;
        return NULL;
    }
    const char *text = (const char *)(r->data + r->at);
    r->at = (uint64_t)(end - r->data) + 1;
    return text;
}

#endif
