/* SPDX-License-Identifier: MIT
 * What an API looks like: the types of the tables that specgen writes.
 * The tables drive capture, replay, name lookup and analysis; nothing here knows of files or windows.
 */
#ifndef RUNTIME_SPEC_H
#define RUNTIME_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One argument or return value as the ABI passes it. Narrow integers are widened (sign- or zero-extended) to
 * 64 bits; a float is in f32 with the other half zero. */
union spec_arg {
    uint64_t u;
    int64_t i;
    float f32;
    double f64;
    void *p;
};

/* A float argument with the other half zero (initialising f32 alone would leave that unspecified). */
static inline union spec_arg spec_arg_f32(float value)
{
    union spec_arg arg = {.u = 0};
    arg.f32 = value;
    return arg;
}

enum spec_type {
    SPEC_VOID,
    SPEC_I8,
    SPEC_U8,
    SPEC_I16,
    SPEC_U16,
    SPEC_I32,
    SPEC_U32,
    SPEC_I64,
    SPEC_U64,
    SPEC_F32,
    SPEC_F64,
    SPEC_PTR, /* a pointer-sized opaque value: Display *, GLsync, EGLContext, function pointers, … */
    SPEC_TYPE_COUNT
};

/* How an argument appears in a trace. */
enum spec_form {
    SPEC_FORM_VALUE,  /* the scalar itself: integer, float, enum or bitmask by its group, or opaque (SPEC_PTR)
                       */
    SPEC_FORM_OPAQUE, /* a pointer recorded as an address only */
    SPEC_FORM_ARRAY,  /* points at length elements of `type` -> array */
    SPEC_FORM_BLOB,   /* points at length bytes -> blob */
    SPEC_FORM_STRING, /* points at length characters (NUL-terminated when the length is that of the string) */
    SPEC_FORM_STRINGS, /* points at length string pointers; `key` is the parameter with their lengths, or none
                        */
    SPEC_FORM_STRUCT,  /* points at one struct: `group` is an index into spec_structs */
    SPEC_FORM_BLOBS, /* points at length pointers, each to as many bytes as the program `items` says -> array
                        of blobs */
};

enum spec_param_flag {
    SPEC_PARAM_OUT = 1 << 0,     /* written by the call: recorded in the leave event */
    SPEC_PARAM_ENUM = 1 << 1,    /* value (or array element) is an enum of `group` */
    SPEC_PARAM_BITMASK = 1 << 2, /* … a bitmask of `group` */
    SPEC_PARAM_CREATE = 1 << 3,  /* these objects are created by the call */
    SPEC_PARAM_DELETE = 1 << 4,  /* these objects are deleted by the call */
    SPEC_PARAM_ATTRIBS = 1 << 5, /* an attribute list: key, value, …, terminator included in the length */
    SPEC_PARAM_BIND = 1 << 6,    /* the call creates this object if there is none of that name, as binding an
                                    unused name does; a context becomes the thread's current one */
    SPEC_PARAM_SHARE = 1 << 7, /* the context that the call creates (or its other context) shares with this */
};

#define SPEC_NO_INDEX UINT16_MAX

/* The tables hold no pointers: names are places in spec_names, lists are indices of their first element. With
 * pointers each of their pages would have to be changed, and copied, wherever they are loaded: in trace-cli
 * and in every traced program. */
typedef uint32_t spec_name;

/* A parameter, or a function's return value. */
struct spec_param {
    spec_name name;  /* "" for a return value */
    uint8_t type;    /* enum spec_type of the value, or of the element pointed at */
    uint8_t form;    /* enum spec_form */
    uint8_t flags;   /* enum spec_param_flag */
    uint8_t object;  /* enum spec_object: kind of object it names, 0 for none */
    uint16_t group;  /* index into spec_groups or spec_structs; SPEC_NO_INDEX */
    uint16_t length; /* offset into spec_length_code of its length program; SPEC_NO_INDEX: no rule */
    /* Parameter index of the object that scopes this one (a location's program), or for STRINGS of the array
     * of their lengths; SPEC_NO_INDEX. */
    uint16_t key;
    /* Symbol table that names the value by another argument (spec_symbol_group); SPEC_NO_INDEX. */
    uint16_t symbols;
    /* That argument; SPEC_NO_INDEX in attribute lists, where each value's key selects. */
    uint16_t selector;
    /* Parameter that says how many objects of consecutive names this is the first of; SPEC_NO_INDEX: one. */
    uint16_t range;
    /* BLOBS: offset into spec_length_code of the length program of each of them. */
    uint16_t items;
};

enum spec_api { SPEC_API_GL = 1, SPEC_API_GLX = 2, SPEC_API_EGL = 4, SPEC_API_C = 8 };

enum spec_function_flag {
    SPEC_FUNCTION_SCALAR =
        1 << 0, /* every parameter is SPEC_FORM_VALUE or OPAQUE: copying arguments is all */
    SPEC_FUNCTION_NO_REPLAY = 1 << 1,       /* no side effects (queries): replay skips it */
    SPEC_FUNCTION_END_FRAME = 1 << 2,       /* swaps */
    SPEC_FUNCTION_HAS_OUT = 1 << 3,         /* has an output parameter */
    SPEC_FUNCTION_READS_BUFFERS = 1 << 4,   /* may read buffer objects, or orders what was written to them */
    SPEC_FUNCTION_UNBINDS_CONTEXT = 1 << 5, /* afterwards the thread has no current context */
    /* Labels an object: its last arguments are an identifier of its kind (unless the table says the kind),
     * its name, a length, and the label. */
    SPEC_FUNCTION_LABELS = 1 << 6,
};

