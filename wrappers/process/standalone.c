/* SPDX-License-Identifier: MIT */
#include "process/standalone.h"

#include "memory/own_stack.h"
#include "process/capture_log.h"
#include "process/connection.h"
#include "process/own_file.h"
#include "process/process_description.h"
#include "process/setting.h"
#include "process/trace_file_name.h"
#include "records/record_merger.h"

#include "base/clock.h"
#include "base/error.h"
#include "formats/apitrace/container/snappy_compress.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#define CHUNK_SIZE        ((size_t)1 << 20) /* bytes of the event stream in a Snappy chunk */
#define FLUSH_INTERVAL_MS 250
#define BATCH             ((size_t)1 << 20)
#define GAP_MS            1000 /* the same as in the collector */

static struct {
    pthread_mutex_t lock;
    struct record_encoder encoder;
    struct record_merger merger;
    struct own_file out;
    bool failed;
    int64_t last_flush; /* milliseconds */
    int64_t idle_since; /* in milliseconds; 0: there were records at the last look */
    uint8_t *compressed;
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .out = {.fd = -1}};

static int write_chunk(const uint8_t *events, size_t size)
{
    size_t n = trace_snappy_compress(events, size, file.compressed + 4);
    for (unsigned i = 0; i < 4; ++i)
        file.compressed[i] = (uint8_t)(n >> (8 * i));
    return own_file_write(&file.out, file.compressed, n + 4);
}

/* Writes complete chunks; if `all` is set, also the last, shorter one. */
static int write_chunks(bool all)
{
    size_t at = 0;
    struct buf *out = &file.encoder.out;
    int rc = 0;
    while (rc == 0 && (out->len - at >= CHUNK_SIZE || (all && out->len > at))) {
        size_t size = out->len - at < CHUNK_SIZE ? out->len - at : CHUNK_SIZE;
        rc = write_chunk(out->data + at, size);
        at += size;
    }
    buf_consume(out, at);
    return rc;
}

/* Returns true if the record that the merger waits for will not come. */
static bool waits_in_vain(bool last)
{
    int64_t now = clock_milliseconds();
    if (file.idle_since == 0)
        file.idle_since = now;
    return last || now - file.idle_since >= GAP_MS;
}

/* last: no more records will follow. */
static int drain_all(bool last)
{
    for (;;) {
        size_t taken;
        int rc = record_merger_drain(&file.merger, BATCH, &taken);
        if (rc == 0)
            rc = write_chunks(false);
        if (rc != 0)
            return rc;
        if (taken > 0)
            file.idle_since = 0;
        else if (!(waits_in_vain(last) && record_merger_skip_gap(&file.merger)) &&
                 !(last && record_merger_cut_large(&file.merger)))
            return 0;
    }
}

static int open_file(struct segment *segment, const struct ring_pool *pool)
{
    struct connection_hello hello;
    char name[PATH_MAX];
    process_describe(&hello, "/proc/self");
    const char *wanted = setting_get("TRACE_FILE");
    /* An existing file may be that of this process before its exec, or of its parent, so it is kept. */
    int fd = trace_file_create(name, sizeof name, wanted, false, hello.text, NULL);
    if (fd < 0)
        return fd;
    own_file_init(&file.out, fd, name);
    int rc = own_file_write(&file.out, (const uint8_t *)"at", 2);
    if (rc == 0)
        rc = record_encoder_init(&file.encoder);
    if (rc == 0)
        rc = record_merger_init(&file.merger, segment, &file.encoder);
    file.merger.mapped = pool;
    if (rc == 0)
        record_encode_header(&file.encoder, hello.text, hello.text + strlen(hello.text) + 1);
    return rc;
}

int standalone_open(struct segment *segment, const struct ring_pool *pool)
{
    file.failed = false;
    file.compressed = malloc(trace_snappy_bound(CHUNK_SIZE) + 4);
    int rc = file.compressed != NULL ? open_file(segment, pool)
                                     : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0)
        standalone_forget();
    return rc;
}

/* Another thread of the parent may have been using this state when the child was forked. So nothing of it is
 * used or freed. */
void standalone_forget(void)
{
    pthread_mutex_init(&file.lock, NULL);
    own_file_close(&file.out);
    file.merger = (struct record_merger){.segment = NULL};
    file.encoder = (struct record_encoder){.next_call = 0};
    file.compressed = NULL;
}

struct flush {
    bool last, good;
};

static void flush_all(void *argument)
{
    struct flush *flush = argument;
    pthread_mutex_lock(&file.lock);
    if (!file.failed) {
        int rc = drain_all(flush->last);
        if (rc == 0)
            rc = write_chunks(true);
        if (rc != 0) {
            file.failed = true;
            capture_log("recording ends: %s", trace_error_message());
        }
        file.last_flush = clock_milliseconds();
    }
    flush->good = !file.failed;
    pthread_mutex_unlock(&file.lock);
}

bool standalone_flush(bool last)
{
    struct flush flush = {.last = last};
    run_on_own_stack(flush_all, &flush);
    sched_yield(); /* another thread may be about to publish the next record */
    return flush.good;
}

void standalone_offer_flush(void)
{
    if (clock_milliseconds() - file.last_flush >= FLUSH_INTERVAL_MS)
        standalone_flush(false);
}
