/* SPDX-License-Identifier: MIT */
#include "replay_progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIRST_MS  1000
#define REDRAW_MS 250

static bool is_setting(const char *word)
{
    const char *setting = getenv("TRACE_CLI_PROGRESS");
    return setting != NULL && strcmp(setting, word) == 0;
}

static bool is_in_foreground(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && tcgetpgrp(STDERR_FILENO) == getpgrp() && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

/* Returns true if calls or checksums of pictures are printed on the same terminal. */
static bool prints(const struct replay_options *o)
{
    bool to_stdout = o->verbose || (o->snapshot_prefix != NULL && strcmp(o->snapshot_prefix, "-") == 0);
    return to_stdout && isatty(STDOUT_FILENO);
}

static void see(void *context, uint64_t done, uint64_t total)
{
    struct replay_progress *p = context;
    atomic_store_explicit(&p->total, total, memory_order_relaxed);
    atomic_store_explicit(&p->done, done, memory_order_relaxed);
}

void replay_progress_begin(struct replay_progress *p, const struct replay_options *o,
                           struct trace_reader *reader)
{
    bool always = is_setting("always");
    p->shows = !is_setting("never") && (always || is_in_foreground()) && !prints(o);
    p->start = clock_milliseconds();
    p->next = p->start + (always ? 0 : FIRST_MS);
    if (p->shows)
        trace_reader_set_progress(reader, (struct trace_progress_callback){see, p});
}

static void put(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text)); /* if it cannot be written, nobody sees it */
    (void)ignored;
}

/* A line that the terminal wraps could not be erased. */
static void cut_to_terminal(char *line)
{
    struct winsize w;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && strlen(line) >= w.ws_col)
        line[w.ws_col - 1] = '\0';
}

void replay_progress_draw(struct replay_progress *p, uint64_t frames)
{
    char line[128], share[32] = "";
    int64_t now = clock_milliseconds();
    if (now < p->next)
        return;
    double seconds = (double)(now - p->start) / 1000;
    double total = (double)atomic_load_explicit(&p->total, memory_order_relaxed);
    double done = (double)atomic_load_explicit(&p->done, memory_order_relaxed);
    if (total > 0 && done > 0)
        snprintf(share, sizeof share, "%.0f %%, ", 100 * done / total);
    snprintf(line, sizeof line, "retrace: %s%llu frames, %.0f frames/s", share, (unsigned long long)frames,
             seconds > 0 ? (double)frames / seconds : 0);
    cut_to_terminal(line);
    put("\r\33[K");
    put(line);
    p->drawn = true;
    p->next = now + REDRAW_MS;
}

void replay_progress_clear(struct replay_progress *p)
{
    if (p->drawn)
        put("\r\33[K");
    p->drawn = false;
}

void replay_progress_end(struct replay_progress *p)
{
    replay_progress_clear(p);
    p->shows = false;
}
