/* SPDX-License-Identifier: MIT */
#include "lookup/elf_objects.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __i386__
#define TABLE_TAG      DT_REL
#define TABLE_SIZE_TAG DT_RELSZ
#else
#define TABLE_TAG      DT_RELA
#define TABLE_SIZE_TAG DT_RELASZ
#endif

/* Most loaders relocate the addresses in a dynamic section; some leave them relative. */
static const void *dynamic_address(const struct elf_object *object, const ElfW(Dyn) * entry)
{
    ElfW(Addr) value = entry->d_un.d_ptr;
    return (const void *)(value < object->base ? value + object->base : value);
}

static void read_entry(struct elf_object *object, const ElfW(Dyn) * entry)
{
    const void *address = dynamic_address(object, entry);
    switch (entry->d_tag) {
    case DT_SYMTAB:
        object->symbols = address;
        break;
    case DT_STRTAB:
        object->strings = address;
        break;
    case DT_GNU_HASH:
        object->gnu_hash = address;
        break;
    case DT_HASH:
        object->sysv_hash = address;
        break;
    case DT_JMPREL:
        object->relocations[0].first = address;
        break;
    case DT_PLTRELSZ:
        object->relocations[0].count = entry->d_un.d_val / sizeof(elf_relocation);
        break;
    case TABLE_TAG:
        object->relocations[1].first = address;
        break;
    case TABLE_SIZE_TAG:
        object->relocations[1].count = entry->d_un.d_val / sizeof(elf_relocation);
        break;
    default:
        break;
    }
}

static bool read_dynamic(struct elf_object *object)
{
    if (object->dynamic == NULL)
        return false;
    for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; ++entry)
        read_entry(object, entry);
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
        if (headers[i].p_type == PT_GNU_RELRO) {
            object->relro_start = at;
            object->relro_end = end;
        }
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
    read_dynamic(&object); /* here, where it cannot be unloaded */
    *search->out = object;
    return 1;
}

/* Only dladdr() finds objects in other namespaces. The program headers are at the start of the first segment.
 */
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

struct counts {
    unsigned long long loaded, unloaded;
};

static int read_counts(struct dl_phdr_info *info, size_t size, void *data)
{
    struct counts *counts = data;
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *counts = (struct counts){info->dlpi_adds, info->dlpi_subs};
    return 1; /* the information about the first object includes the counters */
}

static struct counts get_counts(void)
{
    struct counts counts = {0, 0};
    dl_iterate_phdr(read_counts, &counts);
    return counts;
}

/* The object that a thread looked up last, since a program looks up thousands of functions in a row. */
static _Thread_local struct {
    struct counts counts; /* if these change, objects were loaded or unloaded */
    unsigned next;
    struct elf_object objects[4];
} recent __attribute__((tls_model("initial-exec")));

static const struct elf_object *find_recent(uintptr_t address)
{
    struct counts counts = get_counts();
    if (counts.loaded != recent.counts.loaded || counts.unloaded != recent.counts.unloaded) {
        memset(&recent, 0, sizeof recent);
        recent.counts = counts;
    }
    for (unsigned i = 0; i < 4; ++i)
        if (address >= recent.objects[i].start && address < recent.objects[i].end)
            return &recent.objects[i];
    return NULL;
}

bool elf_object_at(const void *address, struct elf_object *out)
{
    const struct elf_object *known = find_recent((uintptr_t)address);
    if (known != NULL) {
        *out = *known;
        return true;
    }
    *out = (struct elf_object){.base = 0};
    struct search search = {(uintptr_t)address, out};
    if (dl_iterate_phdr(holds_address, &search) == 0 &&
        (!find_in_other_namespace(address, out) || !read_dynamic(out)))
        return false;
    if (out->symbols == NULL || out->strings == NULL)
        return false;
    recent.objects[recent.next++ % 4] = *out;
    return true;
}

/* strcmp() may be a sanitizer's, which cannot be called yet (elf_next_function_at_start()). */
static bool is_same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static bool is_defined_as(const struct elf_object *object, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           is_same(object->strings + symbol->st_name, name);
}

/* The hash function and the lookup in the table of DT_GNU_HASH. */
static const ElfW(Sym) * find_by_gnu_hash(const struct elf_object *object, const char *name)
{
    uint32_t hash = 5381;
    for (const char *c = name; *c != '\0'; ++c)
        hash = hash * 33 + (unsigned char)*c;
    const uint32_t *table = object->gnu_hash;
    uint32_t bucket_count = table[0], first = table[1], filter_words = table[2], shift = table[3];
    const ElfW(Addr) *filter = (const void *)(table + 4);
    const unsigned bits = 8 * sizeof *filter;
    if (bucket_count == 0 || filter_words == 0)
        return NULL; /* no symbols */
    ElfW(Addr) word = filter[hash / bits % filter_words];
    if ((word >> hash % bits & word >> (hash >> shift) % bits & 1) == 0)
        return NULL;
    const uint32_t *buckets = (const void *)(filter + filter_words), *chains = buckets + bucket_count;
    uint32_t index = buckets[hash % bucket_count];
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
    struct next next = {.name = name, .behind = (uintptr_t)behind, .passed = behind == NULL};
    dl_iterate_phdr(find_next, &next);
    return next.found;
}

