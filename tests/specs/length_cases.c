/* SPDX-License-Identifier: MIT */
#include "length_cases.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "abcdefgh";

/* The driver's answers, which differ for all questions, so that asking the wrong one is noticed. */
static int64_t get_integer(void *context, uint32_t pname)
{
    (void)context;
    if (pname >= 0x0cb0 && pname <= 0x0cb9) /* GL_PIXEL_MAP_I_TO_I_SIZE to GL_PIXEL_MAP_A_TO_A_SIZE */
        return 10 + (pname - 0x0cb0);
    switch (pname) {
    case 0x86a2: /* GL_NUM_COMPRESSED_TEXTURE_FORMATS */
        return 20;
    case 0x87fe: /* GL_NUM_PROGRAM_BINARY_FORMATS */
        return 21;
    case 0x8df9: /* GL_NUM_SHADER_BINARY_FORMATS */
        return 22;
    case 0x86a5: /* GL_ACTIVE_VERTEX_UNITS_ARB */
        return 23;
    }
    return -1;
}

static int64_t get_level(void *context, uint32_t target, int32_t level, uint32_t pname)
{
    (void)context;
    switch (pname) {
    case 0x1000: /* GL_TEXTURE_WIDTH */
        return 5 + level + target;
    case 0x1001: /* GL_TEXTURE_HEIGHT */
        return 6 + level + target;
    case 0x8071: /* GL_TEXTURE_DEPTH */
        return 7 + level + target;
    case 0x86a0: /* GL_TEXTURE_COMPRESSED_IMAGE_SIZE */
        return 99 + level + target;
    }
    return -1;
}

static int64_t get_named_level(void *context, bool unit, uint32_t name, uint32_t target, int32_t level,
                               uint32_t pname)
{
    return get_level(context, target, level, pname) + 10 * name + (unit ? 2 : 1);
}

static int64_t get_parameter(void *context, enum spec_query query, uint32_t of, uint32_t pname)
{
    (void)context;
    (void)of;
    const struct {
        enum spec_query query;
        uint32_t pname;
        int64_t value;
    } answers[] = {
        {SPEC_QUERY_MAP, 0x0A01, 6},         /* GL_ORDER */
        {SPEC_QUERY_COLOR_TABLE, 0x80D9, 5}, /* GL_COLOR_TABLE_WIDTH */
        {SPEC_QUERY_CONVOLUTION, 0x8018, 3}, /* GL_CONVOLUTION_WIDTH */
        {SPEC_QUERY_CONVOLUTION, 0x8019, 2}, /* GL_CONVOLUTION_HEIGHT */
        {SPEC_QUERY_HISTOGRAM, 0x8026, 7},   /* GL_HISTOGRAM_WIDTH */
        {SPEC_QUERY_PROGRAM_ARB, 0x8627, 8}, /* GL_PROGRAM_LENGTH_ARB */
        {SPEC_QUERY_PROGRAM_NV, 0x8627, 7},  /* GL_PROGRAM_LENGTH_NV */
        {SPEC_QUERY_PATH, 0x909D, 4},        /* GL_PATH_COMMAND_COUNT_NV */
        {SPEC_QUERY_PATH, 0x909E, 9},        /* GL_PATH_COORD_COUNT_NV */
        {SPEC_QUERY_PATH, 0x909F, 3},        /* GL_PATH_DASH_ARRAY_COUNT_NV */
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i)
        if (answers[i].query == query && answers[i].pname == pname)
            return answers[i].value;
    return -1;
}

static int64_t get_named_program(void *context, uint32_t program, uint32_t target, uint32_t pname)
{
    (void)context;
    return program == 2 && target == 0 && pname == 0x8627 /* GL_PROGRAM_LENGTH_ARB */ ? 6 : -1;
}

static int64_t get_uniform_size(void *context, uint32_t program, int32_t location)
{
    (void)context;
    return program == 2 && location == 3 ? 4 : -1;
}

static void fill(const struct length_case *c, const struct spec_param *p, void *memory)
{
    union spec_arg three = {.i = 3}, string = {.p = (void *)(uintptr_t)text};
    bool pointers = p->form == SPEC_FORM_STRINGS || p->form == SPEC_FORM_BLOBS || p->type == SPEC_PTR;
    enum spec_type type = pointers ? SPEC_PTR : p->type == SPEC_VOID ? SPEC_U8 : (enum spec_type)p->type;
    if (p->type == SPEC_F32)
        three = spec_arg_f32(3);
    else if (p->type == SPEC_F64)
        three.f64 = 3;
    if (p->form == SPEC_FORM_STRING) {
        memcpy(memory, text, sizeof text);
        return;
    }
    for (size_t i = 0; i < CASE_MEMORY / spec_type_size(type); ++i)
        spec_store(type, memory, i, pointers ? string : three);
    if (p->flags & SPEC_PARAM_ATTRIBS) {
        const int64_t list[] = {0x20, 1, c->f->api == SPEC_API_EGL ? 0x3038 /* EGL_NONE */ : 0};
        for (size_t i = 0; i < 3; ++i)
            spec_store(type, memory, i, (union spec_arg){.i = list[i]});
    }
}

