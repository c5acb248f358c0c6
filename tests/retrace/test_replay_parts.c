/* SPDX-License-Identifier: MIT
 * Tests parts of the replayer: object names, uniform locations, mapped memory, reading ahead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "call_queue.h"
#include "call/client_memory.h"
#include "call/memory_regions.h"
#include "objects/name_maps.h"
#include "runtime/spec.h"
#include "spec_ids.h"
#include "used_memory.h"

static const char *trace_path;

static void test_names(void **state)
{
    (void)state;
    struct name_scope_tables names;
    assert_int_equal(name_scope_init(&names), 0);
    assert_int_equal(name_scope_get(&names, SPEC_OBJECT_texture, 7), 7); /* unknown names map to themselves */
    assert_int_equal(name_scope_set(&names, SPEC_OBJECT_texture, 7, 70), 0);
    assert_int_equal(name_scope_get(&names, SPEC_OBJECT_texture, 7), 70);
    assert_int_equal(name_scope_get(&names, SPEC_OBJECT_buffer, 7), 7);
    name_scope_remove(&names, SPEC_OBJECT_texture, 7);
    assert_int_equal(name_scope_get(&names, SPEC_OBJECT_texture, 7), 7);
    name_scope_fini(&names);
}

/* Names that were never created get numbers that no object has, until they are created or deleted. */
static void test_stand_ins(void **state)
{
    (void)state;
    enum { KIND = SPEC_OBJECT_texture, LAST = (1 << 20) - 1 };
    struct name_scope_tables names;
    uint64_t real;
    assert_int_equal(name_scope_init(&names), 0);
    assert_int_equal(name_scope_set(&names, KIND, 7, LAST), 0);
    assert_true(name_scope_has_number(&names, KIND, LAST));
    assert_false(name_scope_has_number(&names, SPEC_OBJECT_buffer, LAST));
    for (uint64_t traced = 8; traced < 10; ++traced) {
        assert_false(name_scope_find_stand_in(&names, KIND, traced, &real));
        assert_int_equal(name_scope_add_stand_in(&names, KIND, traced, &real), 0);
        assert_int_equal(real, LAST + 7 - traced);
        assert_true(name_scope_find_stand_in(&names, KIND, traced, &real));
        assert_false(name_scope_find(&names, KIND, traced, NULL));
    }
    name_scope_remove(&names, KIND, 8);
    assert_false(name_scope_has_number(&names, KIND, LAST - 1));
    assert_int_equal(name_scope_set(&names, KIND, 9, 90), 0);
    assert_false(name_scope_has_number(&names, KIND, LAST - 2));
    assert_false(name_scope_find_stand_in(&names, KIND, 9, &real));
    assert_int_equal(name_scope_set(&names, KIND, 10, 90), 0); /* the driver has deleted the other one */
    name_scope_remove(&names, KIND, 9);
    assert_true(name_scope_has_number(&names, KIND, 90));
    for (uint64_t number = 1; number <= LAST; ++number)
        assert_int_equal(name_scope_set(&names, KIND, number, number), 0);
    assert_int_equal(name_scope_unused_number(&names, KIND), UINT32_MAX);
    name_scope_fini(&names);
}

static void set_location(struct name_scope_tables *names, int64_t traced, int64_t real, uint32_t size)
{
    const struct location l = {traced, real, size, size};
    assert_int_equal(name_scope_set_location(names, SPEC_OBJECT_location, 3, &l), 0);
}

static void test_locations(void **state)
{
    (void)state;
    struct name_scope_tables names;
    assert_int_equal(name_scope_init(&names), 0);
    const unsigned kind = SPEC_OBJECT_location;
    for (int64_t i = 20; i-- > 0;) /* in descending order, each an array of five */
        set_location(&names, 10 * i, 1000 - 10 * i, i == 19 ? ENDLESS_ARRAY : 5);
    for (int64_t i = 0; i < 20; ++i) {
        assert_int_equal(name_scope_get_location(&names, kind, 3, 10 * i), 1000 - 10 * i);
        assert_int_equal(name_scope_get_location(&names, kind, 3, 10 * i + 4), 1000 - 10 * i + 4);
        assert_int_equal(name_scope_get_location(&names, kind, 3, 10 * i + 5), i == 19 ? 815 : 10 * i + 5);
    }
    assert_int_equal(name_scope_get_location(&names, kind, 3, -1), -1);
    assert_int_equal(name_scope_get_location(&names, kind, 4, 10), 10); /* of another program */
    /* A uniform that the replay's driver optimised away stays away. */
    set_location(&names, 50, -1, 5);
    assert_int_equal(name_scope_get_location(&names, kind, 3, 50), -1);
    assert_int_equal(name_scope_get_location(&names, kind, 3, 54), -1);
    assert_int_equal(name_scope_get_location(&names, kind, 3, 55), 55);
    /* Sizes that are known stay so. */
    set_location(&names, 60, 940, ENDLESS_ARRAY);
    assert_int_equal(name_scope_get_location(&names, kind, 3, 65), 65);
    set_location(&names, 60, 941, ENDLESS_ARRAY);
    assert_int_equal(name_scope_get_location(&names, kind, 3, 65), 946);
    name_scope_remove_program(&names, 3);
    assert_int_equal(name_scope_get_location(&names, kind, 3, 10), 10);
    name_scope_fini(&names);
}

