/* SPDX-License-Identifier: MIT
 * Tests which bytes of mapped buffers are recorded as written, and when. Expectations come from section 6.3
 * of the OpenGL 4.6 specification: access values and flags from tables 6.4 and 6.5, what ends a mapping from
 * sections 6.2 and 6.3.2, binding points from table 6.1.
 */
#include "stub_driver.h"

#include "context/gl_enums.h"
#include "gl/gl_mapped_buffers.h"

#include "cmocka_all.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    READ_ONLY = 0x88B8,
    WRITE_ONLY,
    READ_WRITE,
    READ = 1,
    WRITE = 2,
    INVALIDATE = 4,
    EXPLICIT = 0x10,
    PERSISTENT = 0x40,
    COHERENT = 0x80,
    BUFFER = 9, /* a name */
    SIZE = 40,
    PAGES = 1 << 16
};

static uint8_t memory[2 * PAGES] __attribute__((aligned(4096)));

/* glGetNamedBufferParameteriv() for existing buffers. */
static void get_named(uint32_t buffer, uint32_t pname, int32_t *value)
{
    *value = pname == 0x8764 ? stub.buffer_size : stub.buffer_mapped && buffer % 256 == BUFFER;
}

/* A driver may have only one of the two functions. */
static bool has_ext_only;

static capture_function find_more(uint32_t id)
{
    return id == SPEC_FN_glGetNamedBufferParameteriv && !has_ext_only     ? (capture_function)get_named
           : id == SPEC_FN_glGetNamedBufferParameterivEXT && has_ext_only ? (capture_function)get_named
                                                                          : NULL;
}

static bool is_ext(uint32_t function)
{
    const char *name = spec_string(spec_functions[function].name);
    return strcmp(name + strlen(name) - 3, "EXT") == 0;
}

static void start(void)
{
    stub_start("4.6");
    has_ext_only = false;
    stub.more = find_more;
    stub.buffer_size = SIZE;
    stub.integers[0x8894] = BUFFER;
    for (unsigned i = 0; i < sizeof memory; ++i)
        memory[i] = (uint8_t)(i * 7 + i / 256);
}

static void map(uint32_t function, const uint64_t args[8], void *at)
{
    stub.returned.p = at;
    stub_make(function, stub_arguments(args), NULL);
    stub.buffer_mapped = 1;
}

static void map_range(uint32_t flags, uint64_t size)
{
    map(SPEC_FN_glMapBufferRange, (const uint64_t[8]){SPEC_GL_ARRAY_BUFFER, 16, size, flags}, memory);
}

static void unmap_in_driver(const union spec_arg *args)
{
    (void)args;
    stub.buffer_mapped = 0;
}

static void expect_copy(unsigned i, const void *at, uint64_t size)
{
    assert_in_range(i, 0, (uint64_t)stub_call_count - 1);
    assert_string_equal(spec_string(stub_calls[i].function->name), "memcpy");
    assert_ptr_equal(stub_calls[i].args[0].p, at);
    assert_int_equal(stub_calls[i].bytes, size);
    assert_memory_equal(stub_calls[i].values, at, size < 64 ? size : 64);
}

/* Expects one copy of size bytes from the start of the mapping, or none if size is 0. */
static void expect_whole(uint64_t size)
{
    assert_int_equal(stub_call_count, size != 0);
    if (size != 0)
        expect_copy(0, memory, size);
}

static void unmap(uint64_t expected)
{
    STUB_MAKE(glUnmapBuffer, unmap_in_driver, SPEC_GL_ARRAY_BUFFER);
    expect_whole(expected);
}

