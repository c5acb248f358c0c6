/* SPDX-License-Identifier: MIT
 * Answers glGetString() and similar queries: the driver's list of extensions followed by the offered ones,
 * and the strings of gltrace.conf.
 */
#include "gl/gl_offers.h"

#include "capture/capture_hooks.h"
#include "gl/gltrace_conf.h"
#include "lookup/real_functions.h"
#include "lookup/thunks.h"

#include "spec_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GL_VENDOR = 0x1F00,
    GL_RENDERER = 0x1F01,
    GL_VERSION = 0x1F02,
    GL_EXTENSIONS = 0x1F03,
    GL_SHADING_LANGUAGE_VERSION = 0x8B8C,
    GL_NUM_EXTENSIONS = 0x821D,
};

static const char *const names[GL_OFFER_COUNT] = {
    [GL_OFFER_STRING_MARKER] = "GL_GREMEDY_string_marker",
    [GL_OFFER_FRAME_TERMINATOR] = "GL_GREMEDY_frame_terminator",
    [GL_OFFER_ARB_DEBUG_OUTPUT] = "GL_ARB_debug_output",
    [GL_OFFER_AMD_DEBUG_OUTPUT] = "GL_AMD_debug_output",
    [GL_OFFER_KHR_DEBUG] = "GL_KHR_debug",
    [GL_OFFER_DEBUG_MARKER] = "GL_EXT_debug_marker",
    [GL_OFFER_DEBUG_LABEL] = "GL_EXT_debug_label",
    [GL_OFFER_MAP_BUFFER_DEBUG] = "GL_VMWX_map_buffer_debug",
};

#define OFFERED_EVERYWHERE (1 << GL_OFFER_KHR_DEBUG | 1 << GL_OFFER_DEBUG_MARKER | 1 << GL_OFFER_DEBUG_LABEL)
#define OFFERED_ON_DESKTOP ((1 << GL_OFFER_COUNT) - 1)

static const char *real_string(uint32_t name)
{
    capture_function get = real_function_find(SPEC_FN_glGetString);
    return ((const char *(*)(uint32_t))get)(name);
}

static const char *real_indexed_string(uint32_t name, uint32_t index)
{
    capture_function get = real_function_find(SPEC_FN_glGetStringi);
    return ((const char *(*)(uint32_t, uint32_t))get)(name, index);
}

static int32_t real_extension_count(void)
{
    int32_t count = 0;
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    ((void (*)(uint32_t, int32_t *))get)(GL_NUM_EXTENSIONS, &count);
    return count;
}

/* Returns the bit of the offer whose name consists of the first length characters of name, or 0. */
static uint8_t offer_bit(const char *name, size_t length)
{
    for (unsigned i = 0; i < GL_OFFER_COUNT; ++i)
        if (strncmp(name, names[i], length) == 0 && names[i][length] == '\0')
            return (uint8_t)(1U << i);
    return 0;
}

/* Returns the bits of the offers in a list. *count: number of words in the list. */
static uint8_t offers_in_list(const char *list, int32_t *count)
{
    uint8_t bits = 0;
    *count = 0;
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, " ");
        bits |= offer_bit(list, length);
        *count += length > 0;
        list += length + (list[length] == ' ');
    }
    return bits;
}

static uint8_t offers_of_driver(unsigned major, int32_t *count)
{
    if (major < 3)
        return offers_in_list(real_string(GL_EXTENSIONS), count);
    uint8_t bits = 0;
    *count = real_extension_count();
    for (int32_t i = 0; i < *count; ++i) {
        const char *name = real_indexed_string(GL_EXTENSIONS, (uint32_t)i);
        bits |= name != NULL ? offer_bit(name, strlen(name)) : 0;
    }
    return bits;
}

static void find_offers(struct gl_offers *o)
{
    const struct gltrace_conf *conf = gltrace_conf_get();
    const char *version = real_string(GL_VERSION);
    unsigned major = 0, minor = 0;
    if (version == NULL)
        return;
    bool es = strncmp(version, "OpenGL ES", 9) == 0;
    if (sscanf(version + strcspn(version, "0123456789"), "%u.%u", &major, &minor) != 2)
        return;
    o->major = (uint8_t)major;
    o->driver = offers_of_driver(major, &o->driver_count);
    uint8_t listed = o->driver;
    if (10 * major + minor >= (es ? 32 : 43))
        o->driver |= 1 << GL_OFFER_KHR_DEBUG; /* is part of these versions */
    if (conf->extensions != NULL)
        listed = offers_in_list(conf->extensions, &o->driver_count);
    if (conf->offer_extensions)
        o->added = (uint8_t)((es ? OFFERED_EVERYWHERE : OFFERED_ON_DESKTOP) & ~listed);
}

struct gl_offers gl_offers_get(struct capture_thread *t)
{
    struct gl_offers *o = &t->context->offers;
    if (o->known || t->context->in_begin)
        return *o;
    struct gl_offers found = {.known = t->context->handle != NULL};
    find_offers(&found);
    if (found.major != 0)
        *o = found;
    return found;
}

