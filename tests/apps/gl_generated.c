/* SPDX-License-Identifier: MIT
 * Makes code while it runs, which calls a function that calls glLineWidth(N), and tells perf its names by
 * /tmp/perf-PID.map, which stays. Prints "N: FUNCTION…" for each call, innermost first, as a regular
 * expression. Code without frame pointers, of which nobody can know who called it, is followed by nothing or
 * by what called it.
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOT_INLINE __attribute__((noinline, noclone))
#define KEEP()     __asm__ volatile("" ::: "memory") /* no call before it is a tail call */

enum { SIZE = 64 };

static FILE *map;

NOT_INLINE static void draw(float width)
{
    glLineWidth(width);
    KEEP();
}

/* Writes code that calls draw(), and returns its size. */
static size_t put_code(uint8_t *at, bool has_frame_pointer)
{
    static const uint8_t with[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8, 0,    0,    0,
                                   0,    0,    0,    0,    0,    0xff, 0xd0, 0x5d, 0xc3};
    static const uint8_t without[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0xb8, 0,    0,    0,    0,   0,
                                      0,    0,    0,    0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3};
    uint64_t function = (uintptr_t)draw;
    size_t size = has_frame_pointer ? sizeof with : sizeof without;
    memcpy(at, has_frame_pointer ? with : without, size);
    memcpy(at + 6, &function, sizeof function);
    return size;
}

NOT_INLINE static void run(const uint8_t *code, float width)
{
    void (*function)(float);
    *(const void **)&function = code;
    function(width);
    KEEP();
}

/* name: NULL: perf's map does not have the function. */
NOT_INLINE static void compile(uint8_t *at, bool has_frame_pointer, const char *name)
{
    size_t size = put_code(at, has_frame_pointer);
    if (name != NULL)
        fprintf(map, "%lx %zx %s\n", (unsigned long)(uintptr_t)at, size, name);
    fflush(map);
}

int main(void)
{
    struct app_glx app;
    char path[64];
#ifndef __x86_64__
    return 99;
#endif
    uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    map = fopen(path, "w");
    if (code == MAP_FAILED || map == NULL)
        return 99;
    app_glx_open(&app, 32, 32);
    compile(code, true, NULL);
    puts("1: draw (\\?|named_late) run main"); /* the collector may not have read the map yet */
    run(code, 1);
    compile(code + SIZE, true, "compiled first");
    puts("2: draw compiled_(first|again) run main");
    run(code + SIZE, 2);
    compile(code + SIZE, true, "compiled again"); /* in the place of other code */
    puts("3: draw compiled_again run main");
    run(code + SIZE, 3);
    compile(code, true, "named late");
    puts("4: draw named_late run main");
    run(code, 4);
    compile(code + 2 * SIZE, false, "frameless");
    puts("5: draw frameless");
    run(code + 2 * SIZE, 5);
    puts("6: draw compiled_again run main");
    run(code + SIZE, 6);
    fclose(map);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
