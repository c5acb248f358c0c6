/* SPDX-License-Identifier: MIT
 * Tests what is recorded of memory that the program pins as a buffer. Expectations come from the extension
 * GL_AMD_pinned_memory.
 */
#include "stub_driver.h"

#include "cmocka_all.h"

#include <string.h>

enum { PINNED = 0x9160, ARRAY = 0x8892, STREAM = 0x88E0, BUFFER = 9, OTHER = 7, SIZE = 3 * 4096, WRITE = 2 };

static uint8_t memory[SIZE] __attribute__((aligned(4096)));

static void pin(void)
{
    stub_call_count = 0;
    STUB_MAKE(glBufferData, NULL, PINNED, SIZE, STUB_P(memory), STREAM);
}

/* Memory that the driver says to have `size` bytes. */
static struct capture_thread *start(int32_t size, uint32_t bound)
{
    struct capture_thread *t = stub_start("4.6");
    stub.buffer_size = size;
    memset(memory, 1, sizeof memory);
    STUB_MAKE(glBindBuffer, NULL, ARRAY, bound);
    STUB_MAKE(glBindBuffer, NULL, PINNED, BUFFER);
    pin();
    return t;
}

static void write_at(struct capture_thread *t, size_t at)
{
    memory[at]++;
    stub_call_count = 0;
    capture_persistent_writes(t);
}

static void expect_call(unsigned i, const char *name, uint64_t first, uint64_t second)
{
    assert_in_range(i, 0, (uint64_t)stub_call_count - 1);
    assert_string_equal(spec_string(stub_calls[i].function->name), name);
    assert_int_equal(stub_calls[i].args[0].u, first);
    assert_int_equal(stub_calls[i].args[1].u, second);
}

/* The storage, without one in between that would be written to. */
static void expect_copy(unsigned i)
{
    expect_call(i, "glBufferData", ARRAY, 0);
    assert_null(stub_calls[i].args[2].p);
    expect_call(i + 1, "glBufferData", ARRAY, SIZE);
    assert_ptr_equal(stub_calls[i + 1].args[2].p, memory);
    assert_int_equal(stub_calls[i + 1].args[3].u, STREAM);
}

static void expect_change(unsigned i, size_t at)
{
    assert_in_range(i, 0, (uint64_t)stub_call_count - 1);
    uint64_t offset = stub_calls[i].args[1].u, size = stub_calls[i].args[2].u;
    expect_call(i, "glBufferSubData", ARRAY, offset);
    assert_true(offset <= at && at < offset + size && offset + size <= SIZE);
    assert_memory_equal(stub_calls[i].values, memory + offset, size < 64 ? size : 64);
}

/* What is written is recorded once. The program's binding is as before. */
static void test_writes(void **state)
{
    (void)state;
    const uint32_t others[] = {0, OTHER};
    for (unsigned i = 0; i < 2; ++i) {
        struct capture_thread *t = start(SIZE, others[i]);
        assert_int_equal(stub_call_count, 4);
        expect_call(0, "glBindBuffer", ARRAY, BUFFER);
        expect_copy(1);
        expect_call(3, "glBindBuffer", ARRAY, others[i]);

        write_at(t, 4096);
        assert_int_equal(stub_call_count, 3);
        expect_call(0, "glBindBuffer", ARRAY, BUFFER);
        expect_change(1, 4096);
        expect_call(2, "glBindBuffer", ARRAY, others[i]);
        capture_persistent_writes(t);
        assert_int_equal(stub_call_count, 3);
        stub_stop();
    }
}

static void test_bound_buffer(void **state)
{
    (void)state;
    struct capture_thread *t = start(SIZE, BUFFER);
    assert_int_equal(stub_call_count, 2);
    expect_copy(0);
    write_at(t, 3);
    assert_int_equal(stub_call_count, 1);
    expect_change(0, 3);
    stub_stop();
}

