/* SPDX-License-Identifier: MIT
 * The instrumentation map of a program that was built with clang's -fxray-instrument: where its sleds are,
 * and which functions they belong to. Logs only have the numbers of functions.
 */
#ifndef SYMBOLS_XRAY_MAP_H
#define SYMBOLS_XRAY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum xray_sled_kind {
    XRAY_SLED_ENTER,
    XRAY_SLED_EXIT,
    XRAY_SLED_TAIL_EXIT,
    XRAY_SLED_ENTER_ARGS,
    XRAY_SLED_CUSTOM_EVENT,
    XRAY_SLED_TYPED_EVENT,
};

struct xray_sled {
    uint64_t address; /* in the file's own address space; likewise the function's */
    uint64_t function;
    uint32_t number; /* of the function, from 1 */
    uint8_t kind;    /* enum xray_sled_kind, or one that is not known */
    uint8_t version;
    bool always;
};

struct xray_map {
    struct xray_sled *sleds;
    size_t sled_count;
    uint64_t *functions; /* addresses, by number - 1 */
    size_t function_count;
};

/* Reads the map of the ELF file at path. The caller owns *out and frees it with xray_map_fini(). Errors:
 * TRACE_ERR_IO, TRACE_ERR_FORMAT (not an ELF file, damaged, or without a map), TRACE_ERR_MEMORY. */
int xray_map_read(struct xray_map *out, const char *path);
void xray_map_fini(struct xray_map *map);

#endif
