/* SPDX-License-Identifier: MIT */
#include "symbols/xray_map.h"

#include "base/error.h"
#include "symbols/elf_file.h"

#include <stdlib.h>
#include <string.h>

#define SECTION "xray_instr_map"

/* A sled has two addresses, three bytes, and padding, in all four addresses. */
#define ADDRESSES 4

static uint64_t read_address(const struct elf_file *f, const uint8_t *p)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < f->pointer_size; ++i)
        value |= (uint64_t)p[f->little_endian ? i : f->pointer_size - 1u - i] << 8 * i;
    return value;
}

/* Since version 2, an address is relative to where it stands, so that it needs no relocation. */
static uint64_t absolute(const struct elf_file *f, uint64_t value, uint64_t place, unsigned version)
{
    uint64_t address = version >= 2 ? place + value : value;
    return f->pointer_size == 4 ? (uint32_t)address : address;
}

static void read_sled(const struct elf_file *f, const struct elf_section *section, size_t offset,
                      struct xray_sled *out)
{
    const uint8_t *p = section->data + offset;
    size_t size = f->pointer_size;
    *out =
        (struct xray_sled){.kind = p[2 * size], .always = p[2 * size + 1] != 0, .version = p[2 * size + 2]};
    out->address = absolute(f, read_address(f, p), section->address + offset, out->version);
    out->function = absolute(f, read_address(f, p + size), section->address + offset + size, out->version);
}

/* Functions are numbered in the order of their sleds. */
static void number_functions(struct xray_map *map)
{
    for (size_t i = 0; i < map->sled_count; ++i) {
        struct xray_sled *sled = &map->sleds[i];
        if (i == 0 || sled->function != sled[-1].function)
            map->functions[map->function_count++] = sled->function;
        sled->number = (uint32_t)map->function_count;
    }
}

static int read_sleds(struct xray_map *out, const struct elf_file *f, const struct elf_section *section)
{
    size_t size = ADDRESSES * (size_t)f->pointer_size;
    out->sled_count = section->size / size;
    out->sleds = calloc(out->sled_count + 1, sizeof *out->sleds);
    out->functions = calloc(out->sled_count + 1, sizeof *out->functions);
    if (out->sleds == NULL || out->functions == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < out->sled_count; ++i)
        read_sled(f, section, i * size, &out->sleds[i]);
    number_functions(out);
    return 0;
}

int xray_map_read(struct xray_map *out, const char *path)
{
    struct elf_file *f;
    *out = (struct xray_map){0};
    int rc = elf_file_open(&f, path);
    if (rc != 0)
        return rc;
    size_t index = elf_file_find_section(f, SECTION);
    if (index == 0)
        rc = trace_error_set(TRACE_ERR_FORMAT,
                             "%s: no instrumentation map: was it built with -fxray-instrument?", path);
    if (rc == 0)
        rc = elf_file_load(f, index);
    if (rc == 0 && f->sections[index].data == NULL)
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s: its instrumentation map is not in the file", path);
    if (rc == 0)
        rc = read_sleds(out, f, &f->sections[index]);
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