static void begin_in_driver(const union spec_arg *args)
{
    (void)args;
    stub.in_begin = true;
}

static void end_in_driver(const union spec_arg *args)
{
    (void)args;
    stub.in_begin = false;
}

static void unmap_in_driver(const union spec_arg *args)
{
    (void)args;
    stub.buffer_mapped = 0;
}

static void look_meanwhile(struct capture_thread *t)
{
    write_at(t, 5);
    assert_int_equal(stub_call_count, 0);
}

/* Before the buffer has storage in the trace, other threads record no changes. What has changed since is
 * recorded with the next one. */
static void test_other_threads(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("4.6");
    stub.buffer_size = SIZE;
    STUB_MAKE(glBindBuffer, NULL, ARRAY, BUFFER);
    STUB_MAKE(glBindBuffer, NULL, PINNED, BUFFER);
    stub.meanwhile = look_meanwhile;
    pin();
    assert_int_equal(stub_call_count, 2);
    expect_copy(0);
    write_at(t, 4096);
    assert_in_range(stub_call_count, 1, 2);
    expect_change(stub_call_count - 1, 4096);
    stub_stop();
}

/* Where glBufferSubData() fails. */
static void test_waits(void **state)
{
    (void)state;
    struct capture_thread *t = start(SIZE, BUFFER);
    STUB_MAKE(glBegin, begin_in_driver, 4);
    write_at(t, 5);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glEnd, end_in_driver, 0);
    stub.returned.p = memory;
    STUB_MAKE(glMapBufferRange, NULL, PINNED, 0, SIZE, WRITE);
    stub.buffer_mapped = 1;
    write_at(t, 5);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glUnmapBuffer, unmap_in_driver, PINNED);
    assert_int_equal(stub_call_count, 1);
    assert_string_equal(spec_string(stub_calls[0].function->name), "memcpy");
    assert_int_equal(stub_calls[0].args[2].u, SIZE);
    write_at(t, 5);
    assert_int_equal(stub_call_count, 1);
    expect_change(0, 5);
    stub_stop();
}

static void expect_none(struct capture_thread *t)
{
    assert_int_equal(capture_persistent_mappings, 0);
    write_at(t, 7);
    assert_int_equal(stub_call_count, 0);
    stub_stop();
}

static void test_ends(void **state)
{
    (void)state;
    const uint32_t name = BUFFER;
    struct capture_thread *t = start(SIZE, 0);
    assert_int_equal(capture_persistent_mappings, 1);
    STUB_MAKE(glDeleteBuffers, NULL, 1, STUB_P(&name));
    expect_none(t);

    t = start(SIZE, 0);
    STUB_MAKE(glBindBuffer, NULL, 0x8F37, BUFFER); /* GL_COPY_WRITE_BUFFER */
    STUB_MAKE(glBufferData, NULL, 0x8F37, SIZE, 0, STREAM);
    expect_none(t);

    t = start(SIZE, 0);
    pin(); /* anew */
    assert_int_equal(capture_persistent_mappings, 1);
    STUB_MAKE(glBufferStorage, NULL, PINNED, SIZE, STUB_P(memory), 0);
    expect_none(t);
}

static void test_not_pinned(void **state)
{
    (void)state;
    expect_none(start(0, 0)); /* the call fails */
    struct capture_thread *t = stub_start("4.6");
    stub.buffer_size = SIZE;
    pin(); /* nothing is bound */
    STUB_MAKE(glBindBuffer, NULL, PINNED, BUFFER);
    STUB_MAKE(glBufferData, NULL, PINNED, SIZE, 0, STREAM);
    STUB_MAKE(glNamedBufferData, NULL, PINNED, SIZE, STUB_P(memory), STREAM); /* a name */
    expect_none(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes),        cmocka_unit_test(test_bound_buffer),
        cmocka_unit_test(test_other_threads), cmocka_unit_test(test_waits),
        cmocka_unit_test(test_ends),          cmocka_unit_test(test_not_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
