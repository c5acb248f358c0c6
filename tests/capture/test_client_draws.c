/* SPDX-License-Identifier: MIT
 * Tests which elements of client-side arrays a draw reads: ranges, indices, instances, indirect commands, and
 * vertices far from the pointer. Expectations come from the OpenGL 4.6 specification (compatibility profile),
 * sections 10.3 and 10.4.
 */
#include "client_array_calls.h"

#include "context/gl_enums.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* --- which elements ------------------------------------------------------------------------------------ */

static int64_t drawn_bytes(void)
{
    const struct stub_call *call = find_call(SPEC_FN_glVertexPointer);
    return call != NULL ? call->bytes : -1;
}

/* Vertices have 8 bytes. */
static void start_vertices(void)
{
    stub_start("4.6");
    set_array(GL_ARRAY_VERTEX, 2, F, 0, memory);
}

static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        int64_t first, count, bytes;
    } draws[] = {{0, 3, 24}, {5, 1, 48}, {100, 3, 824}, {0, 0, -1}, {0, -1, -1}, {9, 0, -1}};
    start_vertices();
    for (unsigned i = 0; i < sizeof draws / sizeof draws[0]; ++i) {
        STUB_MAKE(glDrawArrays, NULL, 4, (uint64_t)draws[i].first, (uint64_t)draws[i].count);
        assert_int_equal(drawn_bytes(), draws[i].bytes);
    }
    const int32_t firsts[] = {9, 0, 2}, counts[] = {0, 2, 3};
    STUB_MAKE(glMultiDrawArrays, NULL, 4, STUB_P(firsts), STUB_P(counts), 3);
    assert_int_equal(drawn_bytes(), 40);
    STUB_MAKE(glMultiDrawArrays, NULL, 4, STUB_P(firsts), 16, 3); /* unmapped */
    assert_int_equal(drawn_bytes(), -1);
    stub_stop();
}

/* While arrays are locked, GL may read all locked elements. */
static void test_locked(void **state)
{
    (void)state;
    start_vertices();
    STUB_MAKE(glLockArraysEXT, NULL, 4, 6);
    stub.integers[0x81A8] = 4;
    stub.integers[0x81A9] = 6;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    assert_int_equal(drawn_bytes(), 80);
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 30);
    assert_int_equal(drawn_bytes(), 240);
    stub.integers[0x81A8] = stub.integers[0x81A9] = 0;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    assert_int_equal(drawn_bytes(), 24);
    stub_stop();
}

static const uint8_t bytes[] = {3, 255, 1, 254};
static const uint16_t shorts[] = {3, 255, 1, 65535};
static const uint32_t ints[] = {3, 65535, 1, 0xffffffff};

static const struct {
    uint32_t type;
    const void *indices;
    bool fixed, free; /* enabled kinds of restart */
    uint32_t restart;
    int64_t highest; /* -1: too high to be drawn */
} indexed[] = {
    {UB, bytes, false, false, 0, 255},          {UB, bytes, true, false, 0, 254},
    {UB, bytes, false, true, 255, 254},         {UB, bytes, true, true, 254, 254}, /* the fixed one wins */
    {UB, bytes, false, true, 0xffff, 255},      {US, shorts, true, false, 0, 255},
    {US, shorts, false, true, 65535, 255},      {US, shorts, false, true, 255, 65535},
    {US, shorts, false, false, 0, 65535},       {UI, ints, true, false, 0, 65535},
    {UI, ints, false, true, 0xffffffff, 65535},
};

