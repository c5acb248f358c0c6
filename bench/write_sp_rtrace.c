/* SPDX-License-Identifier: MIT
 * Writes a log of sp-rtrace (docs/sp-rtrace-format.md) for the benchmark: write_sp_rtrace FILE EVENTS. Half
 * of the events are allocations with a backtrace of 10 frames, the others release one of them, without a
 * backtrace.
 */
#include "base/little_endian.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES     10
#define STACKS     500   /* number of different backtraces */
#define LIVE       20000 /* highest number of allocations at a time */
#define PACKET_MAX 256

/* A packet: its type, the length of its data, and the data. */
struct packet {
    uint8_t bytes[PACKET_MAX];
    size_t size;
};

static uint64_t stacks[STACKS][FRAMES];

/* Returns the same numbers on every machine. */
static uint32_t next_random(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static void begin(struct packet *p, const char *type)
{
    memcpy(p->bytes, type, 4);
    p->size = 8;
}

static void add32(struct packet *p, uint32_t value)
{
    put_u32(p->bytes + p->size, value);
    p->size += 4;
}

static void add64(struct packet *p, uint64_t value)
{
    put_u64(p->bytes + p->size, value);
    p->size += 8;
}

/* Adds the length in two bytes, then the text, and zeros up to a multiple of four. */
static void add_string(struct packet *p, const char *text)
{
    size_t length = strlen(text), padded = (2 + length + 3) / 4 * 4;
    memset(p->bytes + p->size, 0, padded);
    p->bytes[p->size] = (uint8_t)(padded - 2);
    memcpy(p->bytes + p->size + 2, text, length);
    p->size += padded;
}

static void write_packet(struct packet *p, FILE *out)
{
    put_u32(p->bytes + 4, (uint32_t)(p->size - 8));
    fwrite(p->bytes, 1, p->size, out);
}

static void write_head(FILE *out)
{
    static const uint8_t handshake[] = {0xf0, 0x0e, 2, 0, 6, 'x', '8', '6', '_', '6', '4', 0, 8, 0, 0, 0};
    struct packet p;
    fwrite(handshake, 1, sizeof handshake, out);
    begin(&p, "PINF");
    add32(&p, 1);          /* process */
    add32(&p, 1700000000); /* seconds */
    add32(&p, 0);          /* microseconds */
    add32(&p, FRAMES);
    add_string(&p, "./prog");
    write_packet(&p, out);
    begin(&p, "MINF");
    add32(&p, 0);
    add32(&p, 0x10000);
    add_string(&p, "main");
    write_packet(&p, out);
    begin(&p, "RESR");
    add32(&p, 1);
    add32(&p, 0);
    add_string(&p, "memory");
    add_string(&p, "memory allocation in bytes");
    write_packet(&p, out);
    begin(&p, "MMAP");
    add64(&p, 0x400000);
    add64(&p, 0x500000);
    add_string(&p, "/bin/prog");
    write_packet(&p, out);
}

static void write_call(FILE *out, uint64_t n, bool is_free, uint64_t address)
{
    struct packet call, stack;
    begin(&call, "CALL");
    add32(&call, 1);
    add32(&call, 0);
    add32(&call, (uint32_t)(1000 + n / 100));
    add32(&call, is_free ? 1 : 2);
    add_string(&call, is_free ? "free" : "malloc");
    add32(&call, is_free ? 0 : 1 + next_random() % 5000);
    add64(&call, address);
    write_packet(&call, out);
    begin(&stack, "BTRC");
    add32(&stack, is_free ? 0 : FRAMES);
    const uint64_t *frames = stacks[next_random() % STACKS];
    for (unsigned i = 0; i < FRAMES && !is_free; ++i)
        add64(&stack, frames[i]);
    write_packet(&stack, out);
}

static void write_calls(FILE *out, uint64_t count)
{
    static uint64_t live[LIVE];
    size_t live_count = 0;
    for (uint64_t n = 0; n < count; ++n) {
        bool is_free = live_count == LIVE || (live_count > 0 && next_random() % 1000 < 499);
        size_t which = is_free ? next_random() % live_count : live_count++;
        uint64_t address = is_free ? live[which] : UINT64_C(0x7f0000000000) + n * 64;
        live[which] = is_free ? live[--live_count] : address;
        write_call(out, n, is_free, address);
    }
}

int main(int argc, char **argv)
{
    FILE *out = argc == 3 ? fopen(argv[1], "wb") : NULL;
    if (out == NULL) {
        fprintf(stderr, "usage: write_sp_rtrace FILE EVENTS\n");
        return 1;
    }
    for (unsigned i = 0; i < STACKS * FRAMES; ++i)
        stacks[i / FRAMES][i % FRAMES] = 0x400000 + next_random() % 0x100000;
    write_head(out);
    write_calls(out, strtoull(argv[2], NULL, 10));
    return fclose(out) == 0 ? 0 : 1;
}
