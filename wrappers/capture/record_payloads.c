/* SPDX-License-Identifier: MIT */
#include "capture/record_payloads.h"

#include "context/gl_context.h"
#include "memory/program_memory.h"
#include "records/record.h"

#include "formats/apitrace/format.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((uint64_t)4 << 30)      /* limit for a blob, and for all items of a payload together */
#define MAX_ITEMS (TRACE_ITEMS_LIMIT / 16) /* highest number of strings or blobs */
/* Highest number of elements, because readers reject events with too many values. */
#define MAX_ARRAY (TRACE_ITEMS_LIMIT / 8)
/* A number of elements that is below the other limits for every element type. */
#define MAX_PLAIN ((int64_t)1 << 16)
/* How many unreadable bytes are recorded as zeros before the first readable one, if that is allowed. */
#define MAX_LEAD ((uint64_t)16 << 20)
/* The same between readable parts and after the last one. After the last one, there may also be as many zeros
 * as were recorded before the first. */
#define MAX_GAP ((uint64_t)64 << 10)

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns how many bytes at memory, at most size, are worth recording although some cannot be read; 0: none.
 */
static uint64_t size_with_gaps(const uint8_t *memory, uint64_t size, uint64_t lead)
{
    uint64_t n = program_memory_gap(memory, least(size, lead + 1)), most = lead > MAX_GAP ? lead : MAX_GAP;
    if (n > lead || n == size)
        return 0;
    for (;;) {
        n += program_memory_extent(memory + n, size - n);
        uint64_t gap = program_memory_gap(memory + n, least(size - n, most + 1));
        if (gap > most)
            return n;
        n += gap;
        if (n == size)
            return n;
    }
}

static uint64_t recordable(const void *memory, uint64_t size, uint64_t lead, bool *gaps)
{
    *gaps = !program_memory_readable(memory, size);
    return *gaps ? size_with_gaps(memory, size, lead) : size;
}

/* --- arrays of strings and blobs -------------------------------------------------------------------- */

static bool has_items(const struct spec_param *p)
{
    return p->form == SPEC_FORM_STRINGS || p->form == SPEC_FORM_BLOBS;
}

static struct payload_item *take_items(struct payload_list *list, uint64_t count)
{
    if (count > PAYLOAD_ITEMS - list->items_used)
        return malloc(count * sizeof(struct payload_item));
    list->items_used += (unsigned)count;
    return list->items + (list->items_used - count);
}

