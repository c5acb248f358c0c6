/* SPDX-License-Identifier: MIT */
#include "edit/frame_rewriter.h"

#include "base/array.h"
#include "base/error.h"
#include "base/varint.h"
#include "shell/messages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void frame_rewriter_init(struct frame_rewriter *r, struct symbolizer *symbolizer, const char *root)
{
    *r = (struct frame_rewriter){.symbolizer = symbolizer, .written = INT64_MAX, .root = root};
    arena_init(&r->texts);
}

void frame_rewriter_fini(struct frame_rewriter *r)
{
    int_map_fini(&r->ids);
    string_map_fini(&r->modules);
    free(r->expansions);
    free(r->edits);
    buf_fini(&r->bytes);
    arena_fini(&r->texts);
}

/* --- bytes of frames ------------------------------------------------------------------------------- */

/* Reads a number and moves *p after it. Returns false if it makes no sense. */
static bool take_number(const uint8_t **p, const uint8_t *end, uint64_t *out)
{
    int used = varint_get(*p, end, out);
    *p += used > 0 ? used : 0;
    return used > 0;
}

static const char *read_text(struct frame_rewriter *r, const uint8_t **p, const uint8_t *end)
{
    uint64_t size;
    if (!take_number(p, end, &size) || size > (uint64_t)(end - *p))
        return NULL;
    char *text = arena_alloc(&r->texts, size + 1);
    if (text == NULL)
        return NULL;
    memcpy(text, *p, size);
    text[size] = '\0';
    *p += size;
    return text;
}

/* Reads the body of a frame. Returns false if it makes no sense. */
static bool read_frame(struct frame_rewriter *r, const uint8_t *p, const uint8_t *end, struct trace_frame *f)
{
    *f = (struct trace_frame){.line = -1, .offset = -1};
    while (p < end) {
        uint8_t tag = *p++;
        uint64_t number;
        const char **text = tag == TRACE_FRAME_MODULE     ? &f->module
                            : tag == TRACE_FRAME_FUNCTION ? &f->function
                            : tag == TRACE_FRAME_FILE     ? &f->file
                                                          : NULL;
        if (tag == TRACE_FRAME_END)
            return true;
        if (text != NULL && (*text = read_text(r, &p, end)) == NULL)
            return false;
        if (text != NULL)
            continue;
        if (!take_number(&p, end, &number))
            return false;
        *(tag == TRACE_FRAME_LINE ? &f->line : &f->offset) = number <= INT64_MAX ? (int64_t)number : -1;
    }
    return false;
}

static int put_number(struct buf *b, uint64_t number)
{
    if (buf_reserve(b, VARINT_MAX_BYTES) != 0)
        return TRACE_ERR_MEMORY;
    b->len += varint_put(b->data + b->len, number);
    return 0;
}

static int put_text(struct buf *b, uint8_t tag, const char *text)
{
    if (text == NULL)
        return 0;
    int rc = buf_append_byte(b, tag);
    if (rc == 0)
        rc = put_number(b, strlen(text));
    return rc == 0 ? buf_append_string(b, text) : rc;
}

static int put_tagged(struct buf *b, uint8_t tag, int64_t number)
{
    if (number < 0)
        return 0;
    int rc = buf_append_byte(b, tag);
    return rc == 0 ? put_number(b, (uint64_t)number) : rc;
}

static int put_frame(struct buf *b, const struct trace_frame *f)
{
    int rc = put_number(b, f->id);
    if (rc == 0)
        rc = put_text(b, TRACE_FRAME_MODULE, f->module);
    if (rc == 0)
        rc = put_text(b, TRACE_FRAME_FUNCTION, f->function);
    if (rc == 0)
        rc = put_text(b, TRACE_FRAME_FILE, f->file);
    if (rc == 0)
        rc = put_tagged(b, TRACE_FRAME_LINE, f->line);
    if (rc == 0)
        rc = put_tagged(b, TRACE_FRAME_OFFSET, f->offset);
    return rc == 0 ? buf_append_byte(b, TRACE_FRAME_END) : rc;
}

/* --- names ----------------------------------------------------------------------------------------- */

/* Returns the path of the module's file. */
static const char *module_path(struct frame_rewriter *r, const char *module)
{
    if (r->root == NULL || module[0] != '/')
        return module;
    char *path = arena_alloc(&r->texts, strlen(r->root) + strlen(module) + 1);
    if (path == NULL)
        return module;
    stpcpy(stpcpy(path, r->root), module);
    return access(path, F_OK) == 0 ? path : module;
}

/* Returns the module's entry in the list of builds, or NULL. *several: other builds had the same path. */
static const struct trace_module *find_build(const struct frame_rewriter *r, const char *path, bool *several)
{
    const struct trace_module *found = NULL;
    *several = false;
    for (size_t i = 0; r->builds != NULL && i < r->builds->count; ++i) {
        if (strcmp(r->builds->list[i].path, path) != 0)
            continue;
        *several = found != NULL;
        found = &r->builds->list[i];
    }
    return found;
}