static void test_binding_points(void **state)
{
    (void)state;
    static const uint32_t targets[][2] = {
        {0x8892, 0x8894}, {0x8893, 0x8895}, {0x88EB, 0x88ED}, {0x88EC, 0x88EF}, {0x8F3F, 0x8F43},
        {0x9192, 0x9193}, {0x8A11, 0x8A28}, {0x8C2A, 0x8C2A}, {0x8C8E, 0x8C8F}, {0x8F36, 0x8F36},
        {0x8F37, 0x8F37}, {0x90EE, 0x90EF}, {0x90D2, 0x90D3}, {0x92C0, 0x92C1}, {0x80EE, 0x80EF},
    };
    for (unsigned i = 0; i < sizeof targets / sizeof targets[0]; ++i) {
        start();
        stub.integers[0x8894] = 0;
        stub.integers[targets[i][1]] = BUFFER;
        map(SPEC_FN_glMapBufferRange, (const uint64_t[8]){targets[i][0], 0, SIZE, WRITE}, memory);
        STUB_MAKE(glUnmapNamedBuffer, unmap_in_driver, BUFFER);
        expect_whole(SIZE);
        stub_stop();
    }
    start();
    map(SPEC_FN_glMapBufferRange, (const uint64_t[8]){0x0DE1, 0, SIZE, WRITE}, memory); /* invalid target */
    STUB_MAKE(glUnmapBuffer, unmap_in_driver, 0x0DE1);
    expect_whole(0);
    stub_stop();
}

static void test_access(void **state)
{
    (void)state;
    static const struct {
        uint16_t map, unmap;
        bool named;
    } functions[] = {{SPEC_FN_glMapBuffer, SPEC_FN_glUnmapBuffer, false},
                     {SPEC_FN_glMapBufferARB, SPEC_FN_glUnmapBufferARB, false},
                     {SPEC_FN_glMapBufferOES, SPEC_FN_glUnmapBufferOES, false},
                     {SPEC_FN_glMapNamedBuffer, SPEC_FN_glUnmapNamedBuffer, true},
                     {SPEC_FN_glMapNamedBufferEXT, SPEC_FN_glUnmapNamedBufferEXT, true}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        uint64_t what = functions[i].named ? BUFFER : SPEC_GL_ARRAY_BUFFER;
        for (uint32_t access = READ_ONLY; access <= READ_WRITE; ++access) {
            start();
            has_ext_only = is_ext(functions[i].map);
            map(functions[i].map, (const uint64_t[8]){what, access}, memory);
            stub_make(functions[i].unmap, stub_arguments((const uint64_t[8]){what}), unmap_in_driver);
            expect_whole(access == READ_ONLY ? 0 : SIZE);
            stub_make(functions[i].unmap, stub_arguments((const uint64_t[8]){what}), NULL);
            expect_whole(0);
            stub_stop();
        }
    }
}

static void test_flags(void **state)
{
    (void)state;
    static const struct {
        uint32_t flags;
        uint64_t size, recorded;
    } ranges[] = {
        {READ, SIZE, 0},         {WRITE, SIZE, SIZE},         {READ | WRITE, 1, 1},
        {WRITE, 0, 0},           {WRITE | EXPLICIT, SIZE, 0}, {WRITE | INVALIDATE, 3, 3},
        {READ | EXPLICIT, 9, 0}, {READ | PERSISTENT, 9, 0},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        start();
        map_range(ranges[i].flags, ranges[i].size);
        assert_int_equal(capture_persistent_mappings, 0);
        unmap(ranges[i].recorded);
        stub_stop();
    }
}

/* Nothing is mapped if a call failed, or if it was for a buffer of another size than the driver says. */
static void test_what_is_not_mapped(void **state)
{
    (void)state;
    start();
    map(SPEC_FN_glMapBufferRange, (const uint64_t[8]){SPEC_GL_ARRAY_BUFFER, 0, SIZE, WRITE}, NULL);
    unmap(0);
    map(SPEC_FN_glMapBuffer, (const uint64_t[8]){SPEC_GL_ARRAY_BUFFER, WRITE_ONLY}, NULL);
    unmap(0);
    stub.integers[0x8894] = 0; /* nothing is bound */
    map_range(WRITE, SIZE);
    stub.integers[0x8894] = BUFFER;
    unmap(0);
    stub.buffer_size = -1;
    map(SPEC_FN_glMapBuffer, (const uint64_t[8]){SPEC_GL_ARRAY_BUFFER, WRITE_ONLY}, memory);
    unmap(0);
    map_range(WRITE, SIZE);
    stub.buffer_mapped = 0; /* unmapped by a call that was not seen: the memory may be gone */
    unmap(0);
    stub_stop();
}

