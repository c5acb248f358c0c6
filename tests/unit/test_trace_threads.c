/* SPDX-License-Identifier: MIT
 * Tests calls that are read in one thread and released in another, from a file that is large enough for
 * decompression threads.
 */
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <pthread.h>
#include <stdlib.h>

#define CALLS 60000
#define QUEUE 64

struct queue {
    struct trace_reader *reader;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct trace_call *calls[QUEUE];
    uint64_t in;
    uint64_t out;
    uint64_t sum; /* sum of the blobs' first bytes */
};

static void *release_calls(void *argument)
{
    struct queue *q = argument;
    for (;;) {
        pthread_mutex_lock(&q->lock);
        while (q->in == q->out)
            pthread_cond_wait(&q->changed, &q->lock);
        const struct trace_call *call = q->calls[q->out++ % QUEUE];
        pthread_cond_broadcast(&q->changed);
        pthread_mutex_unlock(&q->lock);
        if (call == NULL)
            return NULL;
        q->sum += call->args[0].u.blob[0];
        trace_call_release(q->reader, call);
    }
}

static uint64_t write_trace(struct sample_file *file)
{
    static const char *const names[] = {"data"};
    static const struct trace_function_sig sig = {
        .id = 1, .name = "glData", .arg_count = 1, .arg_names = names};
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    uint8_t blob[900];
    uint32_t noise = 1;
    uint64_t sum = 0;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t i = 0; i < CALLS; ++i) {
        for (size_t k = 0; k < sizeof blob; k += 7) {
            noise = noise * 1664525u + 1013904223u;
            blob[k] = (uint8_t)(noise >> 24);
        }
        sum += blob[0];
        trace_encode_enter(&e, 0, &sig, 0);
        trace_encode_arg(&e, 0);
        trace_encode_blob(&e, blob, i % 2 == 0 ? sizeof blob : 100);
        trace_encode_end(&e);
        trace_encode_leave(&e, i);
        trace_encode_end(&e);
    }
    sample_file_pack(file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    trace_encoder_fini(&e);
    buf_fini(&stream);
    return sum;
}

static void test_release_elsewhere(void **state)
{
    (void)state;
    struct sample_file file;
    struct queue q = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    const struct trace_call *call;
    sample_file_open(&file);
    uint64_t expected = write_trace(&file);
    assert_int_equal(trace_reader_open(&q.reader, file.path), 0);
    assert_int_equal(pthread_create(&thread, NULL, release_calls, &q), 0);
    do {
        assert_int_equal(trace_reader_next_call(q.reader, &call), 0);
        pthread_mutex_lock(&q.lock);
        while (q.in - q.out == QUEUE)
            pthread_cond_wait(&q.changed, &q.lock);
        q.calls[q.in++ % QUEUE] = call;
        pthread_cond_broadcast(&q.changed);
        pthread_mutex_unlock(&q.lock);
    } while (call != NULL);
    pthread_join(thread, NULL);
    assert_int_equal(q.in, CALLS + 1);
    assert_true(q.sum == expected);
    trace_reader_close(q.reader);
    sample_file_close(&file);
}

/* Closing a reader in the middle stops its threads. */
static void test_close_early(void **state)
{
    (void)state;
    struct sample_file file;
    sample_file_open(&file);
    write_trace(&file);
    for (unsigned i = 0; i < 20; ++i) {
        struct trace_reader *reader;
        const struct trace_call *call;
        assert_int_equal(trace_reader_open(&reader, file.path), 0);
        for (unsigned k = 0; k < i * 100; ++k) {
            assert_int_equal(trace_reader_next_call(reader, &call), 0);
            trace_call_release(reader, call);
        }
        trace_reader_close(reader);
    }
    sample_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release_elsewhere),
        cmocka_unit_test(test_close_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
