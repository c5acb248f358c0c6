/* SPDX-License-Identifier: MIT */
#include "unwind/loaded_modules.h"

#include "memory/program_memory.h"
#include "memory/unlocked_memory.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_SIZE ((size_t)64 << 10)
#define LOCK_TRIES 10000

static struct {
    pthread_mutex_t lock;
    _Atomic(struct loaded_module *) first;
    struct loaded_module *last;
    char *arena; /* where the next entry is stored; entries are never freed */
    size_t room;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

#pragma weak _dl_find_object /* since glibc 2.35; takes no lock */

struct search {
    uintptr_t pc;
    struct frame_tables *tables;
};

static int holds_pc(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const struct search *s = data;
    struct frame_tables t = {.start = UINTPTR_MAX};
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + h->p_vaddr;
        if (h->p_type == PT_GNU_EH_FRAME)
            t.header = (const uint8_t *)at;
        if (h->p_type != PT_LOAD)
            continue;
        t.start = at < t.start ? at : t.start;
        t.end = at + h->p_memsz > t.end ? at + h->p_memsz : t.end;
    }
    if (s->pc < t.start || s->pc >= t.end)
        return 0;
    *s->tables = t;
    return 1;
}

static bool find_by_headers(uintptr_t pc, struct frame_tables *tables, const struct link_map **map)
{
    Dl_info info;
    void *found = NULL;
    if (dl_iterate_phdr(holds_pc, &(struct search){pc, tables}) == 0 ||
        dladdr1((const void *)pc, &info, &found, RTLD_DL_LINKMAP) == 0)
        return false;
    *map = found;
    return found != NULL;
}

bool loaded_module_at(uintptr_t pc, struct frame_tables *tables, const struct link_map **map)
{
    struct dl_find_object found;
    if (_dl_find_object == NULL)
        return find_by_headers(pc, tables, map);
    if (_dl_find_object((void *)pc, &found) != 0)
        return false;
    *tables = (struct frame_tables){.start = (uintptr_t)found.dlfo_map_start,
                                    .end = (uintptr_t)found.dlfo_map_end,
                                    .header = found.dlfo_eh_frame};
    *map = found.dlfo_link_map;
    return true;
}

/* Copies the build id from the notes in [at, at + size). */
static bool read_notes(struct build_id *out, const uint8_t *at, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~(size_t)3, data = (note.n_descsz + 3u) & ~(size_t)3;
        if (name > size || data > size || sizeof note + name + data > size)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0 &&
            note.n_descsz <= sizeof out->bytes) {
            out->size = note.n_descsz;
            memcpy(out->bytes, at + sizeof note + name, note.n_descsz);
            return true;
        }
        at += sizeof note + name + data;
        size -= sizeof note + name + data;
    }
    return false;
}

/* The program headers are at the start of the first segment. */
static struct build_id read_build_id(const struct frame_tables *tables, uintptr_t base)
{
    struct build_id id = {.size = 0};
    const ElfW(Ehdr) *file = (const void *)tables->start;
    if (!program_memory_readable(file, sizeof *file) || memcmp(file->e_ident, ELFMAG, SELFMAG) != 0)
        return id;
    const ElfW(Phdr) *headers = (const void *)(tables->start + file->e_phoff);
    if (program_memory_extent(headers, file->e_phnum * sizeof *headers) != file->e_phnum * sizeof *headers)
        return id;
    for (unsigned i = 0; i < file->e_phnum; ++i) {
        const uint8_t *at = (const uint8_t *)(base + headers[i].p_vaddr);
        size_t size = headers[i].p_memsz;
        if (headers[i].p_type == PT_NOTE && program_memory_extent(at, size) == size &&
            read_notes(&id, at, size))
            break;
    }
    return id;
}

static struct loaded_module *allocate(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > list.room) {
        list.arena = map_unlocked(ARENA_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        list.room = list.arena != NULL ? ARENA_SIZE : 0;
    }
    if (size > list.room)
        return NULL;
    void *p = list.arena;
    list.arena += size;
    list.room -= size;
    return p;
}

/* A program may load another file with the same name. */
static bool is_same(const struct loaded_module *m, const struct loaded_module *other, const char *path)
{
    return m->map == other->map && m->start == other->start && m->end == other->end &&
           m->base == other->base && strcmp(m->path, path) == 0 &&
           memcmp(&m->build_id, &other->build_id, sizeof m->build_id) == 0;
}

/* Returns true if the object is in the list, and no other object has been at its address since. */
static bool is_noted(const struct loaded_module *wanted, const char *path)
{
    bool noted = false;
    for (const struct loaded_module *m = atomic_load(&list.first); m != NULL; m = atomic_load(&m->next))
        if (m->start < wanted->end && wanted->start < m->end)
            noted = is_same(m, wanted, path);
    return noted;
}

static void add(const struct loaded_module *new, const char *path)
{
    size_t size = strlen(path) + 1;
    struct loaded_module *m = allocate(sizeof *m + size);
    if (m == NULL)
        return; /* its frames only have addresses */
    *m = *new;
    m->serial = list.last != NULL ? list.last->serial + 1 : 0;
    memcpy(m->path, path, size);
    atomic_store_explicit(list.last != NULL ? &list.last->next : &list.first, m, memory_order_release);
    list.last = m;
}

/* The lock is held for microseconds. In a child that was forked without the C library, it may be held for
 * ever. */
static bool lock(void)
{
    for (unsigned i = 0; i < LOCK_TRIES; ++i) {
        if (pthread_mutex_trylock(&list.lock) == 0)
            return true;
        sched_yield();
    }
    return false;
}

void loaded_modules_note(const struct frame_tables *tables, const struct link_map *map)
{
    const struct loaded_module module = {.start = tables->start,
                                         .end = tables->end,
                                         .base = map->l_addr,
                                         .build_id = read_build_id(tables, map->l_addr),
                                         .map = map};
    if (!lock())
        return;
    if (!is_noted(&module, map->l_name))
        add(&module, map->l_name);
    pthread_mutex_unlock(&list.lock);
}

const struct loaded_module *loaded_modules_next(const struct loaded_module *last)
{
    return atomic_load_explicit(last != NULL ? &last->next : &list.first, memory_order_acquire);
}

void loaded_modules_forget_parent(void)
{
    pthread_mutex_init(&list.lock, NULL);
}
