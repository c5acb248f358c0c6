/* SPDX-License-Identifier: MIT */
#include "input/map_names.h"

#include "base/array.h"
#include "base/error.h"
#include "input/log_program.h"
#include "shell/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT_SHIFT 24 /* the bits of a function's number below that of its object */
#define OBJECT_MAX   255

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- options --------------------------------------------------------------------------------------- */

int instr_maps_add(struct instr_maps *maps, const char *value)
{
    if (ARRAY_RESERVE(maps->values, maps->count, maps->room) != 0)
        return no_memory();
    maps->values[maps->count++] = value;
    return 0;
}

void instr_maps_fini(struct instr_maps *maps)
{
    free(maps->values);
    *maps = (struct instr_maps){.count = 0};
}

/* --- objects --------------------------------------------------------------------------------------- */

static const struct named_object *find_object(const struct map_names *n, uint32_t number)
{
    for (size_t i = 0; i < n->count; ++i)
        if (n->objects[i].number == number)
            return &n->objects[i];
    return NULL;
}

static int add_object(struct map_names *n, uint32_t number, const char *path)
{
    struct named_object object = {.number = number};
    if (find_object(n, number) != NULL)
        return trace_error_set(TRACE_ERR_USAGE, "--instr-map=%s: there is another file for object %" PRIu32,
                               path, number);
    if (ARRAY_RESERVE(n->objects, n->count, n->room) != 0)
        return no_memory();
    int rc = xray_map_read(&object.map, path);
    if (rc != 0)
        return rc;
    object.path = strdup(path);
    if (object.path == NULL) {
        xray_map_fini(&object.map);
        return no_memory();
    }
    n->objects[n->count++] = object;
    return 0;
}

/* NUMBER=FILE; a FILE alone gets the next number. */
static int add_value(struct map_names *n, const char *value)
{
    size_t digits = strspn(value, "0123456789");
    uint32_t next = n->count > 0 ? n->objects[n->count - 1].number + 1 : 0;
    unsigned long number = digits > 0 && value[digits] == '=' ? strtoul(value, NULL, 10) : next;
    if (number > OBJECT_MAX)
        return trace_error_set(TRACE_ERR_USAGE, "--instr-map=%s: objects have numbers up to %d", value,
                               OBJECT_MAX);
    bool has_number = digits > 0 && value[digits] == '=';
    return add_object(n, (uint32_t)number, has_number ? value + digits + 1 : value);
}

int map_names_init(struct map_names *n, const struct instr_maps *maps)
{
    *n = (struct map_names){.mangled = maps->mangled};
    int rc = symbolizer_new(&n->symbolizer);
    for (size_t i = 0; rc == 0 && i < maps->count; ++i)
        rc = add_value(n, maps->values[i]);
    if (rc != 0)
        map_names_fini(n);
    return rc;
}

int map_names_init_program(struct map_names *n, const char *path, bool mangled)
{
    *n = (struct map_names){.mangled = mangled};
    int rc = symbolizer_new(&n->symbolizer);
    if (rc == 0)
        rc = add_object(n, 0, path);
    if (rc != 0)
        map_names_fini(n);
    return rc;
}

static void forget_objects(struct map_names *n)
{
    for (size_t i = 0; i < n->count; ++i) {
        xray_map_fini(&n->objects[i].map);
        free(n->objects[i].path);
    }
    n->count = 0;
}

void map_names_fini(struct map_names *n)
{
    forget_objects(n);
    free(n->objects);
    free(n->text);
    symbolizer_free(n->symbolizer);
    *n = (struct map_names){.count = 0};
}

/* --- a program that nobody gave -------------------------------------------------------------------- */

int map_names_find_program(struct map_names *n, const char *format, const char *path)
{
    char *program = NULL;
    if (n->count > 0 || strncmp(format, "xray", 4) != 0)
        return 0;
    int rc = log_program_find(path, &program);
    if (rc == 0 && program != NULL && (rc = add_object(n, 0, program)) == 0) {
        n->was_found = true;
        fprintf(stderr, "note: names of functions are from %s; --instr-map=FILE tells another program\n",
                program);
    }
    free(program);
    return rc == TRACE_ERR_MEMORY ? rc : 0;
}

