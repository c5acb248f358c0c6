/* SPDX-License-Identifier: MIT
 * Reads any bytes as metadata of CTF, and compiles what they declare.
 */
#include "fuzz_target.h"

#include "base/error.h"
#include "formats/ctf/decode/ctf_layout.h"
#include "formats/ctf/metadata/ctf_metadata.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ctf_trace trace;
    struct ctf_layout layout = {.trace = NULL};
    trace_error_set(0, "%s", "");
    ctf_trace_init(&trace);
    int rc = ctf_metadata_parse(&trace, "metadata", data, size);
    if (rc == 0)
        rc = ctf_layout_init(&layout, &trace);
    if (rc != 0 && strlen(trace_error_message()) == 0)
        abort(); /* an error without a cause */
    ctf_layout_fini(&layout);
    ctf_trace_fini(&trace);
    return 0;
}
