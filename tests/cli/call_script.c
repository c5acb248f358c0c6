/* SPDX-License-Identifier: MIT */
#include "call_script.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FUNCTIONS 64
#define MAX_ARGS      32
#define MAX_FRAMES    8

struct function {
    struct trace_function_sig sig;
    char name[200];
    char args[MAX_ARGS][32];
    const char *arg_names[MAX_ARGS];
};

static void put_value(struct trace_encoder *e, char *text);

/* Structs with the same first letter must be of the same type. */
static void put_struct(struct trace_encoder *e, char *text)
{
    char *value = strchr(text, '=');
    const char *member = text + 1;
    const struct trace_struct_sig sig = {.id = (uint8_t)text[1], .name = "S", .count = 1, .members = &member};
    text[strlen(text) - 1] = '\0';
    *value = '\0';
    trace_encode_struct(e, &sig);
    put_value(e, value + 1);
}

/* Two digits give a byte. */
static void put_bytes(struct trace_encoder *e, const char *digits)
{
    uint8_t bytes[256];
    size_t n = 0;
    for (char pair[3] = ""; digits[0] != '\0' && n < sizeof bytes; digits += 2) {
        memcpy(pair, digits, 2);
        bytes[n++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    trace_encode_blob(e, bytes, n);
}

static void put_value(struct trace_encoder *e, char *text)
{
    size_t n = strlen(text);
    if (text[0] == '[') {
        uint64_t count = text[1] != ']';
        text[n - 1] = '\0';
        for (const char *p = text; *p != '\0'; ++p)
            count += *p == ',';
        trace_encode_array(e, count);
        for (char *rest, *p = strtok_r(text + 1, ",", &rest); p != NULL; p = strtok_r(NULL, ",", &rest))
            put_value(e, p);
    } else if (text[0] == '(') {
        put_struct(e, text);
    } else if (text[0] == '"') {
        trace_encode_string(e, text + 1, n - 2);
    } else if (text[0] == '#') {
        trace_encode_blob(e, text + 1, n - 1);
    } else if (text[0] == '$') {
        put_bytes(e, text + 1);
    } else if (strncmp(text, "0x", 2) == 0) {
        trace_encode_opaque(e, strtoull(text, NULL, 16));
    } else if (strchr(text, '.') != NULL) {
        trace_encode_float(e, strtof(text, NULL));
    } else if (strcmp(text, "null") == 0) {
        trace_encode_null(e);
    } else if (text[0] == 't' || text[0] == 'f') {
        trace_encode_bool(e, text[0] == 't');
    } else {
        trace_encode_sint(e, strtoll(text, NULL, 10));
    }
}

static struct function *find_function(struct function *functions, const char *name, char *const *args,
                                      uint32_t arg_count)
{
    uint32_t id = 0;
    while (id < MAX_FUNCTIONS && functions[id].name[0] != '\0' && strcmp(functions[id].name, name) != 0)
        ++id;
    if (id == MAX_FUNCTIONS)
        abort();
    struct function *f = &functions[id];
    if (f->name[0] != '\0')
        return f;
    snprintf(f->name, sizeof f->name, "%s", name);
    for (uint32_t i = 0; i < arg_count; ++i) {
        snprintf(f->args[i], sizeof f->args[i], "%.*s", (int)strcspn(args[i], "="), args[i]);
        f->arg_names[i] = f->args[i];
    }
    f->sig = (struct trace_function_sig){
        .id = id, .name = f->name, .arg_count = arg_count, .arg_names = f->arg_names};
    return f;
}

static void put_leave(struct trace_encoder *e, uint64_t number, char *ret)
{
    trace_encode_leave(e, number);
    if (ret != NULL) {
        trace_encode_ret(e);
        put_value(e, ret);
    }
    trace_encode_end(e);
}

/* "<FUNCTION:LINE" */
static struct trace_frame parse_frame(char *word)
{
    char *colon = strchr(word, ':');
    struct trace_frame frame = {.module = "app", .function = word + 1, .file = "app.c", .offset = -1};
    *colon = '\0';
    frame.line = strtol(colon + 1, NULL, 10);
    frame.id = (uint32_t)frame.line;
    return frame;
}

/* Encodes a line. *number is the number of the next call. */
static void put_line(struct trace_encoder *e, struct function *functions, char *line, uint64_t *number)
{
    char *args[MAX_ARGS], *ret = NULL, *rest;
    struct trace_frame frames[MAX_FRAMES];
    uint32_t count = 0, frame_count = 0, thread = 0;
    const char *name = strtok_r(line, " \n", &rest);
    if (name[0] == '@') {
        thread = (uint32_t)strtoul(name + 1, NULL, 10);
        name = strtok_r(NULL, " \n", &rest);
    }
    for (char *word; (word = strtok_r(NULL, " \n", &rest)) != NULL;) {
        if (strcmp(word, "=") == 0)
            ret = strtok_r(NULL, " \n", &rest);
        else if (word[0] == '<' && frame_count < MAX_FRAMES)
            frames[frame_count++] = parse_frame(word);
        else if (count < MAX_ARGS)
            args[count++] = word;
    }
    if (name[0] == '-') {
        put_leave(e, strtoull(name + 1, NULL, 10), ret);
        return;
    }
    bool is_fake = name[0] == '~';
    const struct function *f = find_function(functions, name + (name[0] == '+' || is_fake), args, count);
    trace_encode_enter(e, thread, &f->sig, is_fake ? TRACE_CALL_FAKE : 0);
    if (frame_count > 0)
        trace_encode_backtrace(e, frames, frame_count);
    for (uint32_t i = 0; i < count; ++i) {
        trace_encode_arg(e, i);
        put_value(e, strchr(args[i], '=') + 1);
    }
    trace_encode_end(e);
    if (name[0] != '+')
        put_leave(e, *number, ret);
    ++*number;
}

void call_script_encode(struct trace_encoder *e, FILE *text)
{
    struct function *functions = calloc(MAX_FUNCTIONS, sizeof *functions);
    char *line = NULL;
    size_t room = 0;
    uint64_t number = 0;
    if (functions == NULL)
        abort();
    while (getline(&line, &room, text) >= 0)
        put_line(e, functions, line, &number);
    free(line);
    free(functions);
}