static const void *load_pointer(const struct payload *p, int64_t i)
{
    const void *pointer = NULL;
    const uint8_t *at = (const uint8_t *)p->memory + (uint64_t)i * sizeof pointer;
    if (!p->gaps || program_memory_readable(at, sizeof pointer))
        memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

/* Returns the count that stands for unreadable memory. For a blob, the trace can contain the address instead;
 * for other payloads, nothing is recorded. apitrace aborts on an address in place of an array, and
 * dereferences the NULL of some. */
static int64_t unreadable(const struct spec_param *p)
{
    switch ((enum spec_form)p->form) {
    case SPEC_FORM_BLOB:
    case SPEC_FORM_BLOBS:
        return PAYLOAD_OPAQUE;
    case SPEC_FORM_STRUCT:
        return PAYLOAD_NULL;
    default:
        return 0;
    }
}

/* Returns true if a text without a NUL ends at the end of readable memory. */
static bool ends_at_gap(const void *text, int64_t length)
{
    const char *end = (const char *)text + length;
    return (uintptr_t)end % PROGRAM_PAGE == 0 && !program_memory_readable(end, 1);
}

/* Measures item i. */
static void measure_item(const struct capture_thread *t, const struct spec_function *f,
                         const union spec_arg *args, const struct payload *p, int64_t i, uint64_t limit)
{
    struct payload_item *item = &p->items[i];
    const struct spec_state *state = &t->context->sizes;
    item->gaps = false;
    item->count = PAYLOAD_NULL;
    if (item->memory == NULL)
        return;
    int64_t count = p->param->form == SPEC_FORM_STRINGS
                        ? spec_string_length(f, args, p->index, (size_t)i, item->memory, state)
                        : spec_item_length(f, args, p->index, (size_t)i, state);
    item->count = count;
    if (count > 0)
        item->count = (int64_t)recordable(item->memory, least((uint64_t)count, limit), 0, &item->gaps);
    if (count < 0 || (p->param->form == SPEC_FORM_STRINGS && ends_at_gap(item->memory, count)))
        item->gaps = true;
    if (count < 0 || (count > 0 && item->count == 0))
        item->count = p->param->form == SPEC_FORM_BLOBS ? PAYLOAD_OPAQUE : PAYLOAD_NULL;
}

static uint64_t bytes_of(int64_t count, uint64_t size)
{
    return sizeof count + (count == PAYLOAD_OPAQUE ? sizeof(int64_t) : count > 0 ? RECORD_PAD(size) : 0);
}

/* Copies the pointers first, because another thread may change them. Returns the total size of the items in
 * bytes. */
static uint64_t measure_items(struct payload_list *list, const struct capture_thread *t,
                              const struct spec_function *f, const union spec_arg *args, struct payload *p)
{
    uint64_t bytes = 0, left = MAX_BYTES;
    p->items = take_items(list, (uint64_t)p->count);
    if (p->items == NULL) {
        p->count = unreadable(p->param);
        return 0;
    }
    for (int64_t i = 0; i < p->count; ++i) {
        p->items[i].memory = load_pointer(p, i);
        measure_item(t, f, args, p, i, left);
        uint64_t size = p->items[i].count > 0 ? (uint64_t)p->items[i].count : 0;
        bytes += bytes_of(p->items[i].count, size);
        list->has_gaps |= p->items[i].gaps;
        left -= size;
    }
    return bytes;
}

/* --- parameters --------------------------------------------------------------------------------------- */

static uint64_t element_size(const struct spec_param *p)
{
    switch ((enum spec_form)p->form) {
    case SPEC_FORM_ARRAY:
        return spec_type_size(p->type);
    case SPEC_FORM_STRUCT:
        return p->group < spec_struct_count ? spec_structs[p->group].sizes[SPEC_ABI_OWN] : 0;
    case SPEC_FORM_STRINGS:
    case SPEC_FORM_BLOBS:
        return sizeof(void *);
    default:
        return 1;
    }
}

/* The highest number of elements that are recorded. */
static uint64_t element_limit(const struct spec_param *p, uint64_t size)
{
    return has_items(p) ? MAX_ITEMS : p->form == SPEC_FORM_ARRAY ? MAX_ARRAY : MAX_BYTES / size;
}

/* The slow path, for memory that is large or not fully readable. */
static __attribute__((noinline)) void measure_part(struct payload *p, uint64_t size, uint64_t lead)
{
    p->size = 0;
    if (size > 0) {
        uint64_t count = least((uint64_t)p->count, element_limit(p->param, size));
        count = recordable(p->memory, count * size, lead, &p->gaps) / size;
        p->size = count * size;
        p->count = (int64_t)count;
    }
    if (p->size == 0)
        p->count = unreadable(p->param);
}

static void measure_memory(struct payload *p, uint64_t lead)
{
    uint64_t size = element_size(p->param);
    p->size = (uint64_t)p->count * size;
    if (size == 0 || p->count > MAX_PLAIN || !program_memory_readable(p->memory, p->size))
        measure_part(p, size, lead);
}

/* Returns the count for a pointer to data of unknown length. Strings and attribute lists end where they
 * cannot be read. For arrays, the first element is recorded, because apitrace aborts on an address in place
 * of an array. */
static int64_t unknown(struct payload *p)
{
    bool text = p->param->form == SPEC_FORM_STRING || (p->param->flags & SPEC_PARAM_ATTRIBS) != 0;
    p->gaps = !program_memory_readable(p->memory, 1);
    if (text || has_items(p->param) || p->gaps)
        return unreadable(p->param);
    return p->param->form == SPEC_FORM_ARRAY ? 1 : PAYLOAD_OPAQUE;
}

/* Adds a payload. count is the one that the call gives, or one of the negative codes. */
static void add_payload(struct payload_list *list, const struct capture_thread *t,
                        const struct spec_function *f, const union spec_arg *args, struct payload *p,
                        uint64_t lead)
{
    uint64_t items = 0;
    p->items = NULL;
    p->size = 0;
    p->gaps = false;
    if (p->memory == NULL)
        p->count = PAYLOAD_NULL;
    else if (p->count == SPEC_LENGTH_OFFSET)
        p->count = PAYLOAD_OPAQUE;
    else if (p->count < 0)
        p->count = unknown(p);
    if (p->count > 0)
        measure_memory(p, lead);
    if (p->param->form == SPEC_FORM_STRING && p->count > 0 && ends_at_gap(p->memory, p->count))
        list->has_gaps = true;
    list->has_gaps |= p->gaps;
    if (p->count > 0 && has_items(p->param)) {
        items = measure_items(list, t, f, args, p);
        p->size = 0;
    }
    list->bytes += bytes_of(p->count, p->size) + items;
}

static struct payload *next_payload(struct payload_list *list, const struct spec_param *param, unsigned index,
                                    const void *memory)
{
    struct payload *p = &list->payloads[list->count++];
    p->param = param;
    p->index = (uint16_t)index;
    p->memory = memory;
    p->count = 0;
    return p;
}

void payload_list_init(struct payload_list *list, const struct capture_thread *t,
                       const struct spec_function *f, const union spec_arg *args,
                       const struct capture_override *memory)
{
    list->count = 0;
    list->items_used = 0;
    list->bytes = 0;
    list->has_gaps = false;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *param = spec_param(f, i);
        if (!is_payload(param) || (param->flags & SPEC_PARAM_OUT) != 0)
            continue;
        bool replaced = memory != NULL && memory->parameter == i;
        struct payload *p = next_payload(list, param, i, replaced ? memory->memory : args[i].p);
        if (replaced)
            p->count = memory->count;
        else if (p->memory != NULL)
            p->count = spec_length(f, args, i, &t->context->sizes);
        add_payload(list, t, f, args, p, replaced ? MAX_LEAD : 0);
    }
}

