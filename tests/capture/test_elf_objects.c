/* SPDX-License-Identifier: MIT
 * Compares what is read from the loaded objects with what the loader says.
 */
#include "cmocka_all.h"
#include "lookup/elf_objects.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Libraries with functions called answer and other_N, and a variable called a_variable. */
static const char *const libraries[] = {GNU_HASH_LIBRARY, SYSV_HASH_LIBRARY};

static int variable_of_ours;

static void *address_of(const struct elf_object *object, const char *name)
{
    const ElfW(Sym) *symbol = elf_object_symbol(object, name);
    return symbol != NULL ? (void *)(object->base + symbol->st_value) : NULL;
}

static void test_symbols(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        struct elf_object object;
        void *handle = dlopen(libraries[i], RTLD_NOW);
        assert_non_null(handle);
        assert_true(elf_object_at(dlsym(handle, "answer"), &object));
        assert_non_null(strstr(object.name, libraries[i]));
        static const char *const functions[] = {"answer", "other_1", "other_2", "other_3", "other_4"};
        for (unsigned f = 0; f < sizeof functions / sizeof functions[0]; ++f) {
            assert_ptr_equal(address_of(&object, functions[f]), dlsym(handle, functions[f]));
            assert_true(elf_object_has_function(&object, functions[f]));
        }
        assert_ptr_equal(address_of(&object, "a_variable"), dlsym(handle, "a_variable"));
        assert_false(elf_object_has_function(&object, "a_variable"));
        /* Missing, hidden, undefined and invalid names. */
        static const char *const none[] = {"answe", "answers", "not_for_others", "abs", "puts", ""};
        for (unsigned n = 0; n < sizeof none / sizeof none[0]; ++n) {
            assert_null(elf_object_symbol(&object, none[n]));
            assert_false(elf_object_has_function(&object, none[n]));
        }
        dlclose(handle);
    }
}

/* The C library and other large ones: all names that the loader knows, and as many that it does not. */
static void test_large_tables(void **state)
{
    (void)state;
    const void *const places[] = {(const void *)(uintptr_t)getpid, (const void *)(uintptr_t)sin};
    static const char *const names[] = {"getpid", "malloc", "dlsym", "sin",   "strlen", "cosf",   "environ",
                                        "stdin",  "qsort",  "pow",   "pause", "open64", "gl_foo", "glClear",
                                        "printf", "dlvsym", "x",     "yn",    "zzz",    "write",  "cexpl"};
    for (unsigned p = 0; p < 2; ++p) {
        struct elf_object object;
        assert_true(elf_object_at(places[p], &object));
        void *handle = dlopen(object.name, RTLD_NOW | RTLD_NOLOAD);
        assert_non_null(handle);
        for (unsigned n = 0; n < sizeof names / sizeof names[0]; ++n) {
            const ElfW(Sym) *symbol = elf_object_symbol(&object, names[n]);
            struct elf_object owner;
            void *expected = dlsym(handle, names[n]);
            bool own = expected != NULL && elf_object_at(expected, &owner) && owner.start == object.start;
            assert_int_equal(symbol != NULL, own);
        }
        dlclose(handle);
    }
}

static void test_places(void **state)
{
    (void)state;
    struct elf_object object;
    static char data[] = "data";
    char *heap = malloc(8);
    assert_true(elf_object_at((const void *)(uintptr_t)test_places, &object));
    assert_string_equal(object.name, "");
    assert_true(elf_object_at(&variable_of_ours, &object));
    assert_string_equal(object.name, "");
    assert_true(elf_object_at(data, &object));
    assert_true((uintptr_t)data >= object.start && (uintptr_t)data < object.end);
    assert_false(elf_object_at(heap, &object));
    assert_false(elf_object_at(NULL, &object));
    assert_false(elf_object_at((const void *)UINTPTR_MAX, &object));
    free(heap);
}

/* After a library was unloaded, nothing of it is found. What was loaded in its place is. */
static void test_unloading(void **state)
{
    (void)state;
    struct elf_object object;
    unsigned long long loaded = elf_loaded_count(), unloaded = elf_unloaded_count();
    for (unsigned i = 0; i < 4; ++i) {
        void *handle = dlopen(libraries[i % 2], RTLD_NOW);
        const void *at = dlsym(handle, "answer");
        assert_true(elf_object_at(at, &object));
        assert_non_null(strstr(object.name, libraries[i % 2]));
        assert_int_equal(elf_loaded_count(), loaded + i + 1);
        assert_int_equal(elf_unloaded_count(), unloaded + i);
        assert_int_equal(dlclose(handle), 0);
        assert_int_equal(elf_unloaded_count(), unloaded + i + 1);
        assert_false(elf_object_at(at, &object));
    }
}