/* A program that has no such uniform uses -1, even if the replay's driver has one. */
static void test_locations_of_nothing(void **state)
{
    (void)state;
    struct name_scope_tables names;
    assert_int_equal(name_scope_init(&names), 0);
    set_location(&names, -1, 7, ENDLESS_ARRAY);
    for (int64_t traced = -2; traced < 3; ++traced)
        assert_int_equal(name_scope_get_location(&names, SPEC_OBJECT_location, 3, traced), traced);
    name_scope_fini(&names);
}

static void test_locations_of_many_programs(void **state)
{
    (void)state;
    struct name_scope_tables names;
    assert_int_equal(name_scope_init(&names), 0);
    for (uint64_t program = 1; program <= 40; ++program) {
        const struct location l = {5, (int64_t)(100 + program), 1, 1};
        assert_int_equal(name_scope_set_location(&names, SPEC_OBJECT_location, program, &l), 0);
    }
    for (uint64_t program = 1; program <= 41; ++program)
        assert_int_equal(name_scope_get_location(&names, SPEC_OBJECT_location, program, 5),
                         program <= 40 ? 100 + program : 5);
    name_scope_fini(&names);
}

static void test_regions(void **state)
{
    (void)state;
    static uint8_t a[100], b[50];
    struct memory_regions regions = {0};
    uint64_t available;
    const struct memory_region second = {.traced = 0x2000, .size = 50, .real = b, .owner = &a, .buffer = 2};
    const struct memory_region first = {.traced = 0x1000, .size = 100, .real = a, .owner = &a, .buffer = 1};
    assert_null(memory_regions_find(&regions, 0x1000, &available));
    assert_int_equal(memory_regions_add(&regions, &second), 0);
    assert_int_equal(memory_regions_add(&regions, &first), 0);
    assert_ptr_equal(memory_regions_find(&regions, 0x1000, &available), a);
    assert_int_equal(available, 100);
    assert_ptr_equal(memory_regions_find(&regions, 0x1063, &available), a + 99);
    assert_int_equal(available, 1);
    assert_null(memory_regions_find(&regions, 0x1064, &available)); /* one past the end */
    assert_null(memory_regions_find(&regions, 0xfff, &available));
    assert_ptr_equal(memory_regions_find(&regions, 0x2010, &available), b + 16);
    memory_regions_remove_buffer(&regions, &b, 1); /* a buffer of another share group */
    assert_int_equal(regions.count, 2);
    memory_regions_remove_buffer(&regions, &a, 1);
    assert_null(memory_regions_find(&regions, 0x1000, &available));
    /* Neighbours do not overlap. */
    const struct memory_region before = {.traced = 0x1ff8, .size = 8, .real = a, .owner = &a, .buffer = 4};
    const struct memory_region after = {.traced = 0x2032, .size = 8, .real = a, .owner = &a, .buffer = 5};
    assert_int_equal(memory_regions_add(&regions, &before), 0);
    assert_int_equal(memory_regions_add(&regions, &after), 0);
    assert_int_equal(regions.count, 3);
    memory_regions_remove_buffer(&regions, &a, 5);
    assert_null(memory_regions_find(&regions, 0x2032, &available));
    /* A buffer has one mapping. */
    const struct memory_region again = {.traced = 0x4000, .size = 8, .real = a, .owner = &a, .buffer = 4};
    assert_int_equal(memory_regions_add(&regions, &again), 0);
    assert_int_equal(regions.count, 2);
    assert_null(memory_regions_find(&regions, 0x1ff8, &available));
    memory_regions_remove_buffer(&regions, &a, 4);
    assert_int_equal(regions.count, 1);
    /* A mapping that overlaps an older one replaces it. */
    const struct memory_region over = {.traced = 0x2020, .size = 8, .real = a, .owner = &a, .buffer = 3};
    assert_int_equal(memory_regions_add(&regions, &over), 0);
    assert_int_equal(regions.count, 1);
    /* So does one that overlaps several. */
    for (uint64_t i = 0; i < 40; ++i) {
        const struct memory_region one = {.traced = 0x8000 + (i * 7 % 40) * 16,
                                          .size = 16,
                                          .real = a,
                                          .owner = i < 20 ? a : b,
                                          .buffer = 100 + i};
        assert_int_equal(memory_regions_add(&regions, &one), 0);
    }
    assert_int_equal(regions.count, 41);
    const struct memory_region wide = {
        .traced = 0x8008, .size = 9 * 16, .real = a, .owner = &a, .buffer = 90};
    assert_int_equal(memory_regions_add(&regions, &wide), 0);
    assert_int_equal(regions.count, 32);
    memory_regions_remove_owner(&regions, b);
    for (uint64_t i = 0; i < 40; ++i) /* of the two owners, those above the wide one */
        if (i * 7 % 40 > 9)
            assert_int_equal(memory_regions_find(&regions, 0x8000 + (i * 7 % 40) * 16, &available) != NULL,
                             i < 20);
    memory_regions_remove_owner(&regions, a);
    memory_regions_fini(&regions);
    assert_int_equal(regions.count, 0);
    memory_regions_fini(&regions);
}

