/* SPDX-License-Identifier: MIT */
#include "symbols/elf_symbols.h"

#include "base/array.h"
#include "base/error.h"
#include "symbols/symbol_demangle.h"

#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

void elf_symbols_fini(struct elf_symbols *s)
{
    free(s->items);
    address_map_fini(&s->map);
    string_map_fini(&s->by_name);
    *s = (struct elf_symbols){0};
}

/* Returns true for code, but not for the mapping symbols of compilers and assemblers. */
static bool is_function(const struct elf_file *f, const GElf_Sym *symbol, const char *name)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
        return false;
    if (symbol->st_shndx == SHN_UNDEF ||
        (symbol->st_shndx >= SHN_LORESERVE && symbol->st_shndx != SHN_XINDEX))
        return false;
    if (symbol->st_shndx < f->section_count && (f->sections[symbol->st_shndx].flags & SHF_EXECINSTR) == 0)
        return false;
    return name != NULL && name[0] != '\0' && name[0] != '$' && strncmp(name, ".L", 2) != 0;
}

/* Functions rank above labels, global symbols above weak and local ones, public names above internal ones. */
static uint8_t symbol_rank(const GElf_Sym *symbol, const char *name)
{
    unsigned rank = GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE;
    rank = rank * 3 + (GELF_ST_BIND(symbol->st_info) == STB_GLOBAL ? 2u
                       : GELF_ST_BIND(symbol->st_info) == STB_WEAK ? 1u
                                                                   : 0u);
    unsigned underscores = 0;
    while (underscores < 3 && name[underscores] == '_')
        ++underscores;
    if (name[0] == '_' && name[1] == 'Z')
        underscores = 0;
    return (uint8_t)(rank * 4 + 3 - underscores);
}

static int add_symbol(struct elf_symbols *s, const struct elf_file *f, const GElf_Sym *symbol, size_t names)
{
    const char *name = elf_strptr(f->elf, names, symbol->st_name);
    if (!is_function(f, symbol, name))
        return 0;
    if (ARRAY_RESERVE(s->items, s->count, s->room) != 0)
        return TRACE_ERR_MEMORY;
    s->items[s->count++] =
        (struct elf_symbol){symbol->st_value, symbol->st_size, name, symbol_rank(symbol, name)};
    return 0;
}

static int compare_symbols(const void *a, const void *b)
{
    const struct elf_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return -strcmp(x->name, y->name);
}

/* Maps addresses to the indexes of the sections that contain code. */
static int map_sections(struct address_map *sections, const struct elf_file *f)
{
    int rc = 0;
    for (size_t i = 1; i < f->section_count && rc == 0; ++i) {
        const struct elf_section *section = &f->sections[i];
        if ((section->flags & SHF_EXECINSTR) != 0 && section->size <= UINT64_MAX - section->address)
            rc = address_map_add(sections, section->address, section->address + section->size, (uint32_t)i);
    }
    return rc == 0 ? address_map_finish(sections) : rc;
}

/* Symbols without a size extend to the next symbol, or to the end of their section. */
static void complete_sizes(struct elf_symbols *s, const struct elf_file *f,
                           const struct address_map *sections)
{
    uint64_t next = 0; /* address of the next symbol at another address */
    for (size_t i = s->count; i > 0; --i) {
        struct elf_symbol *symbol = &s->items[i - 1];
        uint32_t index;
        if (i < s->count && s->items[i].address != symbol->address)
            next = s->items[i].address;
        if (symbol->size != 0 || !address_map_find(sections, symbol->address, &index))
            continue;
        uint64_t end = f->sections[index].address + f->sections[index].size;
        symbol->size = (next > symbol->address && next < end ? next : end) - symbol->address;
    }
}

static int map_symbols(struct elf_symbols *s, const struct elf_file *f)
{
    struct address_map sections = {0};
    int rc = map_sections(&sections, f);
    if (rc == 0)
        complete_sizes(s, f, &sections);
    address_map_fini(&sections);
    for (size_t i = 0; i < s->count && rc == 0; ++i) {
        const struct elf_symbol *symbol = &s->items[i];
        uint64_t end =
            symbol->size <= UINT64_MAX - symbol->address ? symbol->address + symbol->size : UINT64_MAX;
        rc = address_map_add(&s->map, symbol->address, end, (uint32_t)i);
    }
    return rc == 0 ? address_map_finish(&s->map) : rc;
}

int elf_symbols_load(struct elf_symbols *s, struct elf_file *f, uint32_t type)
{
    size_t table = 1;
    while (table < f->section_count && f->sections[table].type != type)
        ++table;
    if (table >= f->section_count)
        return 0;
    Elf_Data *data = elf_getdata(elf_getscn(f->elf, table), NULL);
    if (data == NULL || data->d_buf == NULL)
        return 0;
    size_t entry = gelf_fsize(f->elf, ELF_T_SYM, 1, EV_CURRENT);
    size_t count = entry > 0 ? data->d_size / entry : 0;
    int rc = 0;
    for (size_t i = 1; i < count && i <= INT32_MAX && rc == 0; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol) == NULL)
            return trace_error_set(TRACE_ERR_FORMAT, "%s: a damaged symbol table", f->path);
        rc = add_symbol(s, f, &symbol, f->sections[table].link);
    }
    if (rc == 0 && s->count > 0) {
        qsort(s->items, s->count, sizeof *s->items, compare_symbols);
        rc = map_symbols(s, f);
    }
    return rc;
}

const struct elf_symbol *elf_symbols_find(const struct elf_symbols *s, uint64_t address)
{
    uint32_t index;
    return address_map_find(&s->map, address, &index) ? &s->items[index] : NULL;
}

/* --- by name --------------------------------------------------------------------------------------- */

#define SEVERAL UINT64_MAX

/* Several symbols with this name at one address are one function. */
static int add_name(struct elf_symbols *s, const char *name, size_t index)
{
    uint64_t known;
    bool found = string_map_get(&s->by_name, name, &known);
    if (found && (known == SEVERAL || s->items[known].address == s->items[index].address))
        return 0;
    if (found)
        index = SEVERAL;
    return string_map_set(&s->by_name, name, index);
}

static int add_names(struct elf_symbols *s)
{
    int rc = 0;
    for (size_t i = 0; i < s->count && rc == 0; ++i) {
        char *demangled = symbol_demangle(s->items[i].name);
        rc = add_name(s, s->items[i].name, i);
        if (rc == 0 && demangled != NULL)
            rc = add_name(s, demangled, i);
        free(demangled);
    }
    return rc;
}

const struct elf_symbol *elf_symbols_find_name(struct elf_symbols *s, const char *name)
{
    uint64_t index;
    if (!s->has_names)
        s->has_names = add_names(s) == 0;
    return string_map_get(&s->by_name, name, &index) && index != SEVERAL ? &s->items[index] : NULL;
}
