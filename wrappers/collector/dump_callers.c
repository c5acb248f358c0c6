/* SPDX-License-Identifier: MIT */
#include "collector/dump_callers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_sessions(const struct session *s)
{
    size_t count = 0;
    for (; s != NULL; s = s->next)
        ++count;
    return count;
}

const char *dump_callers_add(struct dump_callers *c, int fd, struct session *sessions)
{
    if (c->count == RENDEZVOUS_CALLERS)
        return "too many dumps are being waited for";
    if (sessions == NULL)
        return "no traced process has made a GL call so far, so there is nothing to dump";
    struct dump_caller *caller = &c->list[c->count];
    *caller = (struct dump_caller){fd, calloc(count_sessions(sessions), sizeof *caller->parts), 0};
    if (caller->parts == NULL)
        return "out of memory";
    for (struct session *s = sessions; s != NULL; s = s->next) {
        uint64_t request = session_dump(s, "trace-cli trigger");
        if (request != 0)
            caller->parts[caller->count++] = (struct dump_part){s, request};
    }
    if (caller->count == 0) {
        free(caller->parts);
        return "the programs that made GL calls have ended, and their last calls are in files already";
    }
    c->count++;
    return NULL;
}

/* Returns false if a file is still to come. */
static bool answer(const struct dump_caller *caller)
{
    char text[CONNECTION_TEXT_SIZE] = "", path[PATH_MAX];
    size_t used = 0;
    bool any_failed = false;
    for (size_t i = 0; i < caller->count; ++i) {
        bool failed;
        if (!session_has_dumped(caller->parts[i].session, caller->parts[i].request, path, sizeof path,
                                &failed))
            return false;
        any_failed |= failed;
        if (path[0] != '\0' && used + strlen(path) + 2 < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? "\n" : "", path);
    }
    bool done = used > 0 && !any_failed;
    if (!done)
        snprintf(text, sizeof text, "%s",
                 any_failed ? "a file could not be written; trace-cli trace says why"
                            : "nothing has been recorded so far, so there is nothing to dump");
    rendezvous_answer_text(caller->fd, done, text);
    return true;
}

void dump_callers_answer(struct dump_callers *c)
{
    unsigned left = 0;
    for (unsigned i = 0; i < c->count; ++i) {
        if (answer(&c->list[i]))
            free(c->list[i].parts);
        else
            c->list[left++] = c->list[i];
    }
    c->count = left;
}