static void test_flushes(void **state)
{
    (void)state;
    static const struct {
        uint64_t offset, length;
        bool recorded;
    } flushes[] = {{0, SIZE, true},          {0, SIZE + 1, false},     {SIZE - 1, 1, true}, {SIZE, 0, false},
                   {SIZE, 1, false},         {SIZE + 1, 0, false},     {5, 0, false},       {5, 7, true},
                   {(uint64_t)-1, 2, false}, {1, (uint64_t)-1, false}, {39, 2, false}};
    static const struct {
        uint16_t function;
        bool named;
    } functions[] = {{SPEC_FN_glFlushMappedBufferRange, false},
                     {SPEC_FN_glFlushMappedBufferRangeAPPLE, false},
                     {SPEC_FN_glFlushMappedBufferRangeEXT, false},
                     {SPEC_FN_glFlushMappedNamedBufferRange, true},
                     {SPEC_FN_glFlushMappedNamedBufferRangeEXT, true}};
    start();
    map_range(WRITE | EXPLICIT, SIZE);
    for (unsigned f = 0; f < sizeof functions / sizeof functions[0]; ++f)
        for (unsigned i = 0; i < sizeof flushes / sizeof flushes[0]; ++i) {
            uint64_t what = functions[f].named ? BUFFER : SPEC_GL_ARRAY_BUFFER;
            has_ext_only = is_ext(functions[f].function);
            const uint64_t args[8] = {what, flushes[i].offset, flushes[i].length};
            stub_make(functions[f].function, stub_arguments(args), NULL);
            assert_int_equal(stub_call_count, flushes[i].recorded);
            if (flushes[i].recorded)
                expect_copy(0, memory + flushes[i].offset, flushes[i].length);
        }
    unmap(0);
    STUB_MAKE(glFlushMappedBufferRange, NULL, SPEC_GL_ARRAY_BUFFER, 0, 4);
    expect_whole(0);
    map_range(WRITE | EXPLICIT, SIZE);
    stub.buffer_mapped = 0; /* unmapped by a call that was not seen */
    STUB_MAKE(glFlushMappedBufferRange, NULL, SPEC_GL_ARRAY_BUFFER, 0, 4);
    expect_whole(0);
    map_range(READ, SIZE);
    STUB_MAKE(glFlushMappedBufferRange, NULL, SPEC_GL_ARRAY_BUFFER, 0, 4);
    expect_whole(0);
    stub_stop();
}

/* Expects fake calls, starting with number `first`: the buffer is bound, unmapped, and unbound. */
static void expect_unmapping(unsigned first, const char *unmap_function)
{
    const char *const functions[] = {"glBindBuffer", unmap_function, "glBindBuffer"};
    assert_int_equal(stub_call_count, first + 3);
    for (unsigned i = 0; i < 3; ++i) {
        const struct stub_call *call = &stub_calls[first + i];
        assert_string_equal(spec_string(call->function->name), functions[i]);
        assert_int_equal(call->args[0].u, SPEC_GL_ARRAY_BUFFER);
    }
    assert_int_equal(stub_calls[first].args[1].u, BUFFER);
    assert_int_equal(stub_calls[first + 2].args[1].u, 0);
}