void *elf_next_function_at_start(const char *name, const char *beside)
{
    bool passed = false;
    for (const struct link_map *map = _r_debug.r_map; map != NULL; map = map->l_next) {
        struct elf_object object = {.base = map->l_addr, .dynamic = map->l_ld};
        if (!passed)
            passed = map->l_ld == _DYNAMIC;
        else if (read_dynamic(&object) && elf_object_has_function(&object, name) &&
                 elf_object_has_function(&object, beside))
            return (void *)(object.base + elf_object_symbol(&object, name)->st_value);
    }
    return NULL;
}

struct order {
    uintptr_t a, b;
};

/* Returns 1 if a comes first, 2 if b does. */
static int compare_order(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const struct order *order = data;
    struct elf_object object = {.base = info->dlpi_addr};
    read_headers(&object, info->dlpi_phdr, info->dlpi_phnum);
    if (order->b >= object.start && order->b < object.end)
        return 2;
    return order->a >= object.start && order->a < object.end;
}

bool elf_precedes(const void *a, const void *b)
{
    return dl_iterate_phdr(compare_order, &(struct order){(uintptr_t)a, (uintptr_t)b}) == 1;
}

struct gathering {
    struct elf_object *objects;
    size_t count, room;
};

static int gather(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct gathering *g = data;
    if (g->count == g->room) {
        size_t room = g->room > 0 ? 2 * g->room : 64;
        struct elf_object *more = realloc(g->objects, room * sizeof *more);
        if (more == NULL)
            return 1;
        g->objects = more;
        g->room = room;
    }
    struct elf_object *object = &g->objects[g->count++];
    *object = (struct elf_object){.base = info->dlpi_addr, .name = info->dlpi_name};
    read_headers(object, info->dlpi_phdr, info->dlpi_phnum);
    if (!read_dynamic(object))
        object->symbols = NULL;
    return 0;
}

struct elf_object *elf_objects_list(size_t *count)
{
    struct gathering g = {.count = 0};
    dl_iterate_phdr(gather, &g);
    *count = g.count;
    return g.objects;
}

struct keeping {
    void (*use)(void *data);
    void *data;
};

static int use_once(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)info;
    (void)size;
    const struct keeping *keeping = data;
    keeping->use(keeping->data);
    return 1;
}

/* An object is unmapped under the lock that this takes. */
void elf_objects_keep(void (*use)(void *data), void *data)
{
    dl_iterate_phdr(use_once, &(struct keeping){use, data});
}

size_t elf_object_undefined_count(const struct elf_object *object)
{
    return object->gnu_hash != NULL    ? object->gnu_hash[1]
           : object->sysv_hash != NULL ? object->sysv_hash[1]
                                       : 0;
}

#if defined __x86_64__
#define IS_POINTER(type)                                                                                     \
    ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#define IS_ADDED(type) ((type) == R_X86_64_64)
#elif defined __i386__
#define IS_POINTER(type) ((type) == R_386_JMP_SLOT || (type) == R_386_GLOB_DAT || (type) == R_386_32)
#elif defined __aarch64__
#define IS_POINTER(type)                                                                                     \
    ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#define IS_ADDED(type) ((type) == R_AARCH64_ABS64)
#else
#define IS_POINTER(type) false
#define IS_ADDED(type)   false
#endif

#if defined __i386__
#define TYPE_OF(r)        ELF32_R_TYPE((r)->r_info)
#define SYMBOL_OF(r)      ELF32_R_SYM((r)->r_info)
#define ADDED_BY(r, type) 0
#else
#define TYPE_OF(r)        ELF64_R_TYPE((r)->r_info)
#define SYMBOL_OF(r)      ELF64_R_SYM((r)->r_info)
#define ADDED_BY(r, type) (IS_ADDED(type) ? (r)->r_addend : 0)
#endif

void elf_object_visit_slots(const struct elf_object *object,
                            void (*visit)(const struct elf_object *object, const struct elf_slot *slot,
                                          void *data),
                            void *data)
{
    for (unsigned table = 0; table < 2; ++table) {
        const elf_relocation *relocation = object->relocations[table].first;
        for (size_t i = 0; i < object->relocations[table].count; ++i, ++relocation) {
            unsigned long type = TYPE_OF(relocation), index = SYMBOL_OF(relocation);
            if (index == 0 || !IS_POINTER(type))
                continue;
            const ElfW(Sym) *symbol = &object->symbols[index];
            const struct elf_slot slot = {.symbol = symbol,
                                          .name = object->strings + symbol->st_name,
                                          .lazy = table == 0,
                                          .address = (uintptr_t *)(object->base + relocation->r_offset),
                                          .addend = ADDED_BY(relocation, type)};
            visit(object, &slot, data);
        }
    }
}

void elf_object_set_slot(const struct elf_object *object, const struct elf_slot *slot, uintptr_t value)
{
    uintptr_t at = (uintptr_t)slot->address, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t relro_start = object->relro_start & -page, relro_end = object->relro_end & -page;
    bool locked = at >= relro_start && at < relro_end;
    void *start = (void *)(at & -page);
    if (locked && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot->address, value, __ATOMIC_RELEASE);
    if (locked)
        mprotect(start, page, PROT_READ);
}

unsigned long long elf_loaded_count(void)
{
    return get_counts().loaded;
}

unsigned long long elf_unloaded_count(void)
{
    return get_counts().unloaded;
}
