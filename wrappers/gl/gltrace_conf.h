/* SPDX-License-Identifier: MIT
 * gltrace.conf: by this file users of apitrace change what a driver says about itself. Lines `KEY = "text"`
 * or `KEY = number`; a text may go over several lines; # begins a comment.
 */
#ifndef GL_GLTRACE_CONF_H
#define GL_GLTRACE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gltrace_conf {
    /* NULL: as the driver says. */
    const char *vendor, *renderer, *version, *glsl_version;
    const char *extensions; /* separated by single spaces */
    /* 0: as the driver says. */
    int32_t major, minor, profile_mask, max_texture_size;
    int32_t uniform_alignment, texture_alignment, storage_alignment;
    bool offer_extensions; /* those that every tracer has */
};

/* Parses text, which is changed and must outlast *out. Wrong settings are skipped, after a call of warn() for
 * each. */
void gltrace_conf_parse(char *text, struct gltrace_conf *out,
                        void (*warn)(const char *what, const char *key));

/* This process's: of the file that GLTRACE_CONF names, or of apitrace/gltrace.conf in the user's directory of
 * configurations. TRACE_CLI_OFFER_EXTENSIONS (yes or no) overrides its offer_extensions. */
const struct gltrace_conf *gltrace_conf_get(void);

#endif