/* A frame does not say to which of the builds it belongs. */
static int warn_of_several(struct frame_rewriter *r, const char *path)
{
    if (string_map_get(&r->modules, path, NULL))
        return 0;
    trace_error_set(TRACE_ERR_FORMAT, "%s: several builds were loaded, whose frames cannot be told apart",
                    path);
    cli_print_warning();
    return string_map_set(&r->modules, path, 0);
}

/* The build of this module is unknown. Warns if its file was changed after the trace was written. */
static int check_module(struct frame_rewriter *r, const char *path)
{
    struct stat st;
    if (string_map_get(&r->modules, path, NULL))
        return 0;
    if (stat(path, &st) == 0 && st.st_mtime > r->written) {
        trace_error_set(TRACE_ERR_FORMAT,
                        "%s was changed after the trace was written: its names may be wrong", path);
        cli_print_warning();
    }
    return string_map_set(&r->modules, path, 0);
}

/* Finds the frame's address in its module. The offset counts from the function if there is one, otherwise
 * from the start of the module, which is 0 unless it is linked to a fixed address. */
static bool find_address(struct frame_rewriter *r, const struct symbol_module *module,
                         const struct trace_module *build, const struct trace_frame *f, uint64_t *address)
{
    uint64_t base = 0;
    if (f->function == NULL && build != NULL) {
        *address = build->address + (uint64_t)f->offset;
        return true;
    }
    if (f->function != NULL && !symbolizer_address_of_function(r->symbolizer, module, f->function, &base))
        return false;
    *address = base + (uint64_t)f->offset;
    if (f->function == NULL && symbolizer_module_base(r->symbolizer, module, &base) && *address < base)
        *address += base;
    return true;
}

/* Finds the names of a frame. *count is 0 if nothing new is known. Errors: TRACE_ERR_MEMORY. */
static int find_names(struct frame_rewriter *r, const struct trace_frame *f,
                      const struct symbol_frame **names, size_t *count)
{
    uint64_t address;
    bool several;
    *count = 0;
    if (f->file != NULL)
        return 0;
    /* A module without a slash is the kernel's or generated code, and has no file. */
    if (f->module == NULL || f->offset < 0 || strchr(f->module, '/') == NULL) {
        ++r->unnamed;
        return 0;
    }
    const struct trace_module *build = find_build(r, f->module, &several);
    struct symbol_module module = {.path = module_path(r, f->module)};
    if (build != NULL && build->build_id_size > 0) {
        module.build_id = build->build_id;
        module.build_id_size = build->build_id_size;
    }
    int rc = several                   ? warn_of_several(r, f->module)
             : module.build_id == NULL ? check_module(r, module.path)
                                       : 0;
    if (rc == 0 && !several && find_address(r, &module, build, f, &address))
        rc = symbolizer_find(r->symbolizer, &module, address, names, count);
    if (rc == 0 && *count == 1 &&
        ((*names)->function == NULL || (f->function != NULL && (*names)->file == NULL)))
        *count = 0;
    ++*(*count > 0 ? &r->named : &r->unnamed);
    return rc;
}

/* Appends the frames that take the place of f. */
static int put_frames(struct frame_rewriter *r, const struct trace_frame *f, struct frame_expansion *out)
{
    const struct symbol_frame *names;
    size_t count;
    int rc = find_names(r, f, &names, &count);
    *out = (struct frame_expansion){r->next_id, count > 0 ? (uint32_t)count : 1};
    r->next_id += out->count;
    for (uint32_t i = 0; i < out->count && rc == 0; ++i) {
        struct trace_frame frame = *f;
        frame.id = out->first + i;
        if (count > 0) {
            frame.function = names[i].function;
            frame.file = names[i].file;
            frame.line = names[i].line;
            frame.offset = names[i].offset >= 0 && names[i].function != NULL ? names[i].offset : f->offset;
        }
        rc = put_frame(&r->bytes, &frame);
    }
    return rc;
}

/* --- edits ----------------------------------------------------------------------------------------- */

static int add_edit(struct frame_rewriter *r, size_t at, size_t size, size_t bytes_from)
{
    if (ARRAY_RESERVE(r->edits, r->edit_count, r->edit_room) != 0)
        return TRACE_ERR_MEMORY;
    /* An offset for now, because the buffer may still move. */
    r->edits[r->edit_count++] =
        (struct trace_edit){at, size, (const void *)(uintptr_t)bytes_from, r->bytes.len - bytes_from};
    return 0;
}