void payload_list_init_results(struct payload_list *list, const struct capture_thread *t,
                               const struct spec_function *f, const union spec_arg *args,
                               const union spec_arg *ret, bool with_inputs)
{
    list->count = 0;
    list->items_used = 0;
    list->bytes = 0;
    list->has_gaps = false;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *param = spec_param(f, i);
        bool is_output = (param->flags & SPEC_PARAM_OUT) != 0, had_gaps = list->has_gaps;
        if (!is_payload(param) || !(is_output || with_inputs))
            continue;
        struct payload *p = next_payload(list, param, i, args[i].p);
        if (p->memory != NULL)
            p->count = spec_output_length(f, args, ret, i, &t->context->sizes);
        add_payload(list, t, f, args, p, 0);
        if (is_output)
            list->has_gaps = had_gaps;
    }
    if (!is_payload(&f->ret))
        return;
    struct payload *p = next_payload(list, &f->ret, SPEC_NO_INDEX, ret->p);
    if (p->memory != NULL)
        p->count = spec_return_length(f, args, ret, &t->context->sizes);
    add_payload(list, t, f, args, p, 0);
}

void payload_list_fini(struct payload_list *list)
{
    for (unsigned i = 0; i < list->count; ++i) {
        struct payload_item *items = list->payloads[i].items;
        if (items != NULL && (items < list->items || items >= list->items + PAYLOAD_ITEMS))
            free(items);
    }
}
