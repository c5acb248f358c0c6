/* SPDX-License-Identifier: MIT
 * The generator's model: the contents of the registry files and the annotation files for every function.
 * Everything is in one arena until the program ends. Errors in the input are reported and counted.
 */
#ifndef SPECGEN_MODEL_H
#define SPECGEN_MODEL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash_map.h"
#include "runtime/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position in an input file, for messages. */
struct source {
    const char *file;
    unsigned line;
};

/* A growable array of pointers or plain items; see list_push(). */
struct list {
    void *items;
    size_t count;
    size_t cap;
};

/* A C type as written: `const GLchar *const*` has base GLchar, 2 pointers and a constant target. */
struct c_type {
    const char *text; /* normalised: one space between tokens, none after a star */
    const char *base;
    unsigned pointers;
    bool const_target;
};

/* What a `type` rule says about the name of a C type. */
struct type_info {
    const char *name;
    enum spec_type type;
    enum { TYPE_PLAIN, TYPE_CHAR, TYPE_HANDLE, TYPE_STRUCT } kind;
    unsigned value_flags; /* SPEC_PARAM_ENUM or SPEC_PARAM_BITMASK */
    int group;            /* of an enum or bitmask type, or -1 */
    int structure;        /* TYPE_STRUCT: index into structs */
    struct source source;
    bool used;
};

/* A compiled length rule (runtime/length_code.h). */
struct length {
    uint16_t *code;
    unsigned count; /* words */
};

struct param {
    const char *name; /* "" for a return value */
    struct c_type c;
    const char *len, *class_name, *group_name; /* the registry's attributes; NULL when absent */
    /* The function to whose parameters len refers: this one or an alias. */
    const struct function *len_function;
    struct source source;
    enum spec_type type; /* type of the value, or of the element pointed to */
    enum spec_form form;
    bool form_known; /* false: a pointer that no rule describes */
    unsigned flags;  /* enum spec_param_flag */
    int object;      /* index into objects, 0 for none */
    int group;       /* index into groups, or -1 */
    int structure;   /* SPEC_FORM_STRUCT: index into structs */
    int key;         /* parameter index, or -1 */
    int symbols;     /* index into symbol_tables, or -1 */
    int selector;    /* parameter index, or -1 */
    int range;       /* parameter index, or -1 */
    struct length length, items;
};

struct function {
    const char *name;
    struct param ret;
    struct param *params;
    unsigned param_count;
    enum spec_api api;
    unsigned flags;         /* enum spec_function_flag */
    const char *alias_name; /* NULL: not an alias */
    struct function *root;  /* the end of the alias chain; the function itself if it is not an alias */
    struct list aliases;    /* struct function *; of a root: those whose chain ends here */
    const char *before, *after, *replay; /* hook names or NULL */
    unsigned sets;                       /* as in struct spec_function */
    const struct function *sets_by;      /* or NULL */
    struct source source;
    unsigned id;
    unsigned shape;
    unsigned runner;      /* as in struct spec_function */
    unsigned first_param; /* index into the emitted parameter table */
};

struct enum_value {
    const char *name;
    int64_t value;
    unsigned rank;      /* 0: core GL; higher is less preferred */
    const char *groups; /* comma list, "" for none */
    bool bitmask;
    size_t order;
};

struct group {
    const char *name;
    bool bitmask;
    struct list values; /* const struct enum_value * */
    bool ordered;       /* by a names rule, which gives the order of preference */
    int emitted;        /* index in the output, or -1 */
};

struct object_kind {
    const char *name;
    int names;             /* index into objects: the kind whose name space it uses */
    enum spec_scope scope; /* this and the next two are from the kind's declaration */
    bool zero_is_name, consecutive;
    bool declared;
    struct source source;
};

struct member {
    const char *name;
    enum spec_type type;
    unsigned offsets[2]; /* enum spec_abi */
};

struct structure {
    const char *name;
    struct list members; /* struct member */
    unsigned sizes[2];   /* enum spec_abi */
};

