/* SPDX-License-Identifier: MIT */
#include "trace/source_ops.h"

#include "base/error.h"

void trace_source_close(struct trace_source *s)
{
    if (s != NULL)
        s->ops->close(s);
}

int trace_source_next(struct trace_source *s, struct trace_event *out)
{
    return s->ops->next(s, out);
}

void trace_source_release(struct trace_source *s, const struct trace_event *event)
{
    if (s->ops->release != NULL)
        s->ops->release(s, event);
}

void trace_source_resume_after_damage(struct trace_source *s)
{
    if (s->ops->resume_after_damage != NULL)
        s->ops->resume_after_damage(s);
}

void trace_source_set_progress(struct trace_source *s, struct trace_progress_callback w)
{
    if (s->ops->set_progress != NULL)
        s->ops->set_progress(s, w);
}

int trace_source_split(struct trace_source *s)
{
    if (s->order == TRACE_ORDER_TIME)
        return 0;
    if (s->ops->split == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "%s: calls of this format cannot be split into enter and exit",
                               s->format_name);
    return s->ops->split(s);
}

bool trace_source_name_functions(struct trace_source *s, trace_function_namer namer, void *context)
{
    if (s->ops->name_functions != NULL)
        s->ops->name_functions(s, namer, context);
    return s->ops->name_functions != NULL;
}

int trace_source_seek(struct trace_source *s, uint64_t number)
{
    if (s->ops->seek == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: this format can only be read from start to end",
                               s->format_name);
    return s->ops->seek(s, number);
}

bool trace_source_choose_begin(struct trace_source *s, trace_begin_chooser chooser, void *context,
                               bool wants_ends)
{
    return s->ops->choose_begin != NULL && s->ops->choose_begin(s, chooser, context, wants_ends);
}

bool trace_source_set_need(struct trace_source *s, enum trace_need need)
{
    return s->ops->set_need != NULL && s->ops->set_need(s, need);
}

const char *trace_source_format_name(const struct trace_source *s)
{
    return s->format_name;
}

const char *trace_source_copy_format(const struct trace_source *s)
{
    return s->copy_format != NULL ? s->copy_format : s->format_name;
}

enum trace_source_order trace_source_order(const struct trace_source *s)
{
    return s->order;
}

const struct trace_clock *trace_source_clock(struct trace_source *s)
{
    return s->ops->clock != NULL ? s->ops->clock(s) : NULL;
}

size_t trace_source_properties(const struct trace_source *s, const struct trace_property **out)
{
    *out = s->properties;
    return s->property_count;
}

struct trace_reader *trace_source_reader(struct trace_source *s)
{
    return s->ops->reader != NULL ? s->ops->reader(s) : NULL;
}
