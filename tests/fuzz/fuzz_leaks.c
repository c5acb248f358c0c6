/* SPDX-License-Identifier: MIT
 * Follows the objects of whatever calls are found in an event stream, as `trace-cli leaks` does.
 */
#include "fuzz_target.h"
#include "fuzz_trace_file.h"

#include "leaks/leak_report.h"
#include "formats/apitrace/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int follow_calls(struct leak_tracker *t, struct trace_reader *reader)
{
    const struct trace_call *call;
    int rc = 0;
    while (rc == 0 && trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        rc = leak_tracker_add_call(t, call);
        trace_call_release(reader, call);
    }
    return rc == 0 ? leak_tracker_end(t) : rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct leak_tracker *t = malloc(sizeof *t);
    struct trace_reader *reader;
    char path[40];
    int fd = fuzz_trace_file(bytes, count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (t == NULL)
        abort();
    int rc = leak_tracker_init(t, count % 2 == 0);
    if (rc == 0 && trace_reader_open(&reader, path) == 0) {
        struct leak_report report = {.tracker = t, .path = path, .until = LEAK_AT_END};
        rc = follow_calls(t, reader);
        if (rc == 0 && leak_report_init(&report) == 0)
            leak_report_fini(&report);
        trace_reader_close(reader);
    }
    leak_tracker_fini(t);
    free(t);
    close(fd);
    return 0;
}