/* A `count TABLE.ENUM = …` rule's entry. */
struct count_entry {
    uint32_t value;
    int32_t count;
    uint32_t get; /* if not 0, the count is the result of glGetIntegerv for this name */
};

struct count_table {
    const char *name;
    struct list entries; /* struct count_entry */
    bool has_default;
    int32_t default_count;
};

/* A `values TABLE.ENUM = GROUP` rule's entry. */
struct symbol_entry {
    uint32_t selector;
    int group;
};

struct symbol_table {
    const char *name;
    struct list entries; /* struct symbol_entry */
};

/* An `identifier ENUM = KIND` declaration's entry. */
struct identifier {
    uint32_t value;
    int kind;
};

/* An `answer ENUM = …` declaration's entry. */
struct answer {
    uint32_t value;
    enum spec_answer what;
    int kind; /* SPEC_ANSWER_NAME: index into objects */
};

/* One line of an annotation file. */
struct rule {
    struct source source;
    const char *kind;
    const char *subject;
    const char *value;
};

struct specgen {
    struct arena arena;
    unsigned errors;
    struct list functions;     /* struct function * */
    struct list enums;         /* struct enum_value * */
    struct list groups;        /* struct group * ; 0 is GLenum */
    struct list structs;       /* struct structure * */
    struct list objects;       /* struct object_kind * ; 0 is "none" */
    struct list identifiers;   /* struct identifier */
    struct list answers;       /* struct answer */
    struct list tables;        /* struct count_table * */
    struct list symbol_tables; /* struct symbol_table * */
    struct list types;         /* struct type_info * */
    struct list rules;         /* struct rule */
    unsigned shape_count;
    struct list hooks;    /* const char *, of before and after rules */
    struct list handlers; /* const char *, of replay rules */
    struct string_map function_index, enum_index, group_index, type_index;
};

/* Reports "file:line: error: …" on stderr and counts it. */
void specgen_error(struct specgen *g, struct source at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Arena helpers. They never return NULL: if there is no memory, the program ends with a message. */
void *specgen_alloc(struct specgen *g, size_t size);
const char *specgen_strndup(struct specgen *g, const char *s, size_t n);
const char *specgen_format(struct specgen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void list_push(struct specgen *g, struct list *l, const void *item, size_t size);
void index_set(struct specgen *g, struct string_map *map, const char *key, uint64_t value);

#define LIST_AT(type, list, i) (((type *)(list).items)[i])

/* Look-ups by name. They return NULL or -1 if there is none. */
struct function *find_function(const struct specgen *g, const char *name);
const struct enum_value *find_enum(const struct specgen *g, const char *name);
struct type_info *find_type(const struct specgen *g, const char *name);
struct count_table *find_table(const struct specgen *g, const char *name);
int find_symbol_table(const struct specgen *g, const char *name, size_t length);
int find_group(const struct specgen *g, const char *name);
int find_struct(const struct specgen *g, const char *name);
int find_param(const struct function *f, const char *name, size_t length);

/* Returns the index of the group with this name, and adds the group if it is new. */
int group_intern(struct specgen *g, const char *name, bool bitmask);

/* For qsort() of pointers to struct enum_value: core names come before those of extensions. */
int enum_compare_preference(const void *a, const void *b);
/* For the values of a bitmask: zero comes first, as apitrace wants it; then values of several bits, then
 * those of one. */
int enum_compare_mask(const void *a, const void *b);

/* Parses a type such as `const GLchar *const*` into *out. Returns false if text is not such a type. */
bool c_type_parse(struct specgen *g, const char *text, struct c_type *out);
void param_init(struct param *p);

bool is_pointer(const struct param *p);
struct param *param_at(struct function *f, unsigned index); /* param_count: the return value */

/* Returns the next word of *s, up to a blank, and moves *s after it. Returns NULL at the end. */
const char *next_word(struct specgen *g, const char **s);

/* Writes the comment at the head of a generated file. */
void emit_banner(struct buf *out, const char *purpose);

#endif
