/* SPDX-License-Identifier: MIT */
#include "capture/capture.h"

#include "capture/call_nesting.h"
#include "capture/call_stacks.h"
#include "capture/capture_hooks.h"
#include "capture/record_writer.h"
#include "capture/scalar_record.h"
#include "lookup/real_functions.h"
#include "lookup/thunks.h"
#include "memory/program_memory.h"
#include "process/capture_process.h"
#include "records/record.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define NOINLINE    __attribute__((noinline))

static bool is_started(const struct capture_thread *t)
{
    uint32_t generation = *capture_generation & ~CAPTURE_WANTS_STACKS;
    return generation != 0 && generation == t->generation;
}

static void start(struct capture_thread *t)
{
    capture_thread_start(t);
    if ((*capture_generation & CAPTURE_WANTS_STACKS) != 0)
        call_stacks_reserve();
}

/* Returns true if the thread has got a ring of its own, or can borrow the shared one. */
static bool find_ring(struct capture_thread *t, const struct spec_function *f)
{
    bool found = capture_thread_retry(t);
    if (t->ring.control != NULL)
        call_stacks_record_waiting(t, f);
    return found;
}

/* *left_out: the call is not wanted, so that it gets no records. */
static bool is_recording(struct capture_thread *t, const struct spec_function *f, const void *frame,
                         bool *left_out)
{
    if (unlikely(!is_started(t)))
        start(t);
    if ((f->api & capture_api_mask) == 0)
        return false;
    *left_out = capture_leaves_out(t, f);
    t->waiting_frame = NULL;
    if (unlikely((*capture_generation & CAPTURE_WANTS_STACKS) != 0) && !*left_out)
        call_stacks_record(t, f, frame);
    return t->ring.control != NULL || find_ring(t, f);
}

/* Undoes what a call began that was left by longjmp(). */
static void give_up_call(struct capture_thread *t)
{
    t->omit = false;
    t->complete = NULL;
    t->missed = NULL;
    t->missed_arrays = 0;
    t->again_arrays = 0;
    if (t->in_body && is_started(t) && t->ring.control != NULL)
        ring_announce_thread(&t->ring, RECORD_SWITCH, t->number, capture_process_wait);
    t->in_body = false;
}

/* Functions for which writing a record is all that has to be done. */
#define QUICK (SPEC_FUNCTION_PLAIN | SPEC_FUNCTION_ONE_ARRAY)

/* The call has no records. A call without hooks is then as one that is not recorded at all, but for its place
 * on the stack. */
static void leave_out(struct capture_call *c, struct capture_thread *t)
{
    const struct spec_function *f = c->function;
    bool hooked = (f->flags & QUICK) == 0 && (f->before != 0 || f->after != 0);
    t->left_out = hooked ? NULL : c;
    c->thread = hooked ? t : NULL;
}

/* The slow path of capture_enter(), for any call in any state. */
static void enter(struct capture_call *c, struct capture_thread *t, const union spec_arg *args,
                  const void *frame)
{
    const struct spec_function *f = c->function;
    if (unlikely(t->outermost != NULL)) {
        if (call_is_within(t, t->outermost, frame)) {
            if (is_started(t) && (f->api & capture_api_mask) != 0 && !capture_leaves_out(t, f) &&
                call_is_interrupting(t->outermost, frame))
                capture_process_count_interrupting();
            return;
        }
        give_up_call(t);
    }
    t->outermost = c;
    t->left_out = NULL;
    c->left_out = false;
    if (!is_recording(t, f, frame, &c->left_out))
        return;
    if ((f->flags & SPEC_FUNCTION_READS_BUFFERS) != 0 &&
        unlikely(atomic_load_explicit(&capture_persistent_mappings, memory_order_relaxed) != 0))
        capture_persistent_writes(t);
    if (f->before != 0) {
        capture_hooks[f->before](t, f, args, NULL);
        if (unlikely(t->omit))
            return;
    }
    if (unlikely(c->left_out)) {
        leave_out(c, t);
        return;
    }
    record_write_enter(t, f, args, 0, NULL);
    c->thread = t;
}

/* Never returns NULL: a missing function is replaced by one that returns 0. */
static inline capture_function find_real(uint32_t id)
{
    capture_function real = thunk_real;
    if (unlikely(real != NULL)) {
        thunk_real = NULL;
        return real;
    }
    return real_function_find(id);
}

