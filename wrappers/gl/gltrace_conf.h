/* SPDX-License-Identifier: MIT
 * gltrace.conf, a file by which users of apitrace change what a driver reports about itself. Its lines are
 * `KEY = "text"` or `KEY = number`. A text may span several lines. A # begins a comment.
 */
#ifndef GL_GLTRACE_CONF_H
#define GL_GLTRACE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gltrace_conf {
    /* NULL: use the driver's. */
    const char *vendor, *renderer, *version, *glsl_version;
    const char *extensions; /* separated by single spaces */
    /* 0: use the driver's. */
    int32_t major, minor, profile_mask, max_texture_size;
    int32_t uniform_alignment, texture_alignment, storage_alignment;
    bool offer_extensions; /* add the extensions that every tracer offers */
};

/* Parses text, which is modified and must outlive *out. Invalid settings are skipped, and warn() is called
 * for each. */
void gltrace_conf_parse(char *text, struct gltrace_conf *out,
                        void (*warn)(const char *what, const char *key));

/* Returns the settings of this process. They come from the file that GLTRACE_CONF names, or from
 * apitrace/gltrace.conf in the user's configuration directory. TRACE_CLI_OFFER_EXTENSIONS (yes or no)
 * overrides offer_extensions. */
const struct gltrace_conf *gltrace_conf_get(void);

#endif
