/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_passing.h"

#include "formats/ctf/decode/ctf_seek.h"

bool ctf_passing_takes(struct ctf_passing *p, const struct ctf_stream *s)
{
    if (p->chooser == NULL || s->item == CTF_ITEM_DAMAGE)
        return false;
    if (!p->is_chosen && s->item == CTF_ITEM_EVENT && s->time != TRACE_NO_TIME) {
        p->begin = p->chooser(p->context, s->time);
        p->is_chosen = true;
    }
    return p->is_chosen && s->time < p->begin;
}

static bool tells_modules(const struct ctf_stream_layout *kind)
{
    for (size_t i = 0; i < kind->class->event_count; ++i)
        if (kind->events[i].meaning == CTF_MEANS_MODULE)
            return true;
    return false;
}

/* Returns whether nothing of the packet is needed: one before it had nothing to tell. */
static bool is_needless(struct ctf_stream *s)
{
    bool is_new = !s->is_passing || s->passing_packet != s->packet_at;
    bool was_needed = !s->is_passing || s->has_modules;
    if (is_new && !was_needed)
        return true;
    if (is_new)
        s->has_modules = false;
    s->is_passing = true;
    s->passing_packet = s->packet_at;
    s->has_modules |= s->item == CTF_ITEM_EVENT && s->event->meaning == CTF_MEANS_MODULE;
    return false;
}

int ctf_passing_skip(struct ctf_passing *p, struct ctf_merge *m, struct ctf_stream *s, bool *done)
{
    *done =
        ctf_stream_can_seek(s, p->begin) && (!p->needs_modules || !tells_modules(s->kind) || is_needless(s));
    return *done ? ctf_merge_seek(m, p->begin) : 0;
}