/* Deleting a buffer unmaps it. What was written to it is recorded. */
static void test_deleted_buffers(void **state)
{
    (void)state;
    const uint32_t names[] = {0, 5, BUFFER, 7}, others[] = {BUFFER + 256, BUFFER + 1};
    start();
    map_range(WRITE, SIZE);
    STUB_MAKE(glDeleteBuffers, NULL, 2, STUB_P(others));
    expect_whole(0);
    STUB_MAKE(glDeleteBuffers, NULL, 2, STUB_P(names));
    expect_whole(0);
    STUB_MAKE(glDeleteBuffers, NULL, (uint64_t)-4, STUB_P(names)); /* GL_INVALID_VALUE */
    expect_whole(0);
    STUB_MAKE(glDeleteBuffers, NULL, 4, 16); /* unmapped memory */
    expect_whole(0);
    STUB_MAKE(glBegin, NULL, 0);
    STUB_MAKE(glDeleteBuffers, NULL, 4, STUB_P(names)); /* GL_INVALID_OPERATION */
    expect_whole(0);
    STUB_MAKE(glEnd, NULL);
    STUB_MAKE(glDeleteBuffers, NULL, 4, STUB_P(names));
    expect_copy(0, memory, SIZE);
    expect_unmapping(1, "glUnmapBuffer");
    STUB_MAKE(glDeleteBuffers, NULL, 4, STUB_P(names));
    expect_whole(0);
    map_range(WRITE | EXPLICIT, SIZE);
    STUB_MAKE(glDeleteBuffersARB, NULL, 4, STUB_P(names));
    expect_unmapping(0, "glUnmapBuffer");
    stub_stop();
}

/* New storage replaces the mapped memory, unless the driver rejects the call. */
static void test_new_storage(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        bool named;
    } functions[] = {{SPEC_FN_glBufferData, false},         {SPEC_FN_glBufferDataARB, false},
                     {SPEC_FN_glNamedBufferData, true},     {SPEC_FN_glNamedBufferDataEXT, true},
                     {SPEC_FN_glBufferStorage, false},      {SPEC_FN_glBufferStorageEXT, false},
                     {SPEC_FN_glNamedBufferStorage, true},  {SPEC_FN_glNamedBufferStorageEXT, true},
                     {SPEC_FN_glBufferStorageMemEXT, false}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        const union spec_arg *args =
            stub_arguments((const uint64_t[8]){functions[i].named ? BUFFER : SPEC_GL_ARRAY_BUFFER, SIZE});
        union spec_arg copy[8];
        memcpy(copy, args, sizeof copy);
        start();
        STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, BUFFER);
        map_range(WRITE, SIZE);
        has_ext_only = is_ext(functions[i].function);
        STUB_MAKE(glBegin, NULL, 0); /* all of these fail here, and the driver must not be queried */
        stub_make(functions[i].function, copy, NULL);
        STUB_MAKE(glUnmapNamedBuffer, NULL, BUFFER);
        STUB_MAKE(glUnmapBuffer, NULL, SPEC_GL_ARRAY_BUFFER);
        STUB_MAKE(glFlushMappedNamedBufferRange, NULL, BUFFER, 0, SIZE);
        STUB_MAKE(glEnd, NULL);
        stub_make(functions[i].function, copy, NULL); /* fails: it is still mapped */
        unmap(SIZE);
        map_range(WRITE, SIZE);
        stub_make(functions[i].function, copy, unmap_in_driver);
        assert_int_equal(stub_call_count, 0);
        stub.buffer_mapped = 1; /* mapped by a call that was not seen */
        unmap(0);
        stub_stop();
    }
}

/* Many buffers, whose names differ by multiples of powers of two. */
static void test_many_buffers(void **state)
{
    (void)state;
    start();
    for (uint32_t i = 0; i < 1000; ++i)
        map(SPEC_FN_glMapNamedBufferRange, (const uint64_t[8]){BUFFER + 256 * i, 0, i + 1, WRITE},
            memory + i);
    for (uint32_t i = 0; i < 1000; ++i) {
        uint32_t buffer = i * 37 % 1000;
        if (i % 3 == 0) /* mapped again: the end of the first mapping was not seen */
            map(SPEC_FN_glMapNamedBufferRange, (const uint64_t[8]){BUFFER + 256 * buffer, 0, 2, WRITE},
                memory);
        STUB_MAKE(glUnmapNamedBuffer, unmap_in_driver, BUFFER + 256 * buffer);
        assert_int_equal(stub_call_count, 1);
        if (i % 3 == 0)
            expect_copy(0, memory, 2);
        else
            expect_copy(0, memory + buffer, buffer + 1);
        stub.buffer_mapped = 1;
        STUB_MAKE(glUnmapNamedBuffer, NULL, BUFFER + 256 * buffer);
        assert_int_equal(stub_call_count, 0);
    }
    unsigned before = stub.questions;
    STUB_MAKE(glUnmapBuffer, NULL, SPEC_GL_ARRAY_BUFFER); /* none is left, so the driver is not queried */
    STUB_MAKE(glBufferData, NULL, SPEC_GL_ARRAY_BUFFER, SIZE);
    STUB_MAKE(glFlushMappedBufferRange, NULL, SPEC_GL_ARRAY_BUFFER, 0, 1);
    assert_int_equal(stub.questions, before);
    stub_stop();
}

