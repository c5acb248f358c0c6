/* SPDX-License-Identifier: MIT */
#include "unwind/loaded_modules.h"

#include "memory/program_memory.h"
#include "memory/unlocked_memory.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_SIZE ((size_t)64 << 10)

static struct {
    pthread_mutex_t lock;
    _Atomic(struct loaded_module *) first;
    struct loaded_module *last;
    char *arena; /* where the next entry goes: entries stay for ever */
    size_t room;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

#pragma weak _dl_find_object /* since glibc 2.35; takes no lock, for such uses as this */

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

/* Copies the build id out of the notes in [at, at + size). */
static bool read_notes(struct loaded_module *m, const uint8_t *at, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~(size_t)3, data = (note.n_descsz + 3u) & ~(size_t)3;
        if (name > size || data > size || sizeof note + name + data > size)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0 &&
            note.n_descsz <= sizeof m->build_id) {
            m->build_id_size = note.n_descsz;
            memcpy(m->build_id, at + sizeof note + name, note.n_descsz);
            return true;
        }
        at += sizeof note + name + data;
        size -= sizeof note + name + data;
    }
    return false;
}

/* The program headers lie where the first segment does. */
static void read_build_id(struct loaded_module *m)
{
    const ElfW(Ehdr) *file = (const void *)m->start;
    if (!program_memory_readable(file, sizeof *file) || memcmp(file->e_ident, ELFMAG, SELFMAG) != 0)
        return;
    const ElfW(Phdr) *headers = (const void *)(m->start + file->e_phoff);
    if (program_memory_extent(headers, file->e_phnum * sizeof *headers) != file->e_phnum * sizeof *headers)
        return;
    for (unsigned i = 0; i < file->e_phnum; ++i) {
        const uint8_t *at = (const uint8_t *)(m->base + headers[i].p_vaddr);
        size_t size = headers[i].p_memsz;
        if (headers[i].p_type == PT_NOTE && program_memory_extent(at, size) == size &&
            read_notes(m, at, size))
            return;
    }
}

static struct loaded_module *allocate(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > list.room) {
        list.arena = map_unlocked(ARENA_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
        list.room = list.arena != NULL ? ARENA_SIZE : 0;
    }
    if (size > list.room)
        return NULL;
    void *p = list.arena;
    list.arena += size;
    list.room -= size;
    return p;
}

static bool is_same(const struct loaded_module *m, const struct frame_tables *tables,
                    const struct link_map *map)
{
    return m->map == map && m->start == tables->start && m->end == tables->end && m->base == map->l_addr &&
           strcmp(m->path, map->l_name) == 0;
}

/* Has the object been met, and nothing else at its place since? */
static bool is_noted(const struct frame_tables *tables, const struct link_map *map)
{
    bool noted = false;
    for (const struct loaded_module *m = atomic_load(&list.first); m != NULL; m = atomic_load(&m->next))
        if (m->start < tables->end && tables->start < m->end)
            noted = is_same(m, tables, map);
    return noted;
}

static void add(const struct frame_tables *tables, const struct link_map *map)
{
    size_t size = strlen(map->l_name) + 1;
    struct loaded_module *m = allocate(sizeof *m + size);
    if (m == NULL)
        return; /* its frames have addresses only */
    *m = (struct loaded_module){.start = tables->start,
                                .end = tables->end,
                                .base = map->l_addr,
                                .serial = list.last != NULL ? list.last->serial + 1 : 0,
                                .map = map};
    memcpy(m->path, map->l_name, size);
    read_build_id(m);
    atomic_store_explicit(list.last != NULL ? &list.last->next : &list.first, m, memory_order_release);
    list.last = m;
}

void loaded_modules_note(const struct frame_tables *tables, const struct link_map *map)
{
    pthread_mutex_lock(&list.lock);
    if (!is_noted(tables, map))
        add(tables, map);
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
