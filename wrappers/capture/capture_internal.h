/* SPDX-License-Identifier: MIT
 * For the wrapper's own files: recording calls that the program did not make, hooks, and real functions by
 * id.
 */
#ifndef CAPTURE_CAPTURE_INTERNAL_H
#define CAPTURE_CAPTURE_INTERNAL_H

#include "capture/capture.h"
#include "capture/capture_thread.h"

#include "spec_ids.h"

#include <stdatomic.h>

/* A hook: hand-written code around a generated stub, named by a `before =` or `after =` rule. ret is NULL in
 * a before hook and for void functions. Hooks call real functions only, never stubs. */
typedef void (*capture_hook)(struct capture_thread *t, const struct spec_function *f,
                             const union spec_arg *args, union spec_arg *ret);

/* By the hook numbers of struct spec_function. Entry 0 is NULL. */
extern const capture_hook capture_hooks[];

/* Records a call that the program did not make (RECORD_FAKE), entered and left; ret is the value it would
 * have. */
void capture_fake_call(struct capture_thread *t, uint32_t id, const union spec_arg *args);

/* One of its pointer arguments, recorded as count elements (bytes of a blob) at memory whatever the length
 * rule. */
struct capture_override {
    unsigned parameter;
    const void *memory;
    int64_t count;
};
void capture_fake_call_with(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                            const struct capture_override *memory);

/* Appends an ENTER or LEAVE record. time: when the call was over, in ticks of the ring's clock. */
void record_write_enter(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        uint8_t flags, const struct capture_override *memory);
void record_write_leave(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        const union spec_arg *ret, uint8_t flags, uint64_t time);

/* Persistent mappings that exist; while there are any, calls that may read buffers are preceded by this. */
extern _Atomic unsigned capture_persistent_mappings;
void capture_persistent_writes(struct capture_thread *t);

/* glNotifyMappedBufferRangeVMWX(): the program has written size bytes at start. Of mappings that it promised
 * (GL_MAP_NOTIFY_EXPLICIT_BIT_VMWX) to tell so about, that is all that is recorded before they end. */
void capture_notified_write(struct capture_thread *t, const void *start, uint64_t size);

/* A share group (gl_context.h) has ended and its buffers with it; 0: none has. */
void capture_mappings_forget_group(uint32_t group);

/* In a forked child: its trace has none of the parent's mappings, and a thread of the parent may have held
 * the lock. */
void capture_mappings_forget_parent(void);

/* The real function by id; one that returns 0 when no library has it. */
capture_function real_function_find(uint32_t id);

/* Remembers where the program's own lookup found it. False: another one is known already, which must not be
 * called in place of this one. */
bool real_function_set(uint32_t id, capture_function f);

/* A function for the program to call: the stub of id, which then calls real for once. NULL: there can be no
 * more of them. */
void *thunk_make(uint32_t id, capture_function real);

bool thunk_is(const void *address);

/* What the next call of capture_real() in this thread gives, and forgets; NULL: what real_function_find()
 * finds. A before hook may set it, unless it is set already, to have another function called in place of the
 * real one. */
extern _Thread_local capture_function thunk_real __attribute__((tls_model("initial-exec")));

/* Libraries have been unloaded: forget the functions that were in them. */
void real_functions_forget_unloaded(void);
void thunks_forget_unloaded(void);

/* The real dlsym(). */
void *real_dlsym(void *handle, const char *name);

/* The function called name, if it is one that is recorded. */
const struct spec_function *capture_find_recorded(const char *name);

/* Libraries that implement GL find each other's functions with dlsym(), too: what they do is not the
 * program's doing. Known by what they define, since programs have libraries called libGLsomething. One that
 * defines name itself passes calls on to the next of that name. */
struct elf_object;
bool capture_implements_gl(const struct elf_object *object, const char *name);

/* A lookup of name gave the program `real`: what to give it instead (a stub, or real itself). */
void *capture_wrap_symbol(const char *name, void *real);

#endif
