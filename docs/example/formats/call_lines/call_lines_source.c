/* SPDX-License-Identifier: MIT
 * Yields the calls of a file, which are whole, in file order.
 */
#include "formats/call_lines/call_lines.h"

#include "base/error.h"
#include "formats/shared/event_pool.h"
#include "formats/shared/line_reader.h"
#include "formats/shared/log_names.h"
#include "trace/source_ops.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call_lines_source {
    struct trace_source base; /* must be the first member, so that a pointer to it can be cast */
    char *name;               /* name of the file, for messages */
    struct trace_file file;
    struct line_reader lines;
    struct event_pool pool;
    struct log_names names;
    struct buf key;     /* key of a function; see log_names_function() */
    uint64_t line;      /* number of the last line read, from 1 */
    uint64_t next_call; /* number of the next call */
    bool resume;        /* reading continues after damage */
    bool ended;         /* all lines have been read */
    int rc;             /* the permanent error */
};

static struct call_lines_source *cast(struct trace_source *source)
{
    return (struct call_lines_source *)source;
}

/* --- a line ---------------------------------------------------------------------------------------- */

/* Takes the first word off the line. Returns an empty word at the end of the line. */
static struct text_slice take_word(struct text_slice *line)
{
    const char *blank = memchr(line->text, ' ', line->length);
    struct text_slice word = {line->text, blank != NULL ? (size_t)(blank - line->text) : line->length};
    size_t used = word.length + (blank != NULL);
    line->text += used;
    line->length -= used;
    return word;
}

/* Converts a word to a value. The block has room for its text. */
static struct trace_value make_value(struct event_block *block, struct text_slice word)
{
    const char *text = event_block_add_text(block, word.text, word.length);
    const char *digits = text + (*text == '-');
    struct trace_value value = {.type = TRACE_STRING, .count = word.length, .u.string = text};
    char *end = NULL;
    errno = 0;
    if (strncmp(text, "0x", 2) == 0 && isxdigit((unsigned char)text[2])) {
        uint64_t address = strtoull(text, &end, 16);
        if (*end == '\0' && errno == 0)
            value = (struct trace_value){.type = TRACE_OPAQUE, .u.uint = address};
    } else if (isdigit((unsigned char)*digits)) {
        int64_t number = strtoll(text, &end, 10);
        if (*end == '\0' && errno == 0)
            value = (struct trace_value){.type = number < 0 ? TRACE_SINT : TRACE_UINT, .u.sint = number};
    }
    return value;
}

/* The format has no names of arguments, so they are called a0, a1, … */
static int add_arg(struct call_lines_source *s, struct event_block *block, uint32_t index,
                   struct text_slice word)
{
    char name[16];
    snprintf(name, sizeof name, "a%" PRIu32, index);
    int rc = event_block_reserve_args(block, index + 1);
    if (rc == 0)
        rc = buf_append_byte(&s->key, '\0');
    if (rc == 0)
        rc = buf_append_string(&s->key, name);
    if (rc == 0)
        block->args[index] = make_value(block, word);
    return rc;
}

static bool is_name(struct text_slice word)
{
    for (size_t i = 0; i < word.length; ++i)
        if (!isalnum((unsigned char)word.text[i]) && word.text[i] != '_')
            return false;
    return word.length > 0;
}

static int parse_words(struct call_lines_source *s, struct event_block *block, struct text_slice line)
{
    struct text_slice name = take_word(&line);
    bool is_result = false;
    uint32_t count = 0;
    buf_clear(&s->key);
    if (!is_name(name))
        return trace_error_set(TRACE_ERR_FORMAT, "line %" PRIu64 ": it does not begin with a name", s->line);
    /* At most one NUL for each word. The room is reserved at once, so the text does not move. */
    int rc = event_block_reserve_text(block, 2 * line.length + 1);
    if (rc == 0)
        rc = buf_append(&s->key, name.text, name.length);
    while (rc == 0 && line.length > 0) {
        struct text_slice word = take_word(&line);
        if (is_result)
            block->call.ret = make_value(block, word);
        else if (word.length == 2 && memcmp(word.text, "->", 2) == 0)
            is_result = true;
        else
            rc = add_arg(s, block, count++, word);
    }
    if (rc != 0)
        return rc;
    const struct trace_function_sig *sig =
        log_names_function(&s->names, (const char *)s->key.data, s->key.len, count);
    return sig != NULL ? event_block_set_function(block, sig, count) : TRACE_ERR_MEMORY;
}

static int parse_call(struct call_lines_source *s, struct text_slice line, struct trace_event *out)
{
    struct event_block *block = event_pool_take(&s->pool);
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    int rc = parse_words(s, block, line);
    if (rc != 0) {
        event_pool_give_back(&s->pool, block);
        return rc;
    }
    block->event.kind = TRACE_EVENT_CALL;
    block->event.number = block->call.number = s->next_call++;
    event_block_hand_out(block, out);
    return 0;
}

/* --- the source ------------------------------------------------------------------------------------ */

/* Damage only costs this line if reading continues. */
static int fail(struct call_lines_source *s, int rc)
{
    if (rc == TRACE_ERR_FORMAT && s->resume)
        rc = TRACE_ERR_DAMAGED;
    else
        s->rc = rc;
    return trace_error_prefix(rc, "%s", s->name);
}

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct call_lines_source *s = cast(source);
    uint64_t start = s->lines.offset;
    struct text_slice line;
    bool found = false;
    if (s->rc != 0)
        return trace_error_set(s->rc, "%s: reading it failed earlier", s->name);
    *out = (struct trace_event){.kind = TRACE_EVENT_END};
    int rc = s->ended ? 0 : line_reader_next(&s->lines, &line, &found);
    if (rc != 0)
        return fail(s, rc);
    s->ended = !found;
    if (!found)
        return 0;
    ++s->line;
    if (s->lines.offset - start == line.length) { /* there was no line break */
        s->ended = true;
        return trace_error_set(TRACE_ERR_TRUNCATED, "%s: the file ends inside line %" PRIu64, s->name,
                               s->line);
    }
    rc = parse_call(s, line, out);
    return rc == 0 ? 0 : fail(s, rc);
}

static void source_release(struct trace_source *source, const struct trace_event *event)
{
    event_pool_release(&cast(source)->pool, event);
}

static void source_resume_after_damage(struct trace_source *source)
{
    cast(source)->resume = true;
}

static void source_set_progress(struct trace_source *source, struct trace_progress_callback progress)
{
    cast(source)->lines.window.progress = progress;
}

static void source_close(struct trace_source *source)
{
    struct call_lines_source *s = cast(source);
    event_pool_fini(&s->pool);
    line_reader_fini(&s->lines);
    log_names_fini(&s->names);
    buf_fini(&s->key);
    trace_file_close(&s->file);
    free(s->name);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume_after_damage,
    .set_progress = source_set_progress,
};

/* --- opening --------------------------------------------------------------------------------------- */

int call_lines_open(struct trace_source **out, struct trace_probe *probe)
{
    struct call_lines_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    s->base = (struct trace_source){.ops = &ops, .format_name = CALL_LINES_NAME, .order = TRACE_ORDER_CALLS};
    log_names_init(&s->names);
    s->name = strdup(probe->name);
    trace_probe_take_file(probe, &s->file);
    int rc = s->name != NULL ? file_window_make_seekable(&s->file)
                             : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    line_reader_init(&s->lines, &s->file);
    s->lines.offset = strlen(CALL_LINES_MARK);
    s->line = 1;
    if (rc != 0) {
        trace_error_prefix(rc, "%s", probe->name);
        source_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}
