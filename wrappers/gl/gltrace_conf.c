/* SPDX-License-Identifier: MIT */
#include "gl/gltrace_conf.h"

#include "process/capture_log.h"
#include "process/setting.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OFFER_ENVIRONMENT "TRACE_CLI_OFFER_EXTENSIONS"
/* Highest size of the file in bytes; the extension list of a driver has about ten thousand. */
#define SIZE_LIMIT (1 << 20)

enum value_kind { VALUE_TEXT, VALUE_NUMBER, VALUE_PROFILE, VALUE_SWITCH };

#define MEMBER(name) offsetof(struct gltrace_conf, name)

static const struct {
    const char *key;
    enum value_kind kind;
    size_t member;
} keys[] = {
    {"GL_VENDOR", VALUE_TEXT, MEMBER(vendor)},
    {"GL_RENDERER", VALUE_TEXT, MEMBER(renderer)},
    {"GL_VERSION", VALUE_TEXT, MEMBER(version)},
    {"GL_SHADING_LANGUAGE_VERSION", VALUE_TEXT, MEMBER(glsl_version)},
    {"GL_EXTENSIONS", VALUE_TEXT, MEMBER(extensions)},
    {"GL_MAJOR_VERSION", VALUE_NUMBER, MEMBER(major)},
    {"GL_MINOR_VERSION", VALUE_NUMBER, MEMBER(minor)},
    {"GL_CONTEXT_PROFILE_MASK", VALUE_PROFILE, MEMBER(profile_mask)},
    {"GL_MAX_TEXTURE_SIZE", VALUE_NUMBER, MEMBER(max_texture_size)},
    {"GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT", VALUE_NUMBER, MEMBER(uniform_alignment)},
    {"GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT", VALUE_NUMBER, MEMBER(texture_alignment)},
    {"GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT", VALUE_NUMBER, MEMBER(storage_alignment)},
    {"TRACE_CLI_OFFER_EXTENSIONS", VALUE_SWITCH, MEMBER(offer_extensions)},
};

/* Replaces each run of white space by one space, and removes it at both ends. */
static void squeeze_spaces(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; ++from) {
        char c = isspace((unsigned char)*from) ? ' ' : *from;
        if (c != ' ' || (to != text && to[-1] != ' '))
            *to++ = c;
    }
    if (to != text && to[-1] == ' ')
        to--;
    *to = '\0';
}

static int32_t profile_bits(const char *text)
{
    return (strstr(text, "GL_CONTEXT_CORE_PROFILE_BIT") != NULL ? 1 : 0) |
           (strstr(text, "GL_CONTEXT_COMPATIBILITY_PROFILE_BIT") != NULL ? 2 : 0);
}

/* Returns false if the value does not have the type that the key requires. */
static bool set_value(struct gltrace_conf *out, unsigned key, char *value, bool quoted)
{
    void *member = (char *)out + keys[key].member;
    char *end = value;
    long number = quoted ? 0 : strtol(value, &end, 10);
    bool is_number = !quoted && end != value && *end == '\0' && number >= 0 && number <= INT32_MAX;
    switch (keys[key].kind) {
    case VALUE_TEXT:
        if (quoted)
            *(const char **)member = value[0] != '\0' ? value : NULL;
        return quoted;
    case VALUE_NUMBER:
        if (is_number)
            *(int32_t *)member = (int32_t)number;
        return is_number;
    case VALUE_PROFILE:
        *(int32_t *)member = profile_bits(value);
        return quoted;
    case VALUE_SWITCH:
        *(bool *)member = strcmp(value, "no") != 0 && !(is_number && number == 0);
        return strcmp(value, "no") == 0 || strcmp(value, "yes") == 0 || (is_number && number <= 1);
    }
    return false;
}

static unsigned find_key(const char *name)
{
    unsigned i = 0;
    while (i < sizeof keys / sizeof keys[0] && strcmp(keys[i].key, name) != 0)
        i++;
    return i;
}

/* Cuts the value at `at` out of the text, into *value. Returns the position after it, or NULL if it has no
 * end. */
