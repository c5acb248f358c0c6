/* SPDX-License-Identifier: MIT */
#include "symbols/xray_map.h"

#include "base/error.h"
#include "symbols/elf_addresses.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define SECTION       "xray_instr_map"
#define INDEX_SECTION "xray_fn_idx"

/* A sled has two addresses, three bytes, and padding, in all four addresses; an entry of the index two. */
#define SLED_ADDRESSES  4
#define INDEX_ADDRESSES 2

/* A section whose contents are addresses. */
struct table {
    const struct elf_file *file;
    const struct elf_section *section;
    struct elf_addresses addresses;
};

static int wrong(const struct elf_file *f, const char *what)
{
    return trace_error_set(TRACE_ERR_FORMAT, "%s: %s", f->path, what);
}

static int open_table(struct table *t, struct elf_file *f, size_t section)
{
    const struct elf_section *s = &f->sections[section];
    *t = (struct table){.file = f, .section = s};
    int rc = elf_file_load(f, section);
    return rc == 0 ? elf_addresses_read(&t->addresses, f, s->address, s->address + s->size) : rc;
}

static void close_table(struct table *t)
{
    elf_addresses_fini(&t->addresses);
}

static uint64_t address_at(const struct table *t, size_t offset)
{
    uint64_t stored = elf_address_decode(t->file, t->section->data + offset);
    return elf_addresses_get(&t->addresses, t->section->address + offset, stored);
}

/* The place of an address plus the address, which then needs no relocation. */
static uint64_t relative_at(const struct table *t, size_t offset)
{
    uint64_t address = t->section->address + offset + elf_address_decode(t->file, t->section->data + offset);
    return t->file->pointer_size == 4 ? (uint32_t)address : address;
}

/* --- sleds ----------------------------------------------------------------------------------------- */

/* Addresses are relative since version 2. */
static void read_sled(const struct table *t, size_t offset, struct xray_sled *out)
{
    size_t size = t->file->pointer_size;
    const uint8_t *p = t->section->data + offset + 2 * size;
    *out = (struct xray_sled){.kind = p[0], .always = p[1] != 0, .version = p[2]};
    out->address = out->version >= 2 ? relative_at(t, offset) : address_at(t, offset);
    out->function = out->version >= 2 ? relative_at(t, offset + size) : address_at(t, offset + size);
}

/* Without an index, functions are numbered in the order of their sleds. */
static void number_by_sleds(struct xray_map *map)
{
    map->function_count = 0;
    for (size_t i = 0; i < map->sled_count; ++i) {
        struct xray_sled *sled = &map->sleds[i];
        if (i == 0 || sled->function != sled[-1].function)
            map->functions[map->function_count++] = sled->function;
        sled->number = (uint32_t)map->function_count;
    }
}

static int read_sleds(struct xray_map *out, const struct table *t)
{
    size_t size = SLED_ADDRESSES * (size_t)t->file->pointer_size;
    out->sled_count = t->section->size / size;
    if (t->section->size % size != 0)
        return wrong(t->file, "its instrumentation map is not made of whole sleds");
    out->sleds = calloc(out->sled_count + 1, sizeof *out->sleds);
    out->functions = calloc(out->sled_count + 1, sizeof *out->functions);
    if (out->sleds == NULL || out->functions == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < out->sled_count; ++i)
        read_sled(t, i * size, &out->sleds[i]);
    return 0;
}

/* --- the index ------------------------------------------------------------------------------------- */

/* Reads an entry of the index: a function's first sled, and the one after its last. Older compilers wrote the
 * addresses of both, newer ones the first as an offset from its own place, and the number of sleds. */
static bool read_entry(const struct table *index, size_t offset, const struct table *sleds, size_t *first,
                       size_t *end)
{
    size_t word = index->file->pointer_size, size = SLED_ADDRESSES * word;
    uint64_t base = sleds->section->address, count = sleds->section->size / size;
    uint64_t from = address_at(index, offset) - base, to = address_at(index, offset + word) - base;
    if (to > sleds->section->size || from > to) {
        from = relative_at(index, offset) - base;
        to = elf_address_decode(index->file, index->section->data + offset + word);
        if (from > sleds->section->size || to > count)
            return false;
        to = from + to * size;
    }
    *first = (size_t)(from / size);
    *end = (size_t)(to / size);
    return from % size == 0 && to % size == 0 && *first < *end && *end <= count;
}

/* The runtime numbers functions as the index does. Returns false if it does not have each sled once. */
static bool number_by_index(struct xray_map *map, const struct table *index, const struct table *sleds)
{
    size_t size = INDEX_ADDRESSES * (size_t)index->file->pointer_size, count = index->section->size / size;
    size_t first, end, numbered = 0;
    if (index->section->data == NULL || count > map->sled_count)
        return false;
    for (size_t i = 0; i < count; ++i) {
        if (!read_entry(index, i * size, sleds, &first, &end))
            return false;
        map->functions[i] = map->sleds[first].function;
        for (; first < end && map->sleds[first].number == 0; ++first, ++numbered)
            map->sleds[first].number = (uint32_t)i + 1;
        if (first < end)
            return false;
    }
    map->function_count = count;
    return numbered == map->sled_count;
}

static int number_functions(struct xray_map *map, struct elf_file *f, const struct table *sleds)
{
    struct table index;
    size_t section = elf_file_find_section(f, INDEX_SECTION);
    int rc = section != 0 ? open_table(&index, f, section) : 0;
    if (section == 0 || (rc == 0 && !number_by_index(map, &index, sleds)))
        number_by_sleds(map);
    if (section != 0)
        close_table(&index);
    return rc;
}

/* --- the file -------------------------------------------------------------------------------------- */

static int read_map(struct xray_map *out, struct elf_file *f, size_t section)
{
    struct table sleds;
    int rc = open_table(&sleds, f, section);
    if (rc == 0 && sleds.section->data == NULL)
        rc = wrong(f, "its instrumentation map is not in the file");
    if (rc == 0)
        rc = read_sleds(out, &sleds);
    if (rc == 0)
        rc = number_functions(out, f, &sleds);
    close_table(&sleds);
    return rc;
}

static int read_file(struct xray_map *out, struct elf_file *f)
{
    size_t section = elf_file_find_section(f, SECTION);
    if (section == 0)
        return wrong(f, "no instrumentation map: was it built with -fxray-instrument?");
    if (f->type == ET_REL)
        return wrong(f, "an object file, whose addresses are not known yet: link it");
    return read_map(out, f, section);
}

int xray_map_read(struct xray_map *out, const char *path)
{
    struct elf_file *f;
    *out = (struct xray_map){0};
    int rc = elf_file_open(&f, path);
    if (rc != 0)
        return rc;
    rc = read_file(out, f);
    elf_file_close(f);
    if (rc != 0)
        xray_map_fini(out);
    return rc;
}

void xray_map_fini(struct xray_map *map)
{
    free(map->sleds);
    free(map->functions);
    *map = (struct xray_map){0};
}
