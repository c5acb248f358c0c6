/* SPDX-License-Identifier: MIT */
#include "capture/fake_calls.h"

#include "capture/record_writer.h"
#include "records/record.h"

static void record_fake(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                        const union spec_arg *ret, const struct capture_override *memory)
{
    const struct spec_function *f = &spec_functions[id];
    if (capture_leaves_out(t, f))
        return;
    record_write_enter(t, f, args, RECORD_FAKE, memory);
    record_write_leave(t, f, args, ret, RECORD_FAKE, capture_clock_read(t->ring.clock));
}

void capture_fake_call_with(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                            const struct capture_override *memory)
{
    const union spec_arg nothing = {.u = 0};
    record_fake(t, id, args, &nothing, memory);
}

void capture_fake_answer(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                         const union spec_arg *ret)
{
    record_fake(t, id, args, ret, NULL);
}

void capture_fake_call(struct capture_thread *t, uint32_t id, const union spec_arg *args)
{
    capture_fake_call_with(t, id, args, NULL);
}
