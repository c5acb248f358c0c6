/* SPDX-License-Identifier: MIT */
#include "specgen/registry.h"

#include <expat.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of one file's parse. The registries nest as
 * registry > commands > command > (proto | param) > (ptype | name), registry > enums > enum, and
 * registry > feature > require > enum. */
struct parse {
    struct specgen *g;
    XML_Parser xml;
    const char *file;
    enum spec_api api;
    bool in_commands, in_feature, in_core_feature;
    const char *enums_group; /* group attribute of the enclosing <enums> */
    bool enums_bitmask;
    struct function *function; /* inside <command> */
    struct list params;        /* struct param, of that command */
    struct param *item;        /* inside <proto> or <param> */
    struct param param;
    bool in_name;
    struct buf type_text, name_text;
};

static struct source here(const struct parse *p)
{
    return (struct source){p->file, (unsigned)XML_GetCurrentLineNumber(p->xml)};
}

static const char *attribute(struct parse *p, const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return specgen_strndup(p->g, attributes[1], strlen(attributes[1]));
    return NULL;
}

/* Parses numbers as the registries write them: decimal, hexadecimal, negative, or EGL_CAST(type,number). */
static bool parse_number(const char *text, int64_t *out)
{
    if (strncmp(text, "EGL_CAST(", 9) == 0) {
        const char *comma = strchr(text, ',');
        if (comma == NULL)
            return false;
        text = comma + 1;
    }
    char *end;
    errno = 0;
    *out = text[0] == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
    return errno == 0 && end != text && (*end == '\0' || *end == ')');
}

/* Names with the suffix of an extension are less preferred, because they often repeat a core value. */
static unsigned suffix_rank(const char *name)
{
    static const char *const suffixes[] = {"_KHR", "_ARB", "_EXT", "_OES"};
    size_t n = strlen(name);
    for (unsigned i = 0; i < 4; ++i)
        if (n > 4 && strcmp(name + n - 4, suffixes[i]) == 0)
            return 2 + i;
    return 6;
}

static void start_enum(struct parse *p, const char **attributes)
{
    const char *name = attribute(p, attributes, "name");
    const char *value = attribute(p, attributes, "value");
    const char *groups = attribute(p, attributes, "group");
    if (name == NULL || value == NULL) {
        specgen_error(p->g, here(p), "<enum> needs a name and a value");
        return;
    }
    if (value[0] == '"' || find_enum(p->g, name) != NULL)
        return; /* a string constant, or the same name again for another API */
    struct enum_value *e = specgen_alloc(p->g, sizeof *e);
    if (!parse_number(value, &e->value)) {
        specgen_error(p->g, here(p), "value '%s' of %s is not a number", value, name);
        return;
    }
    e->name = name;
    e->rank = suffix_rank(name);
    e->order = p->g->enums.count;
    e->bitmask = p->enums_bitmask;
    e->groups =
        specgen_format(p->g, "%s%s%s", p->enums_group != NULL ? p->enums_group : "",
                       p->enums_group != NULL && groups != NULL ? "," : "", groups != NULL ? groups : "");
    index_set(p->g, &p->g->enum_index, name, p->g->enums.count);
    list_push(p->g, &p->g->enums, &e, sizeof e);
}

/* The names in <feature> are the API's own. Those of OpenGL are preferred to those of OpenGL ES. */
static void start_required_enum(struct parse *p, const char **attributes)
{
    const char *name = attribute(p, attributes, "name");
    uint64_t i;
    if (!p->in_feature || name == NULL || !string_map_get(&p->g->enum_index, name, &i))
        return;
    struct enum_value *e = LIST_AT(struct enum_value *, p->g->enums, i);
    unsigned rank = p->in_core_feature ? 0 : 1;
    if (e->rank > rank)
        e->rank = rank;
}