bool gl_offers_stand_in(struct capture_thread *t, enum gl_offer offer)
{
    struct gl_offers o = gl_offers_get(t);
    /* The driver cannot be queried; the marker extensions are those that it may lack. */
    if (o.major == 0 && t->context->in_begin)
        return offer <= GL_OFFER_FRAME_TERMINATOR && gltrace_conf_get()->offer_extensions;
    return (o.added & ~o.driver & 1U << offer) != 0;
}

/* ---- glGetString ----------------------------------------------------------------------------------------
 */

/* Lists that were returned to the program, which may keep them for ever. */
struct list {
    struct list *next;
    char text[];
};

static _Atomic(struct list *) lists;

static const char *keep_list(const char *text)
{
    struct list *first = atomic_load(&lists);
    for (const struct list *l = first; l != NULL; l = l->next)
        if (strcmp(l->text, text) == 0)
            return l->text;
    struct list *l = malloc(sizeof *l + strlen(text) + 1);
    if (l == NULL)
        return NULL;
    strcpy(l->text, text);
    l->next = first;
    while (!atomic_compare_exchange_weak(&lists, &l->next, l))
        continue;
    return l->text;
}

static const char *extend_list(const char *list, uint8_t added)
{
    size_t room = strlen(list) + 2, length = room - 2;
    for (unsigned i = 0; i < GL_OFFER_COUNT; ++i)
        room += strlen(names[i]) + 1;
    char *text = malloc(room);
    if (text == NULL)
        return list;
    memcpy(text, list, length + 1);
    bool separated = length == 0 || list[length - 1] == ' '; /* Mesa's list ends with a space */
    for (unsigned i = 0; i < GL_OFFER_COUNT; ++i) {
        if ((added & 1U << i) == 0)
            continue;
        length += (size_t)sprintf(text + length, "%s%s", separated ? "" : " ", names[i]);
        separated = false;
    }
    const char *kept = keep_list(text);
    free(text);
    return kept != NULL ? kept : list;
}

static const char *conf_string(uint32_t name)
{
    const struct gltrace_conf *conf = gltrace_conf_get();
    return name == GL_VENDOR                     ? conf->vendor
           : name == GL_RENDERER                 ? conf->renderer
           : name == GL_VERSION                  ? conf->version
           : name == GL_SHADING_LANGUAGE_VERSION ? conf->glsl_version
           : name == GL_EXTENSIONS               ? conf->extensions
                                                 : NULL;
}

/* Replaces glGetString(). */
static const char *answer_string(uint32_t name)
{
    const char *real = real_string(name), *text = conf_string(name);
    if (real == NULL) /* there is no context, or there was an error */
        return NULL;
    if (text == NULL)
        text = real;
    if (name != GL_EXTENSIONS)
        return text;
    uint8_t added = gl_offers_get(&capture_self).added;
    struct gl_offers *o = &capture_self.context->offers;
    if (o->list == NULL || o->driver_list != text) {
        o->list = extend_list(text, added);
        o->driver_list = text;
    }
    return o->list;
}

DEFINE_HOOK(get_string)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t name = (uint32_t)args[0].u;
    if (thunk_real == NULL && (name == GL_EXTENSIONS || conf_string(name) != NULL))
        thunk_real = (capture_function)answer_string;
}

/* ---- glGetStringi ---------------------------------------------------------------------------------------
 */

static const char *conf_extension(const char *list, uint32_t index)
{
    for (; index > 0; --index)
        list += strcspn(list, " ") + 1;
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(list, " "), list);
    return keep_list(word);
}

static const char *added_extension(uint8_t added, uint32_t index)
{
    for (unsigned i = 0; i < GL_OFFER_COUNT; ++i)
        if ((added & 1U << i) != 0 && index-- == 0)
            return names[i];
    return NULL;
}

/* Replaces glGetStringi(GL_EXTENSIONS, index). */
static const char *answer_indexed_string(uint32_t name, uint32_t index)
{
    const char *list = gltrace_conf_get()->extensions, *added = NULL;
    struct gl_offers o = gl_offers_get(&capture_self);
    uint32_t count = (uint32_t)o.driver_count;
    if (o.major >= 3 && index < count && list != NULL)
        return conf_extension(list, index);
    if (o.major >= 3 && index >= count)
        added = added_extension(o.added, index - count);
    return added != NULL                   ? added
           : list != NULL || index < count ? real_indexed_string(name, index < count ? index : UINT32_MAX)
                                           : real_indexed_string(name, index);
}

DEFINE_HOOK(get_indexed_string)
{
    UNUSED_HOOK_ARGUMENTS;
    if (thunk_real == NULL && args[0].u == GL_EXTENSIONS)
        thunk_real = (capture_function)answer_indexed_string;
}