static void test_indices(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * sizeof indexed / sizeof indexed[0]; ++i) {
        bool in_buffer = i % 2 != 0;
        unsigned size = bytes_of(indexed[i / 2].type);
        stub_start("4.6");
        set_array(GL_ARRAY_EDGE_FLAG, 1, UB, 0, memory); /* one byte for each element */
        stub.enabled[0x8F9D] = indexed[i / 2].free;
        stub.enabled[0x8D69] = indexed[i / 2].fixed;
        stub.integers[0x8F9E] = (int32_t)indexed[i / 2].restart;
        if (indexed[i / 2].free)
            STUB_MAKE(glEnable, NULL, 0x8F9D);
        if (indexed[i / 2].fixed)
            STUB_MAKE(glEnable, NULL, 0x8D69);
        uint8_t buffer[64];
        memset(buffer, 0xee, sizeof buffer);
        memcpy(buffer + size, indexed[i / 2].indices, 4 * size);
        stub.buffer = buffer;
        stub.buffer_size = (int32_t)(5 * size);
        if (in_buffer)
            STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 5);
        STUB_MAKE(glDrawElements, NULL, 4, in_buffer ? 9 : 4,
                  indexed[i / 2].type, /* or all that are readable */
                  in_buffer ? size : STUB_P(indexed[i / 2].indices));
        assert_non_null(find_call(SPEC_FN_glEdgeFlagPointer));
        assert_int_equal(find_call(SPEC_FN_glEdgeFlagPointer)->bytes, indexed[i / 2].highest + 1);
        stub_stop();
    }
}

/* The base vertex is added to indices. Sums below 0 are not drawn. */
static void test_base_vertices(void **state)
{
    (void)state;
    static const uint16_t indices[] = {5, 7, 6};
    static const struct {
        int64_t base, bytes;
    } bases[] = {{0, 64}, {10, 144}, {-5, 24}, {-6, 16}, {-8, -1}};
    start_vertices();
    for (unsigned i = 0; i < sizeof bases / sizeof bases[0]; ++i) {
        STUB_MAKE(glDrawElementsBaseVertex, NULL, 4, 3, US, STUB_P(indices), (uint64_t)bases[i].base);
        assert_int_equal(drawn_bytes(), bases[i].bytes);
    }
    static const uint32_t wrapping[] = {0xfffffff1, 0xfffffff0};
    STUB_MAKE(glDrawElementsBaseVertex, NULL, 4, 2, UI, STUB_P(wrapping), 18);
    assert_int_equal(drawn_bytes(), 32);
    const void *const all[] = {indices, indices};
    const int32_t counts[] = {1, 3}, offsets[] = {4, 1};
    STUB_MAKE(glMultiDrawElementsBaseVertex, NULL, 4, STUB_P(counts), US, STUB_P(all), 2, STUB_P(offsets));
    assert_int_equal(drawn_bytes(), 80);
    STUB_MAKE(glMultiDrawElements, NULL, 4, STUB_P(counts), US, STUB_P(all), 1);
    assert_int_equal(drawn_bytes(), 48);
    stub_stop();
}

/* Section 10.3.4: element floor(instance / divisor) + base instance. */
static void test_instances(void **state)
{
    (void)state;
    static const struct {
        int32_t divisor;
        uint64_t instances, base, bytes;
    } draws[] = {
        {1, 1, 0, 4}, {1, 3, 0, 12}, {2, 3, 0, 8},  {2, 4, 0, 8},    {2, 5, 0, 12}, {7, 7, 0, 4},
        {7, 8, 0, 8}, {4, 4, 4, 20}, {1, 2, 5, 28}, {100, 9, 2, 12}, {0, 9, 5, 12}, {1000, 1, 0, 4},
    };
    stub_start("4.6");
    STUB_MAKE(glVertexAttribDivisor, NULL, 0, 1);
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0, 1, F, 0, memory);
    for (unsigned i = 0; i < sizeof draws / sizeof draws[0]; ++i) {
        a->divisor = draws[i].divisor;
        STUB_MAKE(glDrawArraysInstancedBaseInstance, NULL, 4, 0, 3, draws[i].instances, draws[i].base);
        stub_expect_calls("glVertexAttribPointer ");
        assert_int_equal(stub_calls[0].bytes, draws[i].bytes);
    }
    STUB_MAKE(glDrawArraysInstanced, NULL, 4, 0, 3, 0);
    stub_expect_calls("");
    a->divisor = 1;
    STUB_MAKE(glNewList, NULL, 1, 0x1301); /* GL_COMPILE_AND_EXECUTE */
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glVertexAttribPointer ");
    assert_int_equal(stub_calls[0].bytes, 12);
    STUB_MAKE(glEndList, NULL);
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    assert_int_equal(stub_calls[0].bytes, 4);
    stub_stop();
}