static void draw(void)
{
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
}

/* Writes to a persistent mapping are recorded before each draw. */
static void test_persistent(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, SIZE, 5000, PAGES + 3000};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        start();
        map_range(WRITE | PERSISTENT | COHERENT, sizes[i]);
        assert_int_equal(capture_persistent_mappings, 1);
        draw();
        assert_int_equal(stub_call_count, 0);
        memory[sizes[i]]++; /* outside of the mapping */
        memory[sizes[i] - 1]++;
        draw();
        assert_int_equal(stub_call_count, 1);
        uint64_t size = (uint64_t)stub_calls[0].bytes;
        const uint8_t *at = stub_calls[0].args[0].p;
        assert_ptr_equal(at + size, memory + sizes[i]);
        expect_copy(0, at, size);
        draw();
        assert_int_equal(stub_call_count, 0);
        memory[0]++;
        STUB_MAKE(glUnmapBuffer, unmap_in_driver, SPEC_GL_ARRAY_BUFFER);
        assert_int_equal(stub_call_count, 1);
        assert_ptr_equal(stub_calls[0].args[0].p, memory);
        assert_int_equal(capture_persistent_mappings, 0);
        stub_stop();
    }
    start();
    map_range(WRITE | PERSISTENT | EXPLICIT, SIZE); /* the program announces what it wrote */
    assert_int_equal(capture_persistent_mappings, 0);
    memory[0]++;
    draw();
    assert_int_equal(stub_call_count, 0);
    stub_stop();
}

static int32_t sync_status;

/* The GPU writes while the program waits. */
static void write_by_gpu(const union spec_arg *args)
{
    memory[5] = 7;
    if (args[1].u == SPEC_GL_SYNC_STATUS && args[4].p != NULL)
        memcpy(args[4].p, &sync_status, sizeof sync_status);
}

/* What the GPU has written is known after a wait that has succeeded: the program may overwrite it by what was
 * there before. */