static void init_argument(struct length_case *c, const struct spec_param *p, unsigned index)
{
    union spec_arg *arg = &c->args[index];
    *arg = (union spec_arg){.u = 0};
    if (p->form != SPEC_FORM_VALUE) {
        fill(c, p, c->memory[index]);
        arg->p = c->memory[index];
    } else if (p->type == SPEC_PTR) {
        arg->p = c->memory[index];
    } else if (p->type == SPEC_F32) {
        *arg = spec_arg_f32((float)index + 2);
    } else if (p->type == SPEC_F64) {
        arg->f64 = index + 2;
    } else if ((p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) == 0) {
        arg->i = index + 2;
    }
}

void length_case_init(struct length_case *c, const struct spec_function *f)
{
    memset(c->memory, 0, sizeof c->memory);
    c->f = f;
    c->state = (struct spec_state){.unpack.alignment = 4, .pack.alignment = 4};
    c->driver = (struct spec_driver){.get_integer = get_integer,
                                     .get_level = get_level,
                                     .get_named_level = get_named_level,
                                     .get_parameter = get_parameter,
                                     .get_named_program = get_named_program,
                                     .get_uniform_size = get_uniform_size};
    c->state.driver = &c->driver;
    for (unsigned i = 0; i < f->param_count; ++i)
        init_argument(c, spec_param(f, i), i);
    init_argument(c, &f->ret, f->param_count);
}

static bool enum_value(const char *name, size_t n, int64_t *out)
{
    for (unsigned i = 0; i < spec_group_count; ++i)
        for (uint32_t k = 0; k < spec_groups[i].count; ++k) {
            const struct spec_enum_value *e = spec_group_name(&spec_groups[i], k);
            if (strncmp(spec_string(e->name), name, n) == 0 && spec_string(e->name)[n] == '\0') {
                *out = e->value;
                return true;
            }
        }
    return false;
}

bool length_case_number(const char *value, int64_t *out)
{
    char *end;
    *out = strtoll(value, &end, 0);
    if (end != value && *end == '\0')
        return true;
    *out = 0;
    for (;;) {
        int64_t bits;
        size_t n = strcspn(value, "|");
        if (!enum_value(value, n, &bits))
            return false;
        *out |= bits;
        if (value[n] == '\0')
            return true;
        value += n + 1;
    }
}

int length_case_param(const struct spec_function *f, const char *name)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(spec_string(spec_param(f, i)->name), name) == 0)
            return (int)i;
    return strcmp(name, "return") == 0 ? f->param_count : -1;
}

static bool *state_member(struct spec_state *s, const char *name)
{
    const struct {
        const char *name;
        bool *member;
    } members[] = {
        {"unpack_buffer", &s->unpack_buffer},     {"pack_buffer", &s->pack_buffer},
        {"element_buffer", &s->element_buffer},   {"array_buffer", &s->array_buffer},
        {"indirect_buffer", &s->indirect_buffer}, {"query_buffer", &s->query_buffer},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
        if (strcmp(name, members[i].name) == 0)
            return members[i].member;
    return NULL;
}

/* Finds unpack_row_length, pack_alignment, and so on; NULL for other names. */
static int32_t *pixel_store_member(struct spec_state *s, const char *name)
{
    bool unpack = strncmp(name, "unpack_", 7) == 0;
    struct spec_pixel_store *store = unpack ? &s->unpack : &s->pack;
    if (!unpack && strncmp(name, "pack_", 5) != 0)
        return NULL;
    const struct {
        const char *name;
        int32_t *member;
    } members[] = {
        {"row_length", &store->row_length},   {"image_height", &store->image_height},
        {"skip_rows", &store->skip_rows},     {"skip_pixels", &store->skip_pixels},
        {"skip_images", &store->skip_images}, {"alignment", &store->alignment},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
        if (strcmp(strchr(name, '_') + 1, members[i].name) == 0)
            return members[i].member;
    return NULL;
}

bool length_case_set(struct length_case *c, const char *setting)
{
    char name[64];
    const char *value = strchr(setting, '=');
    int64_t number;
    if (value == NULL || (size_t)(value - setting) >= sizeof name)
        return false;
    memcpy(name, setting, (size_t)(value - setting));
    name[value++ - setting] = '\0';
    bool *member = state_member(&c->state, name);
    int index = length_case_param(c->f, name);
    if (member != NULL) {
        *member = true;
        return strcmp(value, "1") == 0;
    }
    int32_t *store = pixel_store_member(&c->state, name);
    if (store != NULL) {
        *store = atoi(value);
        return true;
    }
    if (index < 0)
        return false;
    if (strcmp(value, "NULL") == 0) {
        c->args[index].p = NULL;
        return true;
    }
    if (!length_case_number(value, &number))
        return false;
    const struct spec_param *p = index < c->f->param_count ? spec_param(c->f, index) : &c->f->ret;
    if (p->form == SPEC_FORM_VALUE)
        c->args[index].i = number;
    else
        spec_store((enum spec_type)p->type, c->args[index].p, 0, (union spec_arg){.i = number});
    return true;
}

int64_t length_case_evaluate(const struct length_case *c, int index, int item)
{
    if (index == c->f->param_count)
        return spec_return_length(c->f, c->args, &c->args[index], &c->state);
    if (item < 0)
        return spec_output_length(c->f, c->args, &c->args[c->f->param_count], (unsigned)index, &c->state);
    return spec_param(c->f, index)->form == SPEC_FORM_BLOBS
               ? spec_item_length(c->f, c->args, (unsigned)index, (size_t)item, &c->state)
               : spec_string_length(c->f, c->args, (unsigned)index, (size_t)item, text, &c->state);
}