static void test_indirect(void **state)
{
    (void)state;
    const uint32_t commands[] = {3, 1, 4, 0, 0, 2, 1, 9, 0};
    start_vertices();
    STUB_MAKE(glDrawArraysIndirect, NULL, 4, STUB_P(commands));
    assert_int_equal(drawn_bytes(), 56);
    STUB_MAKE(glMultiDrawArraysIndirect, NULL, 4, STUB_P(commands), 2, 20);
    assert_int_equal(drawn_bytes(), 88);
    const uint32_t none_and_more[] = {30, 0, 40, 0, 3, 1, 2, 0};
    STUB_MAKE(glMultiDrawArraysIndirect, NULL, 4, STUB_P(none_and_more), 2, 0);
    assert_int_equal(drawn_bytes(), 40);
    STUB_MAKE(glMultiDrawArraysIndirect, NULL, 4, STUB_P(none_and_more), 1, 0);
    assert_int_equal(drawn_bytes(), -1);
    STUB_MAKE(glMultiDrawArraysIndirect, NULL, 4, 16, 2, 20); /* unmapped */
    assert_int_equal(drawn_bytes(), -1);
    STUB_MAKE(glMultiDrawArraysIndirectCount, NULL, 4, STUB_P(commands), 0, 2, 20);
    assert_int_equal(drawn_bytes(), 88);
    STUB_MAKE(glDrawTransformFeedback, NULL, 4, 1);
    assert_in_range(drawn_bytes(), sizeof memory, 8 << 16);
    stub_stop();
}

/* As many commands are read as the call says, with the size that they have. */
static void test_sizes_of_commands(void **state)
{
    (void)state;
    uint32_t arrays[9 * 4], elements[9 * 5];
    static const uint8_t byte_indices[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    start_vertices();
    for (uint32_t i = 0; i < 9; ++i) { /* one vertex each, all further away than the one before */
        memcpy(arrays + 4 * i, (const uint32_t[]){1, 1, i, 0}, 16);
        memcpy(elements + 5 * i, (const uint32_t[]){1, 1, i, 0, 0}, 20);
    }
    for (uint64_t draws = 1; draws <= 8; ++draws) {
        STUB_MAKE(glMultiDrawArraysIndirect, NULL, 4, STUB_P(arrays), draws, 0);
        assert_int_equal(drawn_bytes(), 8 * draws);
        STUB_MAKE(glMultiDrawArraysIndirect, NULL, 4, STUB_P(arrays), draws, 16);
        assert_int_equal(drawn_bytes(), 8 * draws);
    }
    stub.buffer = byte_indices;
    stub.buffer_size = sizeof byte_indices;
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 1);
    for (uint64_t draws = 1; draws <= 8; ++draws) {
        STUB_MAKE(glMultiDrawElementsIndirect, NULL, 4, UB, STUB_P(elements), draws, 0);
        assert_int_equal(drawn_bytes(), 8 * draws);
        STUB_MAKE(glMultiDrawElementsIndirect, NULL, 4, UB, STUB_P(elements), draws, 20);
        assert_int_equal(drawn_bytes(), 8 * draws);
    }
    static const struct {
        uint32_t type;
        int64_t draws, stride;
    } rejected[] = {{UB, 0, 0}, {UB, -1, 0}, {UB, 1, -20}, {F, 1, 0}, {B, 1, 0}};
    for (unsigned i = 0; i < sizeof rejected / sizeof rejected[0]; ++i) {
        STUB_MAKE(glMultiDrawElementsIndirect, NULL, 4, rejected[i].type, STUB_P(elements),
                  (uint64_t)rejected[i].draws, (uint64_t)rejected[i].stride);
        assert_int_equal(drawn_bytes(), -1);
    }
    stub_stop();
}

