/* SPDX-License-Identifier: MIT */
#include "symbols/elf_addresses.h"

#include "base/array.h"
#include "base/error.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>

uint64_t elf_address_decode(const struct elf_file *f, const uint8_t *bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < f->pointer_size; ++i)
        value |= (uint64_t)bytes[f->little_endian ? i : f->pointer_size - 1u - i] << 8 * i;
    return value;
}

/* --- kinds of relocations -------------------------------------------------------------------------- */

/* Relocations with addends: the address of the file plus the addend, or that of a symbol plus the addend. */
static const struct {
    uint16_t machine;
    uint32_t relative;
    uint32_t symbol;
} kinds[] = {
    {EM_X86_64, R_X86_64_RELATIVE, R_X86_64_64},  {EM_AARCH64, R_AARCH64_RELATIVE, R_AARCH64_ABS64},
    {EM_PPC64, R_PPC64_RELATIVE, R_PPC64_ADDR64}, {EM_RISCV, R_RISCV_RELATIVE, R_RISCV_64},
    {EM_S390, R_390_RELATIVE, R_390_64},          {258 /* LoongArch */, 3, 2},
};

/* The index of the machine's relocations, or the number of machines. */
static size_t find_kind(const struct elf_file *f)
{
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && kinds[i].machine != f->machine)
        ++i;
    return i;
}

/* --- reading --------------------------------------------------------------------------------------- */

/* Gets the address of a symbol of the table that belongs to the relocations. */
static bool find_symbol(Elf_Data *symbols, uint64_t index, uint64_t *out)
{
    GElf_Sym symbol;
    if (symbols == NULL || index > INT_MAX || gelf_getsym(symbols, (int)index, &symbol) == NULL)
        return false;
    *out = symbol.st_value;
    return true;
}

static int add_address(struct elf_addresses *a, uint64_t place, uint64_t value)
{
    if (ARRAY_RESERVE(a->items, a->count, a->room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    a->items[a->count++] = (struct elf_address){place, value};
    return 0;
}

static Elf_Data *data_of(const struct elf_file *f, size_t section)
{
    return section != 0 ? elf_getdata(elf_getscn(f->elf, section), NULL) : NULL;
}

static int read_section(struct elf_addresses *a, const struct elf_file *f, size_t section, uint64_t from,
                        uint64_t to)
{
    Elf_Data *data = data_of(f, section), *symbols = data_of(f, f->sections[section].link);
    size_t kind = find_kind(f);
    GElf_Rela r;
    int rc = 0;
    for (int i = 0; rc == 0 && data != NULL && gelf_getrela(data, i, &r) != NULL; ++i) {
        uint64_t base = 0;
        uint32_t type = (uint32_t)GELF_R_TYPE(r.r_info);
        if (r.r_offset < from || r.r_offset >= to)
            continue;
        if (type == kinds[kind].relative ||
            (type == kinds[kind].symbol && find_symbol(symbols, GELF_R_SYM(r.r_info), &base)))
            rc = add_address(a, r.r_offset, base + (uint64_t)r.r_addend);
    }
    return rc;
}

static int compare(const void *x, const void *y)
{
    const struct elf_address *a = x, *b = y;
    return (a->place > b->place) - (a->place < b->place);
}

int elf_addresses_read(struct elf_addresses *a, const struct elf_file *f, uint64_t from, uint64_t to)
{
    int rc = 0;
    if (find_kind(f) == sizeof kinds / sizeof *kinds)
        return 0; /* its relocations have their addends in place */
    for (size_t i = 1; rc == 0 && i < f->section_count; ++i)
        if (f->sections[i].type == SHT_RELA &&
            (f->sections[i].flags & (SHF_ALLOC | SHF_COMPRESSED)) == SHF_ALLOC)
            rc = read_section(a, f, i, from, to);
    if (a->count > 0)
        qsort(a->items, a->count, sizeof *a->items, compare);
    return rc;
}

void elf_addresses_fini(struct elf_addresses *a)
{
    free(a->items);
    *a = (struct elf_addresses){0};
}

uint64_t elf_addresses_get(const struct elf_addresses *a, uint64_t place, uint64_t stored)
{
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->items[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->count && a->items[low].place == place ? a->items[low].value : stored;
}
