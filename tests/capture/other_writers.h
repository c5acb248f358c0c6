/* SPDX-License-Identifier: MIT
 * Those who write to memory without the thread that looks at it.
 */
#ifndef TESTS_OTHER_WRITERS_H
#define TESTS_OTHER_WRITERS_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "next_random.h"

struct other_thread {
    void (*write)(unsigned count);
    unsigned count;
};

static inline void *run_other_thread(void *argument)
{
    const struct other_thread *t = argument;
    t->write(t->count);
    return NULL;
}

/* Calls write(count) in another thread, and waits for its end. */
static inline void write_in_other_thread(void (*write)(unsigned), unsigned count)
{
    pthread_t thread;
    struct other_thread argument = {write, count};
    assert_int_equal(pthread_create(&thread, NULL, run_other_thread, &argument), 0);
    pthread_join(thread, NULL);
}

/* The kernel writes one to eight random bytes to *to. */
static inline void write_by_system_call(uint8_t *to, size_t size)
{
    int fds[2];
    uint64_t bytes = next_random();
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], &bytes, size), (int)size);
    assert_int_equal(read(fds[0], to, size), (int)size);
    close(fds[0]);
    close(fds[1]);
}

#endif
