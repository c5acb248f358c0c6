/* SPDX-License-Identifier: MIT
 * The options --function, --field, --thread, --process, --cpu, --stream and --time, which select events of
 * any format. A call belongs to the time and the processor at which it was entered.
 */
#ifndef CLI_EVENT_FILTER_H
#define CLI_EVENT_FILTER_H

#include "base/hash_map.h"
#include "input/field_filter.h"
#include "input/time_range.h"
#include "trace/source.h"

#define FILTER_NUMBERS_MAX 64

struct filter_numbers {
    int64_t values[FILTER_NUMBERS_MAX];
    size_t count; /* 0: all */
};

/* Adds the numbers of a list, "1,2". Errors: TRACE_ERR_USAGE. */
int filter_numbers_add(struct filter_numbers *n, const char *list);
/* The same for option tables. */
int filter_numbers_add_option(void *numbers, const char *list);

/* What the options say, lent from argv. NULL: not given. */
struct event_filter_options {
    const char *function;
    const char *thread;
    const char *process;
    const char *cpu;
    const char *time;
    struct filter_numbers threads; /* more threads, where --thread may be repeated */
    struct filter_numbers streams;
    struct field_filter fields;
};

#define EVENT_FILTER_OPTION(name, value, member, help)                                                       \
    {                                                                                                        \
        CLI_OPTION_STRING, 0, name, NULL, value, member, help, NULL                                          \
    }

#define EVENT_FILTER_REPEATED(name, value, member, help, add)                                                \
    {                                                                                                        \
        CLI_OPTION_CALLBACK, 0, name, NULL, value, member, help, add                                         \
    }

/* Entries of an option table; type is the command's structure, which has these options as `member`. */
#define EVENT_FILTER_OPTIONS(type, member)                                                                   \
    EVENT_FILTER_OPTION("thread", "ID,...", offsetof(type, member.thread), "only calls of these threads"),   \
        EVENT_FILTER_OPTIONS_BUT_THREAD(type, member)

/* The same for a command with its own --thread. */
#define EVENT_FILTER_OPTIONS_BUT_THREAD(type, member)                                                        \
    EVENT_FILTER_OPTION("function", "GLOB", offsetof(type, member.function),                                 \
                        "only calls of functions with such a name"),                                         \
        EVENT_FILTER_REPEATED("field", "NAME=VALUE", offsetof(type, member.fields),                          \
                              "only calls and events whose argument or field has this\n"                     \
                              "value: a number, or a glob; also != < <= > >=; may be repeated",              \
                              field_filter_add),                                                             \
        EVENT_FILTER_OPTION("process", "ID,...", offsetof(type, member.process),                             \
                            "only calls of these processes"),                                                \
        EVENT_FILTER_OPTION("cpu", "ID,...", offsetof(type, member.cpu),                                     \
                            "only calls that began on these processors"),                                    \
        EVENT_FILTER_REPEATED("stream", "ID,...", offsetof(type, member.streams),                            \
                              "only events of these streams; may be repeated", filter_numbers_add_option),   \
        EVENT_FILTER_OPTION("time", "BEGIN,END", offsetof(type, member.time), TIME_RANGE_HELP)

/* Returns a name of the function besides the one in the trace, or NULL; lent until the next call. */
typedef const char *(*event_filter_name)(void *context, const struct trace_function_sig *sig);

/* Initialise it with event_filter_init(). */
struct event_filter {
    bool is_given;    /* any of the options */
    bool has_matched; /* a call */
    bool is_each;     /* set it before event_filter_begin(): the ends of a call are selected each by itself */
    const char *function;
    struct filter_numbers threads, processes, cpus, streams;
    struct field_filter fields;
    bool has_time;
    struct time_range time;
    const struct trace_clock *clock;
    struct trace_clock calls_clock; /* of a trace in the apitrace format */
    event_filter_name name;         /* NULL: functions have the trace's names only */
    void *name_context;
    struct int_map known; /* by address of the signature: whether its name matches */
    struct int_map open;  /* numbers of calls that were selected and have not ended */
};

/* Errors: TRACE_ERR_USAGE, with the option's name in the message. There is then nothing to free. */
int event_filter_init(struct event_filter *f, const struct event_filter_options *options);
void event_filter_fini(struct event_filter *f);

/* Call it for each trace before its events are read. The source passes over events before the time that is
 * asked for, if it can, unless wants_all. Errors: TRACE_ERR_USAGE if its
 * clock does not tell such times. */
int event_filter_begin(struct event_filter *f, struct trace_source *source, bool wants_all);
/* Does the same for a trace in the apitrace format. wall_offset: as in struct trace_clock. path is for
 * messages. */
int event_filter_begin_calls(struct event_filter *f, bool has_times, int64_t wall_offset, const char *path);

/* Times may count from the first event with a call. Call it with all events if event_filter_wants() is only
 * called with some of them. */
void event_filter_note_first(struct event_filter *f, const struct trace_event *event);

/* Returns whether the options select this call, beginning of a call, or other event with a call. */
bool event_filter_wants(void *filter, const struct trace_event *event);

/* Returns whether an event of any kind is selected: ends of calls with their beginnings, unless is_each; of
 * events without a call, those of other threads, processes and times are left out. Call it with each event,
 * in their order. */
bool event_filter_passes(void *filter, const struct trace_event *event);

/* Returns whether no later event of a source in chronological order is selected. Call it with each event,
 * after event_filter_passes(). */
bool event_filter_is_over(const struct event_filter *f, const struct trace_event *event);

#endif
