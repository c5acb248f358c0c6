/* SPDX-License-Identifier: MIT
 * A program with its own malloc(), which names its memory with prctl() while it holds its lock, as the
 * allocators of browsers do. No memory may be allocated during that call.
 *
 * expect: glClear\(
 * count: 2 glXSwapBuffers\(
 */
#include "app_glx.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define HEAP_SIZE ((size_t)512 << 20)
#define PR_NAME   0x53564d41 /* PR_SET_VMA */

/* Not recursive: a second malloc() of the thread that holds it never returns. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) char heap[HEAP_SIZE];
static size_t used;

/* Replaces the C library's functions for all libraries. */
#pragma GCC visibility push(default)

/* The size is stored before the memory. Memory is never freed. */
void *malloc(size_t size)
{
    pthread_mutex_lock(&lock);
    prctl(PR_NAME, 0, heap + used, size, "own heap");
    size_t *memory = (size_t *)(void *)(heap + used + 64);
    used += (size + 127) & ~(size_t)63;
    pthread_mutex_unlock(&lock);
    if (used > HEAP_SIZE)
        return NULL;
    memory[-1] = size;
    return memory;
}

void free(void *memory)
{
    pthread_mutex_lock(&lock);
    prctl(PR_NAME, 0, memory, 64, "freed");
    pthread_mutex_unlock(&lock);
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size); /* new memory is zero */
}

void *realloc(void *memory, size_t size)
{
    void *larger = malloc(size);
    if (memory != NULL && larger != NULL) {
        size_t old = ((size_t *)memory)[-1];
        memcpy(larger, memory, old < size ? old : size);
    }
    return larger;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    char *memory = malloc(size + alignment);
    if (memory == NULL)
        return NULL;
    size_t *aligned = (size_t *)(void *)(memory + (alignment - (uintptr_t)memory % alignment) % alignment);
    aligned[-1] = size;
    return aligned;
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = aligned_alloc(alignment, size);
    return 0;
}

#pragma GCC visibility pop

int main(void)
{
    struct app_glx app;
    /* The next symbol lookup frees this message. */
    if (dlopen("no-such-library.so", RTLD_NOW) != NULL || dlerror() == NULL)
        return 1;
    void *volatile something = malloc(1);
    free(something);
    app_glx_open(&app, 32, 32);
    for (int frame = 0; frame < 2; ++frame) {
        glClearColor(0.5f, 0, (float)frame, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    puts("done");
    return 0;
}