static char *cut_value(char *at, char **value, bool *quoted)
{
    at += strspn(at, " \t=");
    *quoted = *at == '"';
    *value = *quoted ? at + 1 : at;
    char *end = *quoted ? strchr(*value, '"') : at + strcspn(at, "\n#");
    if (end == NULL)
        return NULL;
    /* Everything after a text in the same line is ignored. */
    char *next = *quoted ? end + strcspn(end, "\n") : end + strcspn(end, "\n");
    next += *next != '\0';
    *end = '\0';
    squeeze_spaces(*value);
    return next;
}

/* GL_VERSION contains the same version as the two numbers. */
static void complete_version(struct gltrace_conf *out)
{
    static char numbers[32];
    if (out->version != NULL) {
        const char *digits = out->version + strcspn(out->version, "0123456789");
        int major, minor;
        if (sscanf(digits, "%d.%d", &major, &minor) == 2) {
            out->major = major;
            out->minor = minor;
        }
    } else if (out->major != 0) {
        snprintf(numbers, sizeof numbers, "%d.%d", out->major, out->minor);
        out->version = numbers;
    }
}

void gltrace_conf_parse(char *text, struct gltrace_conf *out, void (*warn)(const char *what, const char *key))
{
    *out = (struct gltrace_conf){.offer_extensions = true};
    for (char *at = text; at != NULL && *at != '\0';) {
        char *key = at + strspn(at, " \t\r\n"), *value;
        if (*key == '#' || *key == '\0') {
            at = key + strcspn(key, "\n");
            continue;
        }
        size_t length = strcspn(key, " \t\r\n=");
        char *rest = key + length, behind = *rest;
        bool quoted;
        *rest = '\0';
        unsigned index = find_key(key);
        char *next = behind != '\0' && behind != '\n' ? cut_value(rest + 1, &value, &quoted) : NULL;
        if (index == sizeof keys / sizeof keys[0])
            warn("is not a key", key);
        else if (next == NULL || !set_value(out, index, value, quoted))
            warn("has no valid value", key);
        at = next != NULL || behind == '\0' ? next : rest + 1;
    }
    complete_version(out);
}

static struct gltrace_conf conf;
static char conf_path[PATH_MAX];

static void warn_of_key(const char *what, const char *key)
{
    capture_log("%s: %s %s", conf_path, key, what);
}

static bool find_file(void)
{
    const char *named = setting_get("GLTRACE_CONF"), *directory = setting_get("XDG_CONFIG_HOME"),
               *home = setting_get("HOME");
    if (named != NULL)
        snprintf(conf_path, sizeof conf_path, "%s", named);
    else if (directory != NULL && *directory != '\0')
        snprintf(conf_path, sizeof conf_path, "%s/apitrace/gltrace.conf", directory);
    else if (home != NULL)
        snprintf(conf_path, sizeof conf_path, "%s/.config/apitrace/gltrace.conf", home);
    return conf_path[0] != '\0';
}

/* Returns the file as a string that is never freed, or NULL if there is no readable file. */
static char *read_file(void)
{
    struct stat status;
    int fd = open(conf_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= SIZE_LIMIT &&
        (text = malloc((size_t)status.st_size + 1)) != NULL) {
        ssize_t n = read(fd, text, (size_t)status.st_size);
        text[n > 0 ? n : 0] = '\0';
    }
    if (fd >= 0)
        close(fd);
    return text;
}

static void load(void)
{
    static char *text; /* the settings point into it */
    char nothing[1] = "";
    text = find_file() ? read_file() : NULL;
    if (text != NULL)
        capture_log("queries are answered according to %s", conf_path);
    gltrace_conf_parse(text != NULL ? text : nothing, &conf, warn_of_key);
    const char *offer = setting_get(OFFER_ENVIRONMENT);
    if (offer != NULL)
        conf.offer_extensions = strcmp(offer, "no") != 0 && strcmp(offer, "0") != 0;
}

const struct gltrace_conf *gltrace_conf_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int saved = errno;
    pthread_once(&once, load);
    errno = saved;
    return &conf;
}