static void test_waits(void **state)
{
    (void)state;
    static const struct {
        uint32_t function, second_argument; /* for glGetSynciv() */
        uint64_t returned;                  /* the status that glGetSynciv() gets */
        bool waits;
    } cases[] = {
        {SPEC_FN_glFinish, 0, 0, true},
        {SPEC_FN_glFinishFenceNV, 0, 0, true},
        {SPEC_FN_glXWaitGL, 0, 0, true},
        {SPEC_FN_eglWaitClient, 0, 1, true},
        {SPEC_FN_glTestFenceNV, 0, 0x100, false}, /* the bytes above a GLboolean mean nothing */
        {SPEC_FN_glTestFenceNV, 0, 1, true},
        {SPEC_FN_glClientWaitSync, 0, SPEC_GL_ALREADY_SIGNALED, true},
        {SPEC_FN_glClientWaitSync, 0, 0x911B, false}, /* GL_TIMEOUT_EXPIRED */
        {SPEC_FN_glClientWaitSync, 0, SPEC_GL_CONDITION_SATISFIED, true},
        {SPEC_FN_glClientWaitSync, 0, 0x911D, false},  /* GL_WAIT_FAILED */
        {SPEC_FN_eglClientWaitSync, 0, 0x30F5, false}, /* EGL_TIMEOUT_EXPIRED */
        {SPEC_FN_eglClientWaitSync, 0, 0x30F6, true},
        {SPEC_FN_eglClientWaitSyncNV, 0, 0x30EA, true},
        {SPEC_FN_eglClientWaitSyncNV, 0, 0x30EC, true},
        {SPEC_FN_glGetSynciv, SPEC_GL_SYNC_STATUS, SPEC_GL_SIGNALED, true},
        {SPEC_FN_glGetSynciv, SPEC_GL_SYNC_STATUS, 0x9118, false}, /* GL_UNSIGNALED */
        {SPEC_FN_glGetSynciv, 0x9112, SPEC_GL_SIGNALED, false},    /* GL_OBJECT_TYPE */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int32_t value = (int32_t)cases[i].returned;
        uint64_t args[8] = {1, cases[i].second_argument, 1, 0, STUB_P(&value)};
        start();
        map_range(WRITE | PERSISTENT | COHERENT, SIZE);
        uint8_t old = memory[5];
        sync_status = value;
        stub.returned.u = cases[i].returned;
        stub_make(cases[i].function, stub_arguments(args), write_by_gpu);
        assert_int_equal(stub_call_count, cases[i].waits);
        memory[5] = old;
        draw();
        assert_int_equal(stub_call_count, cases[i].waits);
        STUB_MAKE(glUnmapBuffer, unmap_in_driver, SPEC_GL_ARRAY_BUFFER);
        STUB_MAKE(glFinish, NULL, 0); /* nothing is mapped */
        assert_int_equal(stub_call_count, 0);
        stub_stop();
    }
}

/* A result that goes to a buffer overwrites what the program has written before. */
static void test_query_buffer(void **state)
{
    (void)state;
    for (unsigned bound = 0; bound < 2; ++bound) {
        start();
        map_range(WRITE | PERSISTENT | COHERENT, SIZE);
        stub.integers[SPEC_GL_QUERY_BUFFER_BINDING] = bound ? BUFFER : 0;
        STUB_MAKE(glBindBuffer, NULL, SPEC_GL_QUERY_BUFFER, BUFFER);
        memory[5]++;
        STUB_MAKE(glGetQueryObjectuiv, NULL, 1, 0x8866, 0);
        assert_int_equal(stub_call_count, bound);
        STUB_MAKE(glGetQueryBufferObjectuiv, NULL, 1, BUFFER, 0x8866, 0);
        assert_int_equal(stub_call_count, !bound);
        STUB_MAKE(glUnmapBuffer, unmap_in_driver, SPEC_GL_ARRAY_BUFFER);
        stub_stop();
    }
}

/* The program announces its writes. If it has promised to, only these are recorded. Otherwise, all changes
 * are looked for at that moment. */
static void test_notified(void **state)
{
    (void)state;
    start();
    struct capture_thread *t = &capture_self;
    map(SPEC_FN_glMapNamedBufferRange,
        (const uint64_t[8]){BUFFER, 0, 1000, WRITE | PERSISTENT | COHERENT | 0x80000000}, memory);
    map(SPEC_FN_glMapNamedBufferRange,
        (const uint64_t[8]){BUFFER + 256, 0, SIZE, WRITE | PERSISTENT | COHERENT}, memory + PAGES);
    memory[5]++;
    memory[PAGES + 3]++;
    stub_call_count = 0;
    capture_notified_write(t, memory + 4, 8);
    assert_int_equal(stub_call_count, 1); /* not from the other buffer */
    expect_copy(0, memory + 4, 8);
    stub_call_count = 0;
    capture_notified_write(t, memory + 990, 100); /* only the part that is mapped */
    assert_int_equal(stub_call_count, 1);
    expect_copy(0, memory + 990, 10);
    stub_call_count = 0;
    capture_notified_write(t, memory + 999, 1);
    assert_int_equal(stub_call_count, 1);
    expect_copy(0, memory + 999, 1);
    stub_call_count = 0;
    capture_notified_write(t, memory + PAGES, 1); /* no promise for this buffer */
    assert_int_equal(stub_call_count, 1);
    assert_in_range(stub_calls[0].bytes, 1, SIZE);
    stub_call_count = 0;
    memory[PAGES + 4]++;
    capture_notified_write(t, memory + 1000, 1); /* behind the end of the mapping */
    assert_int_equal(stub_call_count, 1);
    stub_call_count = 0;
    capture_notified_write(t, memory + PAGES, 1);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glUnmapNamedBuffer, unmap_in_driver, BUFFER + 256);
    STUB_MAKE(glUnmapNamedBuffer, unmap_in_driver, BUFFER);
    assert_int_equal(capture_persistent_mappings, 0);
    stub_stop();
}

