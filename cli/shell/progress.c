/* SPDX-License-Identifier: MIT */
#include "shell/progress.h"

#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/reader.h"
#include "base/clock.h"
#include "shell/amounts.h"
#include "shell/interrupt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIRST_MS  1000 /* shorter operations show nothing */
#define REDRAW_MS 200
#define LINE_SIZE 160

static const char erase_line[] = "\r\33[K";

struct part {
    uint64_t done;
    uint64_t total;                        /* 0: unknown */
    uint64_t (*count_calls)(const void *); /* NULL: calls are not counted */
    const void *counted;
    uint64_t calls; /* calls read so far */
};

static struct {
    pthread_mutex_t lock;
    const char *what; /* NULL: nothing is shown */
    bool drawn;
    int64_t start;
    int64_t next;
    struct part parts[PROGRESS_FILES];
    unsigned count;
    bool in_calls; /* the unit is calls, not bytes */
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- the line -------------------------------------------------------------------------------------- */

static void format_time_left(char *out, size_t size, double seconds)
{
    if (seconds < 60)
        snprintf(out, size, "%.0f s left", seconds);
    else if (seconds < 3600)
        snprintf(out, size, "%.0f min left", seconds / 60);
    else
        snprintf(out, size, "%.1f h left", seconds / 3600);
}

/* "5 MB/s", or "5 MB/s, 3 M calls/s". */
static void format_rate(char *out, size_t size, double done, double calls, double seconds)
{
    void (*format)(char *, size_t, double) = progress.in_calls ? amount_of_calls : amount_of_bytes;
    format(out, size - 3, seconds > 0 ? done / seconds : 0);
    strcat(out, "/s");
    size_t used = strlen(out);
    if (calls <= 0 || seconds <= 0 || size - used < 32)
        return;
    memcpy(out + used, ", ", 3);
    amount_of_calls(out + used + 2, size - used - 5, calls / seconds);
    strcat(out, "/s");
}

static void format_line(char *out, size_t size, double seconds)
{
    char amount[32], rate[72], left[32];
    double done = 0;
    double total = 0;
    double calls = 0;
    bool known = true;
    for (unsigned i = 0; i < progress.count; ++i) {
        done += (double)progress.parts[i].done;
        total += (double)progress.parts[i].total;
        calls += (double)progress.parts[i].calls;
        known = known && progress.parts[i].total > 0;
    }
    (progress.in_calls ? amount_of_calls : amount_of_bytes)(amount, sizeof amount, known ? total : done);
    format_rate(rate, sizeof rate, done, calls, seconds);
    if (!known) {
        snprintf(out, size, "%s: %s, %s", progress.what, amount, rate);
    } else if (done <= 0) {
        snprintf(out, size, "%s: 0 %% of %s", progress.what, amount);
    } else {
        format_time_left(left, sizeof left, seconds * (total - done) / done);
        snprintf(out, size, "%s: %.0f %% of %s, %s, %s", progress.what, 100 * done / total, amount, rate,
                 left);
    }
}

/* A line that the terminal wraps could not be erased. */
static void cut_to_terminal(char *line)
{
    struct winsize w;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && strlen(line) >= w.ws_col)
        line[w.ws_col - 1] = '\0';
}

static void put(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text)); /* if it cannot be written, nobody sees it */
    (void)ignored;
}

static void draw(int64_t now)
{
    char line[LINE_SIZE];
    char text[LINE_SIZE + sizeof erase_line];
    format_line(line, sizeof line, (double)(now - progress.start) / 1000);
    cut_to_terminal(line);
    snprintf(text, sizeof text, "%s%s", erase_line, line);
    interrupt_erase_line(true);
    put(text);
    progress.drawn = true;
}

static void erase(void)
{
    if (!progress.drawn)
        return;
    put(erase_line);
    interrupt_erase_line(false);
    progress.drawn = false;
}

/* --- work ------------------------------------------------------------------------------------------ */

static bool is_in_foreground(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && tcgetpgrp(STDERR_FILENO) == getpgrp() && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

static bool is_setting(const char *word)
{
    const char *setting = getenv("TRACE_CLI_PROGRESS");
    return setting != NULL && strcmp(setting, word) == 0;
}

void progress_begin(const char *what)
{
    progress_end();
    bool always = is_setting("always");
    if (is_setting("never") || !(always || is_in_foreground()))
        return;
    progress.what = what;
    progress.count = 0;
    progress.in_calls = false;
    progress.start = clock_milliseconds();
    progress.next = progress.start + (always ? 0 : FIRST_MS);
}

void progress_begin_beside_output(const char *what)
{
    if (!isatty(STDOUT_FILENO))
        progress_begin(what);
}

static void report(void *context, uint64_t done, uint64_t total)
{
    struct part *part = context;
    int64_t now = clock_milliseconds();
    pthread_mutex_lock(&progress.lock);
    part->done = done;
    part->total = total;
    if (part->count_calls != NULL)
        part->calls = part->count_calls(part->counted);
    if (progress.what != NULL && now >= progress.next) {
        draw(now);
        progress.next = now + REDRAW_MS;
    }
    pthread_mutex_unlock(&progress.lock);
}

static struct trace_progress_callback add_part(const struct part *part)
{
    struct trace_progress_callback callback = {NULL, NULL};
    pthread_mutex_lock(&progress.lock);
    if (progress.what != NULL && progress.count < PROGRESS_FILES) {
        callback = (struct trace_progress_callback){report, &progress.parts[progress.count]};
        progress.parts[progress.count++] = *part;
    }
    pthread_mutex_unlock(&progress.lock);
    return callback;
}

struct trace_progress_callback progress_callback(void)
{
    return add_part(&(struct part){.done = 0});
}

struct trace_progress_callback progress_callback_with_calls(uint64_t (*count_calls)(const void *of),
                                                            const void *of)
{
    return add_part(&(struct part){.count_calls = count_calls, .counted = of});
}

struct trace_progress_callback progress_callback_of_calls(void)
{
    progress.in_calls = true;
    return progress_callback();
}

void progress_clear(void)
{
    pthread_mutex_lock(&progress.lock);
    erase();
    pthread_mutex_unlock(&progress.lock);
}

void progress_end(void)
{
    pthread_mutex_lock(&progress.lock);
    erase();
    progress.what = NULL;
    pthread_mutex_unlock(&progress.lock);
}