/* The same for any function. */
NOINLINE static capture_function enter_any(struct capture_call *c, struct capture_thread *t,
                                           const union spec_arg *args, const void *frame)
{
    enter(c, t, args, frame);
    return find_real(c->function->id);
}

static bool is_quick(const struct capture_thread *t, const struct spec_function *f)
{
    return (f->flags & QUICK) != 0 && (f->api & capture_api_mask) != 0 &&
           t->generation == *capture_generation && t->ring.control != NULL;
}

/* As capture_enter(), for the function of c and any state of the thread and the ring. */
NOINLINE static capture_function enter_with_care(struct capture_call *c, struct capture_thread *t,
                                                 const union spec_arg *args, const void *frame)
{
    const struct spec_function *f = c->function;
    if (unlikely(t->outermost != NULL || !is_quick(t, f)))
        return enter_any(c, t, args, frame);
    t->outermost = c;
    atomic_signal_fence(memory_order_seq_cst); /* or a handler's calls would write into this record */
    if (call_filter_leaves_out(&t->ring.segment->filter, f)) {
        t->left_out = c;
        return find_real(f->id);
    }
    if ((f->flags & SPEC_FUNCTION_PLAIN) != 0) {
        record_put_words(&t->ring, f, args, f->param_count, RECORD_ENTER, 0, 0);
    } else if (unlikely(!record_put_array(t, f, args))) {
        t->outermost = NULL;
        return enter_any(c, t, args, frame);
    }
    c->thread = t;
    return find_real(f->id);
}

/* Most calls need no more than what is here and in capture_leave(). Nothing is called for them, so that there
 * is hardly a register to save. */
capture_function capture_enter(struct capture_call *c, uint32_t id, const union spec_arg *args,
                               const void *frame)
{
    struct capture_thread *t = &capture_self;
    const struct spec_function *f = &spec_functions[id];
    const uint32_t size = record_words_size(f->param_count);
    c->function = f;
    c->thread = NULL;
    if ((f->flags & QUICK) == 0)
        return enter_any(c, t, args, frame);
    if (unlikely(t->outermost != NULL || (f->flags & SPEC_FUNCTION_PLAIN) == 0 || !is_quick(t, f) ||
                 t->ring.clock == CAPTURE_CLOCK_MONOTONIC))
        return enter_with_care(c, t, args, frame);
    t->outermost = c;
    atomic_signal_fence(memory_order_seq_cst); /* or a handler's calls would write into this record */
    if (call_filter_leaves_out(&t->ring.segment->filter, f)) {
        t->left_out = c;
        return find_real(f->id);
    }
    uint64_t time = capture_clock_read_inline(t->ring.clock);
    if (unlikely(!ring_is_easy(&t->ring, size) || record_is_far(t->ring.full_time, time))) {
        t->outermost = NULL;
        return enter_with_care(c, t, args, frame);
    }
    record_put_easily(&t->ring, f, args, size, RECORD_ENTER, time);
    atomic_signal_fence(memory_order_seq_cst);
    c->thread = t;
    return find_real(f->id);
}

static void complete_call(struct capture_thread *t)
{
    void (*complete)(struct capture_thread *) = t->complete;
    t->complete = NULL;
    complete(t);
}

/* Ends a call that is not recorded itself. Fake calls may replace it. */
static void leave_omitted(struct capture_thread *t)
{
    t->omit = false;
    t->missed = NULL;
    t->missed_arrays = 0;
    if (t->complete != NULL)
        complete_call(t);
}

/* Some programs make memory readable only when it is first read, in a handler of SIGSEGV. Only GL may trigger
 * that, because nobody else knows whether the handler can cope. So such memory is recorded after the real
 * call. Fake calls are recorded before the call's leave. */
static void look_again(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args)
{
    t->again_arrays = t->missed_arrays;
    if (t->again_arrays != 0 && f->before != 0)
        capture_hooks[f->before](t, f, args, NULL);
    t->again_arrays = 0;
    t->missed_arrays = 0;
    t->missed = NULL;
}

static bool is_left_out(const struct capture_call *c)
{
    return (c->function->flags & QUICK) == 0 && c->left_out;
}

