/* SPDX-License-Identifier: MIT
 * The file that a traced process and trace-cli share: what the process records with XRay. The process has it
 * in its memory, so that what is recorded stays, however the process ends. It is locked (flock) as long as
 * the process lives.
 *
 * The file is a header and chunks, which have the same size. Each chunk belongs to one thread, and holds
 * records of a flight data recorder log of version 5.
 */
#ifndef XRAY_XRAY_STORE_H
#define XRAY_XRAY_STORE_H

#include <stdatomic.h>
#include <stdint.h>

/* In the environment of the traced program: "CLOCK THRESHOLD DIRECTORY". The clock is an enum capture_clock.
 * Calls that took fewer ticks than the threshold and contain no others are left out. The files, NAME.0,
 * NAME.1 and so on, are created in the directory. */
#define XRAY_STORE_ENVIRONMENT "TRACE_CLI_XRAY"
#define XRAY_STORE_NAME        "process"

#define XRAY_STORE_MAGIC 0x79617278u
#define XRAY_CHUNK_SIZE  32768u
#define XRAY_CHUNK_HEAD  96u /* bytes that the log's buffer begins with, at most */
#define XRAY_CHUNK_ROOM  (XRAY_CHUNK_SIZE - XRAY_CHUNK_HEAD) /* for records */

/* A chunk's state: how many bytes of records it has, and above that the low bits of the time of the last one.
 * Both are changed in one step, because a signal handler may record while its thread is recording. */
#define XRAY_USED_BITS  15
#define XRAY_USED_MASK  ((1u << XRAY_USED_BITS) - 1)
#define XRAY_TICKS_BITS (64 - XRAY_USED_BITS)

enum xray_store_state {
    XRAY_STORE_STARTING = 1,
    XRAY_STORE_RECORDING,
    XRAY_STORE_FULL,     /* there was no room on the disk for more */
    XRAY_STORE_STOPPED,  /* the program has forbidden itself to read clocks */
    XRAY_STORE_STRIPPED, /* the functions of XRay's runtime were not found */
    XRAY_STORE_REFUSED,  /* the runtime did not patch the program */
};

struct xray_store {
    uint32_t magic;
    _Atomic uint32_t state;  /* enum xray_store_state */
    _Atomic uint64_t chunks; /* that threads have taken, or tried to */
    int32_t process;
    char program[256]; /* the name of the process's file */
};

struct xray_chunk {
    _Atomic uint64_t state;
    uint64_t ticks; /* when the thread took it */
    int32_t thread;
    uint16_t processor;
    uint8_t reserved[10];
    uint8_t records[XRAY_CHUNK_ROOM];
    /* The chunk is not smaller than the log's buffer, so that the log fits where the store was. */
    uint8_t spare[XRAY_CHUNK_HEAD - 32];
};

_Static_assert(sizeof(struct xray_chunk) == XRAY_CHUNK_SIZE, "the size of a chunk");
_Static_assert(sizeof(struct xray_store) <= XRAY_CHUNK_SIZE, "the header takes the place of a chunk");

#endif