static void start_item(struct parse *p, const char **attributes, bool is_proto)
{
    p->item = is_proto ? &p->function->ret : &p->param;
    param_init(p->item);
    p->item->source = here(p);
    p->item->len = attribute(p, attributes, "len");
    p->item->class_name = attribute(p, attributes, "class");
    p->item->group_name = attribute(p, attributes, "group");
    buf_clear(&p->type_text);
    buf_clear(&p->name_text);
}

static void start_in_command(struct parse *p, const char *element, const char **attributes)
{
    if (strcmp(element, "proto") == 0 || strcmp(element, "param") == 0)
        start_item(p, attributes, element[1] == 'r');
    else if (strcmp(element, "name") == 0)
        p->in_name = p->item != NULL;
    else if (strcmp(element, "alias") == 0)
        p->function->alias_name = attribute(p, attributes, "name");
}

static void on_start(void *data, const char *element, const char **attributes)
{
    struct parse *p = data;
    if (p->function != NULL) {
        start_in_command(p, element, attributes);
    } else if (strcmp(element, "command") == 0 && p->in_commands) {
        p->function = specgen_alloc(p->g, sizeof *p->function);
        p->function->source = here(p);
        p->params = (struct list){NULL, 0, 0};
    } else if (strcmp(element, "commands") == 0) {
        p->in_commands = true;
    } else if (strcmp(element, "enums") == 0) {
        const char *type = attribute(p, attributes, "type");
        p->enums_group = attribute(p, attributes, "group");
        if (p->enums_group == NULL) /* glx.xml and egl.xml name the groups in the namespace */
            p->enums_group = attribute(p, attributes, "namespace");
        p->enums_bitmask = type != NULL && strcmp(type, "bitmask") == 0;
        if (p->enums_bitmask && p->enums_group != NULL)
            group_intern(p->g, p->enums_group, true);
    } else if (strcmp(element, "feature") == 0) {
        const char *api = attribute(p, attributes, "api");
        p->in_feature = true;
        p->in_core_feature = api == NULL || strncmp(api, "gles", 4) != 0;
    } else if (strcmp(element, "enum") == 0) {
        if (attribute(p, attributes, "value") != NULL || p->enums_group != NULL)
            start_enum(p, attributes);
        else
            start_required_enum(p, attributes);
    }
}

static void end_item(struct parse *p)
{
    struct specgen *g = p->g;
    const char *name = specgen_strndup(g, (const char *)p->name_text.data, p->name_text.len);
    const char *type = specgen_strndup(g, (const char *)p->type_text.data, p->type_text.len);
    bool is_proto = p->item == &p->function->ret;
    if (name[0] == '\0')
        specgen_error(g, here(p), "<%s> has no name", is_proto ? "proto" : "param");
    else if (!c_type_parse(g, type, &p->item->c))
        specgen_error(g, here(p), "cannot understand the type '%s' of %s", type, name);
    if (is_proto) {
        p->function->name = name;
    } else {
        p->item->name = name;
        list_push(g, &p->params, p->item, sizeof *p->item);
    }
    p->item = NULL;
}

static void end_command(struct parse *p)
{
    struct function *f = p->function;
    p->function = NULL;
    if (f->name == NULL || f->name[0] == '\0') {
        specgen_error(p->g, f->source, "<command> has no <proto>");
        return;
    }
    if (find_function(p->g, f->name) != NULL) {
        specgen_error(p->g, f->source, "%s is already declared", f->name);
        return;
    }
    f->api = p->api;
    f->params = p->params.items;
    f->param_count = (unsigned)p->params.count;
    index_set(p->g, &p->g->function_index, f->name, p->g->functions.count);
    list_push(p->g, &p->g->functions, &f, sizeof f);
}

static void on_end(void *data, const char *element)
{
    struct parse *p = data;
    if (p->item != NULL && (strcmp(element, "proto") == 0 || strcmp(element, "param") == 0))
        end_item(p);
    else if (strcmp(element, "name") == 0)
        p->in_name = false;
    else if (p->function != NULL && strcmp(element, "command") == 0)
        end_command(p);
    else if (strcmp(element, "commands") == 0)
        p->in_commands = false;
    else if (strcmp(element, "enums") == 0)
        p->enums_group = NULL;
    else if (strcmp(element, "feature") == 0)
        p->in_feature = false;
}