/* Frames are counted on both sides. */
static void write_end_of_frame(struct capture_thread *t, const struct spec_function *f,
                               const union spec_arg *args, const union spec_arg *ret, uint8_t flags,
                               uint64_t time)
{
    struct segment_control *s = capture_thread_segment();
    if (s != NULL)
        call_filter_end_frame(&s->filter);
    record_write_leave(t, f, args, ret, flags, time);
    if (s != NULL)
        call_filter_begin_frame(&s->filter);
}

static void leave(struct capture_call *c, struct capture_thread *t, const union spec_arg *args,
                  union spec_arg *ret, uint64_t time)
{
    const struct spec_function *f = c->function;
    if (f->after != 0)
        capture_hooks[f->after](t, f, args, ret);
    bool missed = unlikely(t->missed == c);
    if (missed)
        look_again(t, f, args);
    if ((f->flags & SPEC_FUNCTION_END_FRAME) != 0)
        write_end_of_frame(t, f, args, ret, missed ? RECORD_INPUTS : 0, time);
    else if (!is_left_out(c))
        record_write_leave(t, f, args, ret, missed ? RECORD_INPUTS : 0, time);
    if (unlikely(t->complete != NULL))
        complete_call(t);
    if ((f->flags & SPEC_FUNCTION_END_FRAME) != 0)
        program_memory_forget(); /* programs often unmap memory between frames */
    if ((f->flags & (SPEC_FUNCTION_END_FRAME | SPEC_FUNCTION_READS_BUFFERS)) != 0)
        capture_process_offer_flush();
}

/* Calls of signal handlers are within the recorder from here on. Any before cleared outermost. */
static inline void return_to_recorder(struct capture_call *c, struct capture_thread *t)
{
    c->thread = NULL;
    atomic_signal_fence(memory_order_seq_cst);
    t->outermost = c; /* may differ if a coroutine has made a call in between */
    atomic_signal_fence(memory_order_seq_cst);
}

NOINLINE static void leave_recorded(struct capture_call *c, struct capture_thread *t,
                                    const union spec_arg *args, union spec_arg *ret, uint64_t time)
{
    const struct spec_function *f = c->function;
    if (likely((f->flags & QUICK) != 0 && t->missed != c && t->ring.control != NULL))
        record_put_words(&t->ring, f, ret, record_result_words(f), RECORD_LEAVE, 0, time);
    else
        leave(c, t, args, ret, time);
    if (capture_self.outermost == c)
        capture_self.outermost = NULL;
}

NOINLINE static void leave_unrecorded(struct capture_call *c)
{
    if (unlikely(capture_self.omit) && capture_self.outermost == c)
        leave_omitted(&capture_self);
    else if (capture_self.left_out == c)
        capture_self.left_out = NULL;
    if (capture_self.outermost == c)
        capture_self.outermost = NULL;
}

/* As capture_leave(), for any call that is recorded. */
NOINLINE static void leave_with_care(struct capture_call *c, const union spec_arg *args, union spec_arg *ret)
{
    struct capture_thread *t = c->thread;
    uint64_t time = capture_clock_read(t->ring.clock);
    return_to_recorder(c, t);
    leave_recorded(c, t, args, ret, time);
}

void capture_leave(struct capture_call *c, const union spec_arg *args, union spec_arg *ret)
{
    struct capture_thread *t = c->thread;
    if (unlikely(t == NULL)) {
        leave_unrecorded(c);
        return;
    }
    if (unlikely(ret != NULL || t->ring.clock == CAPTURE_CLOCK_MONOTONIC)) {
        leave_with_care(c, args, ret);
        return;
    }
    uint64_t time = capture_clock_read_inline(t->ring.clock);
    return_to_recorder(c, t);
    if (unlikely((c->function->flags & QUICK) == 0 || t->missed == c ||
                 !ring_is_easy(&t->ring, record_words_size(0)) || record_is_far(t->ring.full_time, time))) {
        leave_recorded(c, t, args, ret, time);
        return;
    }
    record_put_easily(&t->ring, c->function, NULL, record_words_size(0), RECORD_LEAVE, time);
    atomic_signal_fence(memory_order_seq_cst);
    t->outermost = NULL;
}