/* Returns how many of the pages that are wholly in the memory are the process's. */
static size_t count_resident(uint8_t *memory, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)memory + page - 1) / page * page;
    size_t pages = ((uintptr_t)memory + size - first) / page, count = 0;
    unsigned char *states = malloc(pages);
    assert_non_null(states);
    assert_int_equal(mincore((void *)first, pages * page, states), 0);
    for (size_t i = 0; i < pages; ++i)
        count += states[i] & 1;
    free(states);
    return count;
}

/* Memory that the program has freed belongs to the system, but a driver may read it. */
static void test_memory_is_given_back(void **state)
{
    enum { SIZE = 8 << 20 };
    (void)state;
    struct memory_regions regions = {0};
    struct memory_region region = {.traced = 0x100000, .size = SIZE, .owner = &regions, .buffer = 1};
    assert_int_equal(memory_regions_allocate(&regions, &region), 0);
    uint8_t *memory = region.real;
    memset(memory, 1, SIZE);
    assert_true(count_resident(memory, SIZE) > 0);
    memory_regions_remove_buffer(&regions, &regions, 1);
    assert_int_equal(count_resident(memory, SIZE), 0);
    assert_int_equal(memory[0] | memory[SIZE / 2] | memory[SIZE - 1], 0);
    region.size = SIZE / 2 + 1;
    assert_int_equal(memory_regions_allocate(&regions, &region), 0);
    assert_ptr_equal(region.real, memory);
    /* A block that is much larger than needed is left for others. */
    struct memory_region small = {.traced = 0x10, .size = 100, .owner = &regions, .buffer = 2};
    memory_regions_remove_buffer(&regions, &regions, 1);
    assert_int_equal(memory_regions_allocate(&regions, &small), 0);
    assert_ptr_not_equal(small.real, memory);
    memory_regions_fini(&regions);
}

/* Memory that the program has not freed is freed at the end. */
static void test_memory_is_freed(void **state)
{
    (void)state;
    size_t before = used_memory();
    struct memory_regions regions = {0};
    for (uint64_t i = 1; i <= 3; ++i) {
        struct memory_region region = {
            .traced = i << 30, .size = i << 20, .owner = &regions, .buffer = (GLuint)i};
        assert_int_equal(memory_regions_allocate(&regions, &region), 0);
    }
    memory_regions_remove_buffer(&regions, &regions, 2);
    memory_regions_fini(&regions);
    assert_true(used_memory() < before + (1 << 19));
}

/* A program may have a gigabyte, also if an unused block is larger than what is left of it. */
static void test_most_memory(void **state)
{
    (void)state;
    enum { MB = 1 << 20 };
    struct memory_regions regions = {0};
    struct memory_region region = {.traced = 0x10, .size = 400 * MB, .owner = &regions, .buffer = 1};
    assert_int_equal(memory_regions_allocate(&regions, &region), 0);
    memory_regions_remove_buffer(&regions, &regions, 1);
    for (unsigned i = 0; i < 2; ++i) {
        region = (struct memory_region){.traced = (uint64_t)(i + 1) << 32,
                                        .size = i == 0 ? (uint64_t)700 * MB : (uint64_t)250 * MB,
                                        .owner = &regions,
                                        .buffer = 2 + i};
        assert_int_equal(memory_regions_allocate(&regions, &region), 0);
    }
    region = (struct memory_region){.traced = 0x10, .size = 74 * MB + 1, .owner = &regions, .buffer = 9};
    assert_int_not_equal(memory_regions_allocate(&regions, &region), 0);
    region.size = 74 * MB;
    assert_int_equal(memory_regions_allocate(&regions, &region), 0);
    memory_regions_fini(&regions);
}