/* A namespace of its own has another C library. */
static void test_namespaces(void **state)
{
    (void)state;
    struct elf_object object, ours;
    void *handle = dlmopen(LM_ID_NEWLM, libraries[0], RTLD_NOW);
    if (handle == NULL)
        skip();
    const void *at = dlsym(handle, "answer");
    assert_true(elf_object_at(at, &object));
    assert_non_null(strstr(object.name, libraries[0]));
    assert_ptr_equal(address_of(&object, "answer"), at);
    size_t count;
    struct elf_object *objects = elf_objects_list(&count);
    for (size_t i = 0; i < count; ++i)
        assert_true((uintptr_t)at < objects[i].start || (uintptr_t)at >= objects[i].end);
    free(objects);
    assert_true(elf_object_at((const void *)(uintptr_t)getpid, &ours));
    assert_false(elf_precedes(at, at));
    dlclose(handle);
}

static void test_order(void **state)
{
    (void)state;
    void *first = dlopen(libraries[0], RTLD_NOW), *second = dlopen(libraries[1], RTLD_NOW);
    const void *a = dlsym(first, "answer"), *b = dlsym(second, "answer"), *own = &variable_of_ours;
    const void *libc = (const void *)(uintptr_t)getpid;
    assert_true(elf_precedes(own, libc) && elf_precedes(libc, a) && elf_precedes(a, b));
    assert_false(elf_precedes(libc, own) || elf_precedes(b, a) || elf_precedes(a, a));
    assert_ptr_equal(elf_next_function("answer", own), a);
    assert_ptr_equal(elf_next_function("answer", a), b);
    assert_null(elf_next_function("answer", b));
    assert_null(elf_next_function("a_variable", own));
    assert_non_null(elf_next_function("getpid", own));
    assert_null(elf_next_function("getpid", a));
    size_t count;
    struct elf_object *objects = elf_objects_list(&count);
    assert_string_equal(objects[0].name, "");
    assert_true(count >= 4);
    for (size_t i = 1; i < count; ++i)
        assert_true(elf_precedes((const void *)objects[i - 1].start, (const void *)objects[i].start));
    free(objects);
    dlclose(first);
    dlclose(second);
}

/* --- places that hold addresses --------------------------------------------------------------------- */

struct visited {
    const char *name;
    struct elf_slot slot;
    unsigned count;
};

static void note_slot(const struct elf_object *object, const struct elf_slot *slot, void *data)
{
    struct visited *v = data;
    assert_true((uintptr_t)slot->address >= object->start && (uintptr_t)slot->address < object->end);
    if (strcmp(slot->name, v->name) != 0)
        return;
    v->slot = *slot;
    v->count++;
}

static bool is_writable(const void *at)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    uint8_t byte = *(const uint8_t *)at;
    assert_int_equal(write(fds[1], &byte, 1), 1);
    bool writable = read(fds[0], (void *)(uintptr_t)at, 1) == 1; /* EFAULT instead of a signal */
    close(fds[0]);
    close(fds[1]);
    return writable;
}

static int of_mine(int value)
{
    return value + 1000;
}

/* The libraries call abs(), and refer to a variable's fourth element. */
static void test_slots(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; ++i) {
        struct elf_object object;
        void *handle = dlopen(libraries[i % 2], i < 2 ? RTLD_NOW : RTLD_LAZY);
        int (*answer)(int);
        *(void **)&answer = dlsym(handle, "answer");
        assert_true(elf_object_at(*(void **)&answer, &object));
        struct visited v = {.name = "abs"};
        elf_object_visit_slots(&object, note_slot, &v);
        assert_int_equal(v.count, 1);
        assert_int_equal(v.slot.addend, 0);
        assert_int_equal(v.slot.symbol->st_shndx, SHN_UNDEF);
        assert_int_equal(answer(-7), 7);
        uintptr_t before = *v.slot.address;
        bool writable = is_writable(v.slot.address);
        elf_object_set_slot(&object, &v.slot, (uintptr_t)of_mine);
        assert_int_equal(answer(-7), 993);
        elf_object_set_slot(&object, &v.slot, before);
        assert_int_equal(answer(-7), 7);
        assert_int_equal(is_writable(v.slot.address), writable);
        struct visited element = {.name = "a_variable"};
        elf_object_visit_slots(&object, note_slot, &element);
        assert_true(element.count >= 1);
        assert_ptr_equal((void *)(*element.slot.address - (uintptr_t)element.slot.addend),
                         dlsym(handle, "a_variable"));
        size_t undefined = elf_object_undefined_count(&object), found = 0;
        for (size_t s = 1; s < undefined; ++s)
            found += strcmp(object.strings + object.symbols[s].st_name, "abs") == 0;
        assert_int_equal(found, 1);
        dlclose(handle);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols),   cmocka_unit_test(test_large_tables), cmocka_unit_test(test_places),
        cmocka_unit_test(test_unloading), cmocka_unit_test(test_namespaces),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