/* {count, instances, first index, base vertex, base instance}, with indices and commands in one buffer. */
static void test_indexed_indirect(void **state)
{
    (void)state;
    const uint32_t contents[] = {0, 0, 0, 3, 2, 8, 10, 6, 1, 2, 0, 1, 0, 0};
    start_vertices();
    STUB_MAKE(glVertexAttribDivisor, NULL, 0, 1);
    set_array(GL_ARRAY_GENERIC_0, 1, F, 0, memory)->divisor = 1;
    stub.buffer = contents;
    stub.buffer_size = sizeof contents;
    stub.integers[SPEC_GL_DRAW_INDIRECT_BUFFER_BINDING] = 1;
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_DRAW_INDIRECT_BUFFER, 1);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 1);
    STUB_MAKE(glDrawElementsIndirect, NULL, 4, UI, 12);
    assert_int_equal(drawn_bytes(), 8 * (2 + 10 + 1)); /* indices 1, 2, 0 and the base vertex */
    assert_int_equal(find_call(SPEC_FN_glVertexAttribPointer)->bytes, 4 * (6 + 2));
    stub_stop();
}

/* --- much memory ------------------------------------------------------------------------------------------
 */

#define MIB ((uint64_t)1 << 20)

/* Arrays are recorded from the pointer on. Up to 16 MiB before the first vertex may be unreadable. */
static void test_far_vertices(void **state)
{
    (void)state;
    static const struct {
        uint64_t first, hole; /* number of unreadable bytes from the start */
        bool recorded;
    } draws[] = {{20 * MIB, 0, true},        {20 * MIB, 4096, true},
                 {20 * MIB, 16 * MIB, true}, {20 * MIB, 16 * MIB + 4096, false},
                 {15 * MIB, 15 * MIB, true}, {16 * MIB, 16 * MIB, true}};
    for (unsigned i = 0; i < sizeof draws / sizeof draws[0]; ++i) {
        uint8_t *m = mmap(NULL, 32 * MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        assert_ptr_not_equal(m, MAP_FAILED);
        if (draws[i].hole != 0)
            assert_int_equal(mprotect(m, draws[i].hole, PROT_NONE), 0);
        start_vertices();
        stub.arrays[GL_ARRAY_VERTEX].pointer = m;
        STUB_MAKE(glDrawArrays, NULL, 4, draws[i].first / 8, 3);
        assert_int_equal(drawn_bytes(), draws[i].recorded ? (int64_t)draws[i].first + 24 : -1);
        stub_stop();
        munmap(m, 32 * MIB);
    }
}

/* No program draws more than 1 GiB of vertices on purpose. */
static void test_too_many_vertices(void **state)
{
    (void)state;
    uint64_t room = 1100 * MIB;
    uint8_t *m = mmap(NULL, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m == MAP_FAILED)
        skip();
    madvise(m, room, MADV_HUGEPAGE);
    start_vertices();
    stub.arrays[GL_ARRAY_VERTEX].pointer = m;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, INT32_MAX);
    assert_int_equal(drawn_bytes(), 1024 * MIB);
    STUB_MAKE(glDrawArrays, NULL, 4, INT32_MAX - 3, 3);
    assert_int_equal(drawn_bytes(), -1);
    stub_stop();
    munmap(m, room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_locked),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_base_vertices),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_sizes_of_commands),
        cmocka_unit_test(test_indexed_indirect),
        cmocka_unit_test(test_far_vertices),
        cmocka_unit_test(test_too_many_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
