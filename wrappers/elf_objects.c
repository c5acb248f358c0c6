/* SPDX-License-Identifier: MIT */
#include "elf_objects.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Most loaders turn the addresses in a dynamic section into real ones, some leave them relative. */
static const void *dynamic_address(const struct elf_object *object, const ElfW(Dyn) * entry)
{
    ElfW(Addr) value = entry->d_un.d_ptr;
    return (const void *)(value < object->base ? value + object->base : value);
}

static bool read_dynamic(struct elf_object *object)
{
    if (object->dynamic == NULL)
        return false;
    for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SYMTAB)
            object->symbols = dynamic_address(object, entry);
        else if (entry->d_tag == DT_STRTAB)
            object->strings = dynamic_address(object, entry);
        else if (entry->d_tag == DT_GNU_HASH)
            object->gnu_hash = dynamic_address(object, entry);
        else if (entry->d_tag == DT_HASH)
            object->sysv_hash = dynamic_address(object, entry);
    }
    return object->symbols != NULL && object->strings != NULL;
}

static void read_headers(struct elf_object *object, const ElfW(Phdr) * headers, unsigned count)
{
    object->start = UINTPTR_MAX;
    object->end = 0;
    for (unsigned i = 0; i < count; ++i) {
        uintptr_t at = object->base + headers[i].p_vaddr, end = at + headers[i].p_memsz;
        if (headers[i].p_type == PT_DYNAMIC)
            object->dynamic = (const void *)at;
        if (headers[i].p_type != PT_LOAD)
            continue;
        object->start = at < object->start ? at : object->start;
        object->end = end > object->end ? end : object->end;
    }
}

struct search {
    uintptr_t address;
    struct elf_object *out;
};

static int holds_address(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct search *search = data;
    struct elf_object object = {.base = info->dlpi_addr, .name = info->dlpi_name};
    read_headers(&object, info->dlpi_phdr, info->dlpi_phnum);
    if (search->address < object.start || search->address >= object.end)
        return 0;
    *search->out = object;
    return 1;
}

/* Only dladdr() sees other namespaces than ours. The program headers lie where the first segment does. */
static bool find_in_other_namespace(const void *address, struct elf_object *out)
{
    Dl_info info;
    void *found = NULL;
    if (dladdr1(address, &info, &found, RTLD_DL_LINKMAP) == 0 || found == NULL || info.dli_fbase == NULL)
        return false;
    const struct link_map *map = found;
    const ElfW(Ehdr) *file = info.dli_fbase;
    *out = (struct elf_object){.base = map->l_addr, .name = map->l_name};
    read_headers(out, (const void *)((uintptr_t)file + file->e_phoff), file->e_phnum);
    return true;
}

bool elf_object_at(const void *address, struct elf_object *out)
{
    *out = (struct elf_object){.base = 0};
    struct search search = {(uintptr_t)address, out};
    if (dl_iterate_phdr(holds_address, &search) == 0 && !find_in_other_namespace(address, out))
        return false;
    return read_dynamic(out);
}

static bool is_defined_as(const struct elf_object *object, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           strcmp(object->strings + symbol->st_name, name) == 0;
}

/* The hash function and the table of DT_GNU_HASH. */
static const ElfW(Sym) * find_by_gnu_hash(const struct elf_object *object, const char *name)
{
    uint32_t hash = 5381;
    for (const char *c = name; *c != '\0'; ++c)
        hash = hash * 33 + (unsigned char)*c;
    const uint32_t *table = object->gnu_hash;
    uint32_t bucket_count = table[0], first = table[1], filter_words = table[2], shift = table[3];
    const ElfW(Addr) *filter = (const void *)(table + 4);
    const unsigned bits = 8 * sizeof *filter;
    ElfW(Addr) word = filter[hash / bits % filter_words];
    if ((word >> hash % bits & word >> (hash >> shift) % bits & 1) == 0)
        return NULL;
    const uint32_t *buckets = (const void *)(filter + filter_words), *chains = buckets + bucket_count;
    uint32_t index = bucket_count > 0 ? buckets[hash % bucket_count] : 0;
    if (index < first)
        return NULL;
    for (;; ++index) {
        uint32_t other = chains[index - first];
        if ((other | 1) == (hash | 1) && is_defined_as(object, index, name))
            return &object->symbols[index];
        if ((other & 1) != 0)
            return NULL;
    }
}

static const ElfW(Sym) * find_one_by_one(const struct elf_object *object, const char *name)
{
    uint32_t count = object->sysv_hash[1];
    for (uint32_t i = 1; i < count; ++i)
        if (is_defined_as(object, i, name))
            return &object->symbols[i];
    return NULL;
}

const ElfW(Sym) * elf_object_symbol(const struct elf_object *object, const char *name)
{
    if (object->gnu_hash != NULL)
        return find_by_gnu_hash(object, name);
    return object->sysv_hash != NULL ? find_one_by_one(object, name) : NULL;
}

bool elf_object_has_function(const struct elf_object *object, const char *name)
{
    const ElfW(Sym) *symbol = elf_object_symbol(object, name);
    unsigned type = symbol != NULL ? ELF64_ST_TYPE(symbol->st_info) : STT_NOTYPE;
    return type == STT_FUNC || type == STT_GNU_IFUNC;
}

struct next {
    const char *name;
    uintptr_t behind;
    bool passed;
    void *found;
};

static int find_next(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct next *next = data;
    struct elf_object object = {.base = info->dlpi_addr, .name = info->dlpi_name};
    read_headers(&object, info->dlpi_phdr, info->dlpi_phnum);
    if (!next->passed) {
        next->passed = next->behind >= object.start && next->behind < object.end;
        return 0;
    }
    if (!read_dynamic(&object) || !elf_object_has_function(&object, next->name))
        return 0;
    next->found = (void *)(object.base + elf_object_symbol(&object, next->name)->st_value);
    return 1;
}

void *elf_next_function(const char *name, const void *behind)
{
    struct next next = {.name = name, .behind = (uintptr_t)behind};
    dl_iterate_phdr(find_next, &next);
    return next.found;
}

static int read_unloaded(struct dl_phdr_info *info, size_t size, void *count)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(unsigned long long *)count = info->dlpi_subs;
    return 1; /* the first object's information says it */
}

unsigned long long elf_unloaded_count(void)
{
    unsigned long long count = 0;
    dl_iterate_phdr(read_unloaded, &count);
    return count;
}