/* Returns the object of a function, or NULL if no object has it. */
static const struct named_object *object_of(const struct map_names *n, uint32_t number, uint32_t *function)
{
    const struct named_object *object = find_object(n, number >> OBJECT_SHIFT);
    *function = number & ((1u << OBJECT_SHIFT) - 1);
    return object != NULL && *function > 0 && *function <= object->map.function_count ? object : NULL;
}

/* Sets the message. A library's function tells nothing about the program. */
static bool is_of_another_program(const struct map_names *n, uint32_t number)
{
    uint32_t function;
    if (!n->was_found || n->count == 0 || number >> OBJECT_SHIFT != 0 ||
        object_of(n, number, &function) != NULL)
        return false;
    trace_error_set(TRACE_ERR_FORMAT,
                    "%s has no function %" PRIu32
                    ", so another program wrote the log: --instr-map=FILE tells which",
                    n->objects[0].path, number);
    return true;
}

void map_names_doubt(struct map_names *n, uint32_t number)
{
    if (!is_of_another_program(n, number))
        return;
    cli_print_warning();
    forget_objects(n);
}

/* --- names ----------------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The outermost frame is the function itself; others are inlined into it. A function begins with a sled,
 * which may have no line: the code behind it has. */
static int find_frame(struct map_names *n, const char *path, uint64_t address, char **name, char **place)
{
    static const unsigned offsets[] = {0, 11, 12, 16, 32};
    const struct symbol_module module = {.path = path};
    const struct symbol_frame *frame = NULL, *frames;
    char text[300];
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets && (frame == NULL || frame->line <= 0); ++i) {
        size_t count;
        int rc = symbolizer_find(n->symbolizer, &module, address + offsets[i], &frames, &count);
        if (rc != 0)
            return rc;
        frame = count > 0 ? &frames[count - 1] : NULL;
    }
    if (frame == NULL)
        return 0;
    const char *known = n->mangled && frame->linkage_name != NULL ? frame->linkage_name : frame->function;
    if (known != NULL)
        *name = strdup(known);
    if (frame->file != NULL) {
        snprintf(text, sizeof text, "%s:%" PRId64 ":0", base_name(frame->file),
                 frame->line > 0 ? frame->line : 0);
        *place = strdup(text);
    }
    return 0;
}

int map_names_find(struct map_names *n, const struct trace_function_sig *sig, char **name, char **place)
{
    char text[32];
    uint32_t function;
    int rc = 0;
    *name = *place = NULL;
    const struct named_object *object = sig->number != 0 ? object_of(n, sig->number, &function) : NULL;
    if (object != NULL)
        rc = find_frame(n, object->path, object->map.functions[function - 1], name, place);
    if (rc == 0 && *name == NULL) {
        snprintf(text, sizeof text, "@(%" PRIx64 ")",
                 object != NULL ? object->map.functions[function - 1] : 0);
        *name = strdup(object != NULL ? text : sig->name);
    }
    if (rc == 0 && *place == NULL)
        *place = strdup("(unknown)");
    if (rc == 0 && *name != NULL && *place != NULL)
        return 0;
    free(*name);
    free(*place);
    return rc != 0 ? rc : no_memory();
}

const char *map_names_of_number(void *names, uint32_t number)
{
    struct map_names *n = names;
    char number_text[16], *place;
    snprintf(number_text, sizeof number_text, "#%" PRIu32, number);
    const struct trace_function_sig sig = {.name = number_text, .number = number};
    if (is_of_another_program(n, number))
        return NULL;
    free(n->text);
    n->text = NULL;
    if (map_names_find(n, &sig, &n->text, &place) != 0) {
        n->text = NULL;
        return NULL;
    }
    free(place);
    return n->text;
}

const char *map_names_of_function(void *names, const struct trace_function_sig *sig)
{
    return sig->number != 0 ? map_names_of_number(names, sig->number) : NULL;
}

int map_names_apply(struct map_names *n, const struct instr_maps *maps, bool wanted,
                    struct trace_source *source, const char *path)
{
    int rc = map_names_init(n, maps);
    if (rc != 0)
        return rc;
    if (wanted && (rc = map_names_find_program(n, trace_source_format_name(source), path)) != 0) {
        map_names_fini(n);
        return rc;
    }
    if (wanted || n->count > 0)
        trace_source_name_functions(source, map_names_of_number, n);
    return 0;
}