/* Buffer names belong to a share group. Draws, calls and the end of another group do not affect them. */
static void test_share_groups(void **state)
{
    (void)state;
    int display, other_handle, sharing_handle;
    start();
    struct capture_thread *t = &capture_self;
    struct gl_context *first = t->context;
    map_range(WRITE | PERSISTENT, SIZE);
    gl_context_create(&display, &other_handle, NULL);
    gl_context_create(&display, &sharing_handle, &stub);
    memory[3]++;
    t->context = gl_context_get(&other_handle);
    draw();
    assert_int_equal(stub_call_count, 0);
    map(SPEC_FN_glMapNamedBufferRange, (const uint64_t[8]){BUFFER, 0, 7, WRITE}, memory + 100);
    STUB_MAKE(glUnmapNamedBuffer, NULL, BUFFER); /* both are still mapped, according to the driver */
    assert_int_equal(stub_call_count, 1);
    expect_copy(0, memory + 100, 7);
    t->context = gl_context_get(&sharing_handle);
    draw();
    assert_int_equal(stub_call_count, 1);
    expect_copy(0, memory, SIZE);
    t->context = first;
    gl_context_destroy(&other_handle);
    memory[4]++;
    draw();
    assert_int_equal(stub_call_count, 1);
    STUB_MAKE(glUnmapNamedBuffer, unmap_in_driver, BUFFER);
    assert_int_equal(capture_persistent_mappings, 0);
    map_range(WRITE | PERSISTENT, SIZE);
    stub_stop(); /* the group lives on with the other context */
    assert_int_equal(capture_persistent_mappings, 1);
    gl_context_destroy(&sharing_handle);
    assert_int_equal(capture_persistent_mappings, 0);
}

/* After a fork, the child knows nothing about its parent's mappings and does not touch them. */
static int be_child(void)
{
    gl_context_forget_parent();
    unsigned before = stub.questions;
    STUB_MAKE(glUnmapBuffer, NULL, SPEC_GL_ARRAY_BUFFER);
    if (capture_persistent_mappings != 0 || stub_call_count != 0 || stub.questions != before)
        return 1;
    map_range(WRITE, SIZE);
    STUB_MAKE(glUnmapBuffer, unmap_in_driver, SPEC_GL_ARRAY_BUFFER);
    return stub_call_count != 1 || stub_calls[0].bytes != SIZE;
}

static void test_forked_child(void **state)
{
    (void)state;
    int status = -1;
    start();
    map_range(WRITE | PERSISTENT, SIZE);
    pid_t child = fork();
    if (child == 0)
        _exit(be_child());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    unmap(0);
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binding_points), cmocka_unit_test(test_access),
        cmocka_unit_test(test_flags),          cmocka_unit_test(test_what_is_not_mapped),
        cmocka_unit_test(test_flushes),        cmocka_unit_test(test_deleted_buffers),
        cmocka_unit_test(test_new_storage),    cmocka_unit_test(test_many_buffers),
        cmocka_unit_test(test_persistent),     cmocka_unit_test(test_waits),
        cmocka_unit_test(test_query_buffer),   cmocka_unit_test(test_share_groups),
        cmocka_unit_test(test_forked_child),   cmocka_unit_test(test_notified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