/* Memory of no size is a block, too. */
static void test_no_memory(void **state)
{
    (void)state;
    struct memory_blocks blocks = {0};
    struct memory_block block;
    assert_int_equal(memory_blocks_take(&blocks, 0, &block), 0);
    assert_int_equal(block.size, 1);
    block.bytes[0] = 7;
    memory_blocks_return(&blocks, block);
    memory_blocks_fini(&blocks);
}

static void test_client_memory(void **state)
{
    (void)state;
    struct int_map slots = {0};
    uint8_t *memory = client_memory_get(&slots, 5, 100);
    assert_non_null(memory);
    memset(memory, 0xff, 100);
    assert_int_equal(memory[100], 0);                            /* padded with zeros */
    assert_ptr_equal(client_memory_get(&slots, 5, 120), memory); /* memory that is large enough is reused */
    assert_int_equal(memory[121], 0);
    assert_ptr_not_equal(client_memory_get(&slots, 6, 100), memory);
    memset(memory, 0xff, 120);
    assert_ptr_equal(client_memory_get(&slots, 5, 10), memory); /* also behind shorter contents */
    for (unsigned i = 10; i < 10 + 256; ++i)
        assert_int_equal(memory[i], 0);
    assert_non_null(client_memory_get(&slots, 5, 100000));
    client_memory_fini(&slots);
}

static const struct replay_options plain_options, whole_options = {.verbose = true};

struct queue_case {
    const struct replay_options *options;
    bool threaded;
};

static void open_queue(struct call_queue **out, struct replayer *r, const struct queue_case *c)
{
    struct trace_reader *reader;
    assert_int_equal(trace_reader_open(&reader, trace_path), 0);
    assert_int_equal(replayer_init(r, c->options, NULL, reader), 0);
    assert_int_equal(call_queue_start(out, r, c->threaded), 0);
}

static void close_queue(struct call_queue *queue, struct replayer *r)
{
    call_queue_stop(queue);
    struct trace_reader *reader = r->reader;
    replayer_fini(r);
    trace_reader_close(reader);
}

/* Returns the number of calls. *plain receives that of plain ones. */
static size_t read_queue(const struct queue_case *c, uint64_t *numbers, size_t *plain)
{
    struct call_queue *queue;
    struct replayer r;
    const struct ready_call *call;
    size_t count = 0;
    *plain = 0;
    open_queue(&queue, &r, c);
    while (call_queue_next(queue, &call) == 0 && call != NULL) {
        uint32_t calls = call->call == NULL ? call->plain.count : 1;
        assert_true(calls > 0 && count + calls < 64);
        *plain += call->call == NULL ? calls : 0;
        for (uint32_t i = 0; i < calls; ++i)
            numbers[count++] = call->number + i;
        if (call->call != NULL)
            assert_string_equal(call->function->sig->name, spec_string(call->function->spec->name));
    }
    assert_int_equal(call_queue_next(queue, &call), 0); /* the end stays the end */
    assert_null(call);
    close_queue(queue, &r);
    return count;
}

static void test_queue(void **state)
{
    (void)state;
    static const struct queue_case cases[] = {
        {&plain_options, false}, {&plain_options, true}, {&whole_options, false}, {&whole_options, true}};
    uint64_t numbers[4][64];
    size_t count = 0;
    for (unsigned i = 0; i < 4; ++i) {
        size_t plain, n = read_queue(&cases[i], numbers[i], &plain);
        assert_true(n > 20);
        assert_true(i == 0 || n == count);
        assert_memory_equal(numbers[i], numbers[0], n * sizeof numbers[0][0]);
        assert_int_equal(plain > 0, cases[i].options == &plain_options);
        count = n;
    }
}

/* Calls that were not taken from the queue are released. */
static void test_queue_stopped_early(void **state)
{
    (void)state;
    static const struct queue_case threaded = {&plain_options, true};
    struct call_queue *queue;
    struct replayer r;
    const struct ready_call *call;
    open_queue(&queue, &r, &threaded);
    assert_int_equal(call_queue_next(queue, &call), 0);
    close_queue(queue, &r);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_stand_ins),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_locations_of_nothing),
        cmocka_unit_test(test_locations_of_many_programs),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_memory_is_given_back),
        cmocka_unit_test(test_memory_is_freed),
        cmocka_unit_test(test_most_memory),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_client_memory),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_queue_stopped_early),
    };
    if (argc != 2)
        return 2;
    trace_path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
