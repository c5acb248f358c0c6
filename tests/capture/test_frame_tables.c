/* SPDX-License-Identifier: MIT
 * Call frame information of a damaged object: whatever is there, nothing else is read. The C library's, with
 * inaccessible memory before and behind it.
 */
#include "memory/program_memory.h"
#include "unwind/frame_tables.h"

#include "cmocka_all.h"
#include "next_random.h"

#include <gnu/lib-names.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define GUARD  ((size_t)1 << 16)
#define ROUNDS 30000

struct object {
    uint8_t *copy;
    size_t size;
    size_t header; /* offset of .eh_frame_hdr */
    size_t code, code_size;
    struct frame_tables tables;
};

static size_t add_segment(struct object *o, const struct dl_phdr_info *info, const ElfW(Phdr) * h)
{
    size_t end = h->p_vaddr + h->p_memsz;
    if (o->copy != NULL && h->p_type == PT_LOAD && (h->p_flags & PF_R) != 0)
        memcpy(o->copy + h->p_vaddr, (const void *)(info->dlpi_addr + h->p_vaddr), h->p_filesz);
    if (h->p_type == PT_GNU_EH_FRAME)
        o->header = h->p_vaddr;
    if (h->p_type == PT_LOAD && (h->p_flags & PF_X) != 0) {
        o->code = h->p_vaddr;
        o->code_size = h->p_memsz;
    }
    return h->p_type == PT_LOAD ? end : 0;
}

static int copy_library(struct dl_phdr_info *info, size_t size, void *object)
{
    struct object *o = object;
    (void)size;
    if (strstr(info->dlpi_name, LIBC_SO) == NULL)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        size_t end = add_segment(o, info, &info->dlpi_phdr[i]);
        o->size = end > o->size ? end : o->size;
    }
    o->size = (o->size + GUARD - 1) & ~(GUARD - 1);
    uint8_t *at = mmap(NULL, o->size + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    o->copy = at + GUARD;
    assert_int_equal(mprotect(o->copy, o->size, PROT_READ | PROT_WRITE), 0);
    for (unsigned i = 0; i < info->dlpi_phnum; ++i)
        add_segment(o, info, &info->dlpi_phdr[i]);
    o->tables = (struct frame_tables){(uintptr_t)o->copy, (uintptr_t)o->copy + o->size, o->copy + o->header};
    return 1;
}

static int set_up(void **state)
{
    static struct object object;
    *state = &object;
    return object.copy != NULL || dl_iterate_phdr(copy_library, &object) == 1 ? 0 : -1;
}

/* Looks up some places. Returns how many of them have a rule. */
static unsigned look_up(const struct object *o, unsigned count)
{
    unsigned known = 0;
    for (unsigned i = 0; i < count; ++i) {
        uintptr_t pc = (uintptr_t)o->copy + o->code + next_random() % o->code_size;
        known += frame_tables_find(&o->tables, pc).kind != CFA_UNKNOWN;
    }
    return known;
}

static void rules_are_found(void **state)
{
    assert_in_range(look_up(*state, 1000), 800, 1000);
}

static void damage_does_no_harm(void **state)
{
    const struct object *o = *state;
    for (unsigned i = 0; i < ROUNDS; ++i) {
        /* changes the header, the table, and what the table refers to */
        size_t reach = i % 3 == 0 ? 20 : i % 3 == 1 ? 4096 : o->size - o->header;
        uint8_t *at = o->copy + o->header + next_random() % reach;
        uint8_t saved = *at;
        *at = (uint8_t)next_random();
        look_up(o, 4);
        if (i % 3 != 2 || i % 2 == 0)
            *at = saved;
    }
}

/* The table claims to be longer than the object, whose end is followed by unreadable memory. */
static void ends_are_found(void **state)
{
    struct object *o = *state;
    const struct frame_tables whole = o->tables;
    for (size_t end = o->header; end < o->header + 40; ++end) {
        o->tables.end = (uintptr_t)o->copy + end;
        assert_int_equal(look_up(o, 4), 0);
    }
    o->tables = whole;
    uint8_t *page = (uint8_t *)((uintptr_t)(o->copy + o->header + 8192) & ~(uintptr_t)4095);
    assert_int_equal(mprotect(page, 4096, PROT_NONE), 0);
    program_memory_forget();
    look_up(o, 1000);
    assert_int_equal(mprotect(page, 4096, PROT_READ | PROT_WRITE), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rules_are_found, set_up),
        cmocka_unit_test_setup(ends_are_found, set_up),
        cmocka_unit_test_setup(damage_does_no_harm, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