static void on_text(void *data, const char *text, int length)
{
    struct parse *p = data;
    if (p->item == NULL)
        return;
    if (buf_append(p->in_name ? &p->name_text : &p->type_text, text, (size_t)length) != 0)
        specgen_error(p->g, here(p), "out of memory");
}

static enum spec_api api_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    return strncmp(name, "glx", 3) == 0   ? SPEC_API_GLX
           : strncmp(name, "egl", 3) == 0 ? SPEC_API_EGL
                                          : SPEC_API_GL;
}

void registry_read(struct specgen *g, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        g->errors++;
        return;
    }
    struct parse p = {.g = g, .xml = XML_ParserCreate(NULL), .file = path, .api = api_of(path)};
    XML_SetUserData(p.xml, &p);
    XML_SetElementHandler(p.xml, on_start, on_end);
    XML_SetCharacterDataHandler(p.xml, on_text);
    bool more = true;
    while (more) {
        char block[65536];
        size_t n = fread(block, 1, sizeof block, file);
        more = n == sizeof block;
        if (XML_Parse(p.xml, block, (int)n, !more) == XML_STATUS_ERROR) {
            specgen_error(g, here(&p), "%s", XML_ErrorString(XML_GetErrorCode(p.xml)));
            break;
        }
    }
    XML_ParserFree(p.xml);
    fclose(file);
    buf_fini(&p.type_text);
    buf_fini(&p.name_text);
}

/* Adds every enum to its groups. */
static void fill_groups(struct specgen *g)
{
    for (size_t i = 0; i < g->enums.count; ++i) {
        const struct enum_value *e = LIST_AT(const struct enum_value *, g->enums, i);
        for (const char *s = e->groups; *s != '\0';) {
            size_t n = strcspn(s, ",");
            int index = group_intern(g, specgen_strndup(g, s, n), e->bitmask);
            struct group *group = LIST_AT(struct group *, g->groups, index);
            size_t n_values = group->values.count; /* <enums> and <enum> may both name the group */
            if (n_values == 0 || LIST_AT(const struct enum_value *, group->values, n_values - 1) != e)
                list_push(g, &group->values, &e, sizeof e);
            s += n + (s[n] == ',');
        }
    }
}

static void resolve_alias(struct specgen *g, struct function *f)
{
    f->root = f;
    /* The bound breaks cycles, which would be a mistake in the registry. */
    for (unsigned hops = 0; f->root->alias_name != NULL; ++hops) {
        struct function *next = find_function(g, f->root->alias_name);
        if (next == NULL || hops > 16) {
            specgen_error(g, f->source, "%s is an alias of %s, %s", f->name,
                          next == NULL ? f->root->alias_name : f->alias_name,
                          next == NULL ? "which does not exist" : "which leads back to itself");
            f->root = f;
            return;
        }
        f->root = next;
    }
    if (f->root != f)
        list_push(g, &f->root->aliases, &f, sizeof f);
}

/* Copies attributes between corresponding parameters of two aliases if only one of them has the attribute. */
static void share(struct param *a, const struct param *b)
{
    if (a->c.pointers != b->c.pointers)
        return;
    if (a->class_name == NULL)
        a->class_name = b->class_name;
    if (a->group_name == NULL)
        a->group_name = b->group_name;
    if (a->len == NULL) {
        a->len = b->len;
        a->len_function = b->len_function;
    }
}

void registry_finish(struct specgen *g)
{
    fill_groups(g);
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        resolve_alias(g, f);
        for (unsigned k = 0; k < f->param_count; ++k)
            f->params[k].len_function = f;
    }
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        for (unsigned k = 0; f->root != f && f->param_count == f->root->param_count && k < f->param_count;
             ++k) {
            share(&f->root->params[k], &f->params[k]);
            share(&f->params[k], &f->root->params[k]);
        }
        share(&f->ret, &f->root->ret);
    }
}