struct spec_function {
    spec_name name;
    struct spec_param ret; /* type SPEC_VOID and form VALUE for none */
    uint16_t params;       /* index into spec_params of the first one (spec_param) */
    uint16_t id;           /* its index in spec_functions */
    uint16_t alias;        /* id of the function it is an alias of; its own id otherwise */
    uint16_t shape;        /* index into the ABI shapes (spec_invoke) */
    uint8_t param_count;
    uint8_t api;    /* enum spec_api */
    uint16_t flags; /* enum spec_function_flag */
    uint8_t before; /* wrapper hook run before the enter record; 0 none (wrapper_hooks.inc) */
    uint8_t after;  /* wrapper hook run after the real call, before the leave record; 0 none */
    uint8_t replay; /* replay handler; 0: the generic one (replay_handlers.inc) */
};

struct spec_enum_value {
    int64_t value;
    spec_name name;
};

/* A group of enum names. Names are ordered so that the first with a value is the preferred one (core before
 * KHR/ARB/EXT/vendor). Its part of spec_values lists the distinct values ascending, for lookup. */
struct spec_group {
    spec_name name;
    uint32_t names;       /* index into spec_enum_values (spec_group_name) */
    uint32_t values;      /* index into spec_values */
    uint32_t count;       /* of names */
    uint32_t value_count; /* of values */
    bool bitmask;
};

/* To what a name belongs: there the same name means the same object, and with it the object goes. */
enum spec_scope {
    SPEC_SCOPE_NONE,    /* not a name that can change */
    SPEC_SCOPE_SHARED,  /* the contexts of a share group */
    SPEC_SCOPE_CONTEXT, /* one context */
    SPEC_SCOPE_PROGRAM, /* one program: locations and indices */
    SPEC_SCOPE_DISPLAY, /* a display of a window system: contexts, drawables */
};

/* A kind of objects. */
struct spec_object_kind {
    spec_name name;
    uint16_t names;    /* the kind in whose name space they are: often its own; shaders are in programs' */
    uint8_t scope;     /* enum spec_scope */
    bool zero_is_name; /* 0 names an object like any other number */
    bool consecutive;  /* a number after a known one belongs to the same array */
};

struct spec_member {
    spec_name name;
    uint8_t type;    /* enum spec_type */
    uint16_t offset; /* bytes in the C struct */
};

struct spec_struct {
    spec_name name;
    uint16_t members; /* index into spec_members of the first one */
    uint16_t count;
    uint16_t size; /* bytes */
};

/* Generated tables (spec_tables.c). Ids are in spec_ids.h: SPEC_FN_<name>, SPEC_GROUP_<name>,
 * SPEC_OBJECT_<kind>, and SPEC_FUNCTION_COUNT, … */
extern const struct spec_names spec_names; /* all strings, each with its NUL */
extern const struct spec_function spec_functions[];
extern const unsigned spec_function_count;
extern const struct spec_param spec_params[];
extern const struct spec_group spec_groups[]; /* group 0 holds every GLenum name: the fallback */
extern const unsigned spec_group_count;
extern const struct spec_enum_value spec_enum_values[];
extern const int64_t spec_values[];
extern const struct spec_struct spec_structs[];
extern const struct spec_member spec_members[];
extern const unsigned spec_struct_count;
extern const struct spec_object_kind spec_object_kinds[]; /* indexed by enum spec_object */
extern const unsigned spec_object_count;
extern const uint16_t spec_length_code[];
extern const unsigned spec_shape_count;

static inline const char *spec_string(spec_name name)
{
    return (const char *)&spec_names + name;
}

/* Parameter i of f. */
static inline const struct spec_param *spec_param(const struct spec_function *f, unsigned i)
{
    return &spec_params[f->params + i];
}

/* Name i of group, in the order of preference. */
static inline const struct spec_enum_value *spec_group_name(const struct spec_group *group, unsigned i)
{
    return &spec_enum_values[group->names + i];
}

/* The kind of objects that an identifier like GL_TEXTURE means to glObjectLabel() and others of its kind; 0.
 */
unsigned spec_identified_kind(uint32_t identifier);

/* The function called name; NULL when the tables do not have it. A perfect or binary search, no chain. */
const struct spec_function *spec_find_function(const char *name);

/* True when group has a name for value. */
bool spec_group_has(const struct spec_group *group, int64_t value);

/* The group that names value in parameter p (symbols set) when its selector has the value selector, as
 * GL_TEXTURE_MIN_FILTER does for glTexParameteri's param; NULL when value is a plain number. A bitmask group
 * need not know every bit, but a negative value (EGL_DONT_CARE) is none of its. */
const struct spec_group *spec_symbol_group(const struct spec_param *p, int64_t selector, int64_t value);

/* Bytes of one value of type as C stores it in memory. */
size_t spec_type_size(enum spec_type type);

/* Reads element index of an array of type in memory into *out, widened. */
void spec_load(enum spec_type type, const void *base, size_t index, union spec_arg *out);
void spec_store(enum spec_type type, void *base, size_t index, union spec_arg value);

#endif
