/* SPDX-License-Identifier: MIT
 * Calls that choose configurations, and that ask what their buffers are. They are not called, but noted.
 */
#include "handlers/handlers.h"

#include "objects/replay_config.h"
#include "call/replay_values.h"

enum { MAX_ATTRIBS = 64, MAX_CONFIGS = 1024, FBCONFIG_ID = 0x8013, VISUAL_ID = 0x800b };

/* Notes the same about all the configurations that a call returned. */
static int set_all(struct replayer *r, const struct trace_value *handles, const struct buffer_config *config)
{
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && handles->type == TRACE_ARRAY && i < handles->count; ++i) {
        struct trace_value handle;
        trace_array_get(handles, i, &handle);
        uint64_t traced = trace_value_to_uint(&handle, 0);
        if (replay_configs_find(&r->configs, traced) ==
            NULL) /* the first call that finds it is the closest */
            rc = replay_configs_set(&r->configs, traced, config);
    }
    return rc;
}

/* Notes the value in the last argument, which the call has written, of the attribute before it. */
static int set_one(struct replayer *r, struct replay_call *c, uint64_t handle,
                   void (*set)(struct buffer_config *, int64_t, int64_t))
{
    const struct trace_value *values = replay_arg(c, 3);
    const struct buffer_config *known = replay_configs_find(&r->configs, handle);
    struct buffer_config config = known != NULL ? *known : default_buffers;
    struct trace_value value;
    if (values->type != TRACE_ARRAY || values->count == 0)
        return 0;
    trace_array_get(values, 0, &value);
    set(&config, replay_arg_sint(c, 2, 0), trace_value_to_sint(&value, 0));
    return replay_configs_set(&r->configs, handle, &config);
}

/* Copies the attributes of a list, which NULL is, too. Returns false if there are too many, or one that only
 * means something where the trace was made. */
static bool copy_attribs(const struct trace_value *list, int *out)
{
    unsigned n = 0;
    for (uint64_t i = 0; list->type == TRACE_ARRAY && i < list->count; ++i) {
        struct trace_value item;
        trace_array_get(list, i, &item);
        int64_t value = trace_value_to_sint(&item, 0);
        if (n + 1 == MAX_ATTRIBS || value == FBCONFIG_ID || value == VISUAL_ID)
            return false;
        if (value == 0 && i + 1 == list->count)
            break;
        out[n++] = (int)value;
    }
    out[n] = 0;
    return true;
}

/* Pairs configurations by their position. What is known from an earlier call stays. */
static int set_found(struct replayer *r, const struct trace_value *handles, const struct buffer_config *found,
                     unsigned count)
{
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && handles->type == TRACE_ARRAY && i < handles->count; ++i) {
        struct trace_value handle;
        trace_array_get(handles, i, &handle);
        uint64_t traced = trace_value_to_uint(&handle, 0);
        if (replay_configs_find(&r->configs, traced) == NULL)
            rc = replay_configs_set(&r->configs, traced, &found[i < count ? i : count - 1]);
    }
    return rc;
}

/* A driver gives more than what was asked for. So the same question is asked here, and the configurations are
 * paired by their position. */
int handle_glx_choose_config(struct replayer *r, struct replay_call *c)
{
    int attribs[MAX_ATTRIBS];
    struct buffer_config found[MAX_CONFIGS];
    const struct trace_value *handles = &c->call->ret;
    struct buffer_config asked = replay_config_for_glx(replay_arg(c, 2));
    unsigned count = 0;
    if (r->ws->ops->choose_configs != NULL && copy_attribs(replay_arg(c, 2), attribs))
        count = r->ws->ops->choose_configs(r->ws, attribs, found, MAX_CONFIGS);
    return count == 0 ? set_all(r, handles, &asked) : set_found(r, handles, found, count);
}

/* All configurations in the order of the driver, which says nothing about those of another one. */
int handle_glx_get_configs(struct replayer *r, struct replay_call *c)
{
    struct buffer_config found[MAX_CONFIGS];
    const struct trace_value *handles = &c->call->ret;
    unsigned count = 0;
    if (r->ws->ops->choose_configs != NULL)
        count = r->ws->ops->choose_configs(r->ws, NULL, found, MAX_CONFIGS);
    return count > 0 && handles->type == TRACE_ARRAY && handles->count == count
               ? set_found(r, handles, found, count)
               : 0;
}

int handle_glx_get_config_attrib(struct replayer *r, struct replay_call *c)
{
    return set_one(r, c, replay_arg_uint(c, 1, 0), replay_config_set_glx);
}

int handle_glx_choose_visual(struct replayer *r, struct replay_call *c)
{
    int attribs[MAX_ATTRIBS];
    struct buffer_config config = replay_config_for_visual(replay_arg(c, 2));
    if (r->ws->ops->choose_visual != NULL && copy_attribs(replay_arg(c, 2), attribs))
        r->ws->ops->choose_visual(r->ws, attribs, &config);
    return replay_configs_set(&r->configs, replay_visual_handle(&c->call->ret), &config);
}

/* Here, the configuration may have no visual, but windows have it in the trace. */
int handle_glx_visual_of_config(struct replayer *r, struct replay_call *c)
{
    uint64_t handle = replay_arg_uint(c, 1, 0), visual = replay_visual_handle(&c->call->ret);
    const struct buffer_config *known = replay_configs_find(&r->configs, handle);
    if (known == NULL || visual == 0)
        return 0;
    struct buffer_config config = *known;
    config.pbuffers_only = false;
    int rc = replay_configs_set(&r->configs, handle, &config);
    return rc == 0 ? replay_configs_set(&r->configs, visual, &config) : rc;
}

int handle_glx_get_visual_attrib(struct replayer *r, struct replay_call *c)
{
    return set_one(r, c, replay_visual_handle(replay_arg(c, 1)), replay_config_set_glx);
}

int handle_egl_choose_config(struct replayer *r, struct replay_call *c)
{
    struct buffer_config config = replay_config_for_egl(replay_arg(c, 1));
    return set_all(r, replay_arg(c, 2), &config);
}

int handle_egl_get_config_attrib(struct replayer *r, struct replay_call *c)
{
    return set_one(r, c, replay_arg_uint(c, 1, 0), replay_config_set_egl);
}
