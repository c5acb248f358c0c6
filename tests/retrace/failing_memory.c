/* SPDX-License-Identifier: MIT */
#include "failing_memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

static struct {
    bool counts;
    unsigned nth, allocations;
    void *blocks[MOST];
    size_t count;
} memory;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

static bool fails(void)
{
    return memory.counts && ++memory.allocations == memory.nth;
}

static void *added(void *block)
{
    if (memory.counts && block != NULL && memory.count < MOST)
        memory.blocks[memory.count++] = block;
    return block;
}

static void removed(const void *block)
{
    for (size_t i = memory.count; i-- > 0;) {
        if (memory.blocks[i] == block) {
            memory.blocks[i] = memory.blocks[--memory.count];
            return;
        }
    }
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : added(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : added(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    removed(block);
    return added(__real_realloc(block, size));
}

void __wrap_free(void *block)
{
    removed(block);
    __real_free(block);
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

char *__wrap_strndup(const char *text, size_t length)
{
    size_t n = strnlen(text, length);
    char *copy = __wrap_malloc(n + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

void failing_memory_begin(unsigned nth)
{
    memory.counts = true;
    memory.nth = nth;
    memory.allocations = 0;
    memory.count = 0;
}

size_t failing_memory_end(bool *has_failed)
{
    memory.counts = false;
    if (has_failed != NULL)
        *has_failed = memory.allocations >= memory.nth;
    return memory.count;
}
