/* SPDX-License-Identifier: MIT
 * The row of the format in the registry.
 */
#include "formats/perfetto/perfetto.h"

#include <string.h>

/* The first packet that we write: its tag, its length in four bytes, its sequence and the flag that the state
 * begins. It could be Brotli, too, as almost anything. */
static const char *likeness(const struct trace_probe *probe)
{
    static const uint8_t beginning[] = {10 << 3, 1, 13 << 3, 1};
    const uint8_t *p = probe->head;
    return probe->head_count >= 5 + sizeof beginning && p[0] == 0x0a && p[4] < 0x80 &&
                   (p[1] & p[2] & p[3] & 0x80) != 0 && memcmp(p + 5, beginning, sizeof beginning) == 0
               ? "a trace of Perfetto, which is only written here"
               : NULL;
}

extern const struct trace_format trace_format_perfetto;

const struct trace_format trace_format_perfetto = {
    .name = "perfetto",
    .summary = "Perfetto's protobuf: calls with typed arguments and backtraces on tracks of threads",
    .likeness = likeness,
    .create = perfetto_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
    .is_export = true,
};