static void place_edits(struct frame_rewriter *r)
{
    for (size_t i = 0; i < r->edit_count; ++i)
        r->edits[i].bytes = r->bytes.data + (uintptr_t)r->edits[i].bytes;
}

/* Returns the offset of the number that ends before `end`. Its first byte follows one that is below 0x80: a
 * tag, or the end of another number. */
static size_t number_start(const struct trace_raw_event *event, size_t end)
{
    size_t at = end - 1;
    while (at > 1 && (event->bytes[at - 1] & 0x80) != 0)
        --at;
    return at;
}

static int remember(struct frame_rewriter *r, uint32_t id, struct frame_expansion expansion)
{
    if (ARRAY_RESERVE(r->expansions, r->expansion_count, r->expansion_room) != 0)
        return TRACE_ERR_MEMORY;
    r->expansions[r->expansion_count] = expansion;
    return int_map_set(&r->ids, id, r->expansion_count++);
}

/* Handles a frame that is defined here. *expansion: the frames that replace it. */
static int edit_definition(struct frame_rewriter *r, const struct trace_raw_event *event,
                           const struct trace_mark *mark, struct frame_expansion *expansion)
{
    struct trace_frame frame;
    size_t from = r->bytes.len, at = number_start(event, mark->at);
    arena_reset(&r->texts);
    if (!read_frame(r, event->bytes + mark->at, event->bytes + mark->at + mark->size, &frame))
        return trace_error_set(TRACE_ERR_FORMAT, "a frame of a backtrace makes no sense");
    int rc = put_frames(r, &frame, expansion);
    if (rc == 0)
        rc = remember(r, mark->id, *expansion);
    return rc == 0 ? add_edit(r, at, mark->at + mark->size - at, from) : rc;
}

/* Handles a frame that was defined before, or in a lost part of the trace. */
static int edit_reference(struct frame_rewriter *r, const struct trace_raw_event *event,
                          const struct trace_mark *mark, struct frame_expansion *expansion)
{
    uint64_t index;
    size_t from = r->bytes.len, at = number_start(event, mark->at);
    int rc = 0;
    if (int_map_get(&r->ids, mark->id, &index)) {
        *expansion = r->expansions[index];
    } else {
        *expansion = (struct frame_expansion){r->next_id++, 1};
        rc = remember(r, mark->id, *expansion);
    }
    for (uint32_t i = 0; i < expansion->count && rc == 0; ++i)
        rc = put_number(&r->bytes, expansion->first + i);
    return rc == 0 ? add_edit(r, at, mark->at - at, from) : rc;
}

static const struct trace_mark *next_frame(const struct trace_raw_event *event, size_t *i)
{
    while (*i < event->mark_count && event->marks[*i].kind != TRACE_MARK_FRAME)
        ++*i;
    return *i < event->mark_count ? &event->marks[(*i)++] : NULL;
}

/* Adds `more` to the count of the backtrace, which precedes its first frame. */
static int edit_count(struct frame_rewriter *r, const struct trace_raw_event *event,
                      const struct trace_mark *first, size_t frames, uint64_t more)
{
    size_t end = number_start(event, first->at), at = number_start(event, end), from = r->bytes.len;
    uint64_t count = 0;
    const uint8_t *p = event->bytes + at;
    if (!take_number(&p, event->bytes + end, &count) || count != frames || at == 0 ||
        event->bytes[at - 1] != TRACE_DETAIL_BACKTRACE)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "call %llu has several backtraces",
                               (unsigned long long)event->call);
    int rc = put_number(&r->bytes, count + more);
    if (rc == 0)
        rc = add_edit(r, at, end - at, from);
    if (rc == 0 && r->edit_count > 1) { /* it precedes the other edits */
        struct trace_edit edit = r->edits[r->edit_count - 1];
        memmove(r->edits + 1, r->edits, (r->edit_count - 1) * sizeof *r->edits);
        r->edits[0] = edit;
    }
    return rc;
}

int frame_rewriter_event(struct frame_rewriter *r, const struct trace_raw_event *event,
                         const struct trace_edit **edits, size_t *count)
{
    size_t i = 0, frames = 0;
    uint64_t more = 0;
    const struct trace_mark *mark, *first = NULL;
    int rc = 0;
    buf_clear(&r->bytes);
    r->edit_count = 0;
    while (rc == 0 && (mark = next_frame(event, &i)) != NULL) {
        struct frame_expansion expansion = {0, 1};
        first = first != NULL ? first : mark;
        rc = mark->size > 0 ? edit_definition(r, event, mark, &expansion)
                            : edit_reference(r, event, mark, &expansion);
        more += expansion.count - 1;
        ++frames;
    }
    if (rc == 0 && more > 0)
        rc = edit_count(r, event, first, frames, more);
    place_edits(r);
    *edits = r->edits;
    *count = r->edit_count;
    return rc;
}
