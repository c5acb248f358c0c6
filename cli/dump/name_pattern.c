/* SPDX-License-Identifier: MIT */
#include "dump/name_pattern.h"

#include "base/buf.h"
#include "base/error.h"

static int translate(struct buf *out, const char *text)
{
    int rc = 0;
    while (*text != '\0' && rc == 0) {
        if (strncmp(text, "\\d", 2) == 0) {
            rc = buf_append_string(out, "[0-9]");
            text += 2;
        } else if (strncmp(text, "\\D", 2) == 0) {
            rc = buf_append_string(out, "[^0-9]");
            text += 2;
        } else if (strncmp(text, "(?:", 3) == 0) {
            rc = buf_append_byte(out, '(');
            text += 3;
        } else if (*text == '\\' && text[1] != '\0') {
            rc = buf_append(out, text, 2);
            text += 2;
        } else {
            rc = buf_append_byte(out, (uint8_t)*text++);
        }
    }
    return rc != 0 ? rc : buf_append_byte(out, '\0');
}

int name_pattern_init(struct name_pattern *p, const char *text)
{
    struct buf posix = BUF_INIT;
    memset(p, 0, sizeof *p);
    int rc = translate(&posix, text);
    int status = rc == 0 ? regcomp(&p->regex, (const char *)posix.data, REG_EXTENDED | REG_NOSUB) : 0;
    buf_fini(&posix);
    if (status != 0) {
        char reason[128];
        regerror(status, &p->regex, reason, sizeof reason);
        return trace_error_set(status == REG_ESPACE ? TRACE_ERR_MEMORY : TRACE_ERR_USAGE,
                               "\"%s\" is not a regular expression: %s", text, reason);
    }
    return rc;
}

void name_pattern_fini(struct name_pattern *p)
{
    regfree(&p->regex);
    int_map_fini(&p->known);
}

void name_pattern_forget(struct name_pattern *p)
{
    int_map_fini(&p->known);
}

bool name_pattern_matches(struct name_pattern *p, const struct trace_function_sig *sig)
{
    uint64_t matches;
    if (int_map_get(&p->known, (uintptr_t)sig, &matches))
        return matches != 0;
    matches = regexec(&p->regex, sig->name, 0, NULL, 0) == 0;
    int_map_set(&p->known, (uintptr_t)sig, matches); /* without memory, it is matched again the next time */
    return matches != 0;
}
