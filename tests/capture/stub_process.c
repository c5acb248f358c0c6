/* SPDX-License-Identifier: MIT */
#include "stub_process.h"

#include "process/capture_log.h"
#include "process/capture_process.h"
#include "formats/apitrace/container/container.h"

#include "cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct stub_process stub_process;
uint32_t stub_generation;

const volatile uint32_t *capture_generation = &stub_generation;
uint32_t capture_api_mask;
_Atomic unsigned capture_persistent_mappings;
_Thread_local capture_function thunk_real;

/* --- in place of capture_process.c ---------------------------------------------------------------------- */

struct ring_pool *capture_process_start(const struct capture_process_callbacks *callbacks)
{
    (void)callbacks;
    stub_process.starts++;
    if (stub_generation == 0)
        stub_generation = 1;
    return stub_process.not_recorded ? NULL : &stub_process.pool;
}

struct ring_pool *capture_process_rings(void)
{
    return stub_process.not_recorded ? NULL : &stub_process.pool;
}

bool capture_process_gave_up(void)
{
    return stub_process.gave_up;
}

void capture_process_count_lost(void)
{
    stub_process.lost++;
}

void capture_process_count_interrupting(void)
{
    capture_process_count_lost();
}

bool capture_process_wait(struct ring_producer *p)
{
    (void)p;
    stub_process.waits++;
    if (stub_process.on_wait != NULL)
        return stub_process.on_wait();
    stub_process_drain();
    return true;
}

void capture_process_offer_flush(void)
{
    stub_process.flush_offers++;
}

void capture_log(const char *format, ...)
{
    (void)format;
    stub_process.logs++;
}

/* --- in place of what follows GL ------------------------------------------------------------------------ */

void capture_persistent_writes(struct capture_thread *t)
{
    (void)t;
    stub_process.persistent_writes++;
}

_Atomic(capture_function) real_functions_known[SPEC_FUNCTION_COUNT];

capture_function real_function_look_up(uint32_t id)
{
    return capture_stubs[id];
}

void (*const capture_stubs[SPEC_FUNCTION_COUNT])(void);

struct gl_context *gl_context_get(void *handle)
{
    static struct gl_context none;
    none.handle = handle;
    none.sizes.unpack.alignment = none.sizes.pack.alignment = 4;
    return &none;
}

void gl_context_switch(struct gl_context *old, struct gl_context *c)
{
    stub_process.left_contexts += old != NULL;
    (void)c;
}

void gl_context_forget_parent(void)
{
}

static void run_before_or_after(struct capture_thread *t, const struct spec_function *f,
                                const union spec_arg *args, union spec_arg *ret)
{
    capture_hook hook = ret == NULL ? stub_process.before : stub_process.after;
    if (hook != NULL)
        hook(t, f, args, ret);
}

const capture_hook capture_hooks[] = {
    NULL,
#define WRAPPER_HOOK(name) run_before_or_after,
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK
};

/* --- for tests ------------------------------------------------------------------------------------------ */

static void end_context(void *context)
{
    gl_context_switch(context, NULL);
}

void stub_process_start(uint32_t rings, bool common)
{
    struct stub_process *p = &stub_process;
    memset(p, 0, sizeof *p);
    memset(&capture_self, 0, sizeof capture_self);
    stub_generation = 0;
    capture_api_mask = SPEC_API_GL | SPEC_API_GLX | SPEC_API_EGL | SPEC_API_C;
    capture_persistent_mappings = 0;
    assert_int_equal(segment_create_private(&p->segment, rings), 0);
    assert_int_equal(ring_pool_init(&p->pool, &p->segment, end_context), 0);
    if (common)
        ring_pool_reserve_common(&p->pool);
    assert_int_equal(record_encoder_init(&p->encoder), 0);
    assert_int_equal(record_merger_init(&p->merger, &p->segment, &p->encoder), 0);
    p->merger.mapped = &p->pool;
    record_encode_header(&p->encoder, "/a/program", "");
}

void stub_process_stop(void)
{
    struct stub_process *p = &stub_process;
    ring_producer_fini(&capture_self.ring);
    record_merger_fini(&p->merger);
    record_encoder_fini(&p->encoder);
    ring_pool_fini(&p->pool);
    segment_fini(&p->segment);
}

void stub_process_drain(void)
{
    size_t taken;
    do
        assert_int_equal(record_merger_drain(&stub_process.merger, SIZE_MAX, &taken), 0);
    while (taken > 0);
}

struct trace_reader *stub_process_open_trace(void)
{
    struct trace_reader *reader;
    struct trace_output *output;
    char path[40];
    int fd = memfd_create("calls.trace", MFD_CLOEXEC);
    const struct buf *out = &stub_process.encoder.out;
    stub_process_drain();
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, out->data, out->len), 0);
    assert_int_equal(trace_output_close(output), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    close(fd);
    return reader;
}

const char *stub_process_calls(void)
{
    static char calls[8192];
    const struct trace_call *call;
    struct trace_reader *reader = stub_process_open_trace();
    calls[0] = '\0';
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        assert_in_range(strlen(calls), 0, sizeof calls - 100);
        strcat(calls, call->sig->name);
        strcat(calls, (call->flags & TRACE_CALL_INCOMPLETE) != 0 ? "! "
                      : (call->flags & TRACE_CALL_FAKE) != 0     ? "* "
                                                                 : " ");
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    return calls;
}

void stub_process_call(uint32_t function, const union spec_arg *args, union spec_arg *ret)
{
    static const uintptr_t code[2]; /* no return address of the program's */
    struct capture_call c;
    union spec_arg none = {.u = 0};
    capture_enter(&c, function, args, code + 1);
    capture_leave(&c, args, ret != NULL ? ret : &none);
}
