/* SPDX-License-Identifier: MIT
 * The tables that describe the APIs: every function, its parameters, enums, structs and kinds of objects.
 * specgen generates them. Capture, replay, name lookup and analysis use them.
 */
#ifndef RUNTIME_SPEC_H
#define RUNTIME_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One argument or return value as the ABI passes it. Narrow integers are widened (sign- or zero-extended) to
 * 64 bits; a float is in f32 with the other half zero, and so is a pointer of 32 bits. */
union spec_arg {
    uint64_t u;
    int64_t i;
    float f32;
    double f64;
    void *p;
};

/* Returns a float argument with the other half zero. Initialising f32 alone would leave that half
 * unspecified. */
static inline union spec_arg spec_arg_f32(float value)
{
    union spec_arg arg = {.u = 0};
    arg.f32 = value;
    return arg;
}

/* The same for a pointer, which may have 32 bits. */
static inline union spec_arg spec_arg_ptr(const void *value)
{
    return (union spec_arg){.u = (uintptr_t)value};
}

_Static_assert(sizeof(union spec_arg) == 8, "records have the same layout in programs of 32 and 64 bits");

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
    SPEC_IPTR, /* as wide as a pointer: GLintptr, GLsizeiptr, EGLAttrib */
    SPEC_UPTR, /* size_t, and unsigned long: XIDs */
    SPEC_F32,
    SPEC_F64,
    SPEC_PTR, /* a pointer-sized opaque value: Display *, GLsync, EGLContext, function pointers, … */
    SPEC_TYPE_COUNT
};

/* How an argument appears in a trace. */
enum spec_form {
    SPEC_FORM_VALUE,  /* the scalar itself: a number, an enum or bitmask of its group, or opaque (SPEC_PTR) */
    SPEC_FORM_OPAQUE, /* a pointer recorded as an address only */
    SPEC_FORM_ARRAY,  /* points at an array; its elements have the type `type` */
    SPEC_FORM_BLOB,   /* points at bytes */
    SPEC_FORM_STRING, /* points at characters, which end with a NUL or after the length */
    SPEC_FORM_STRINGS, /* points at an array of strings; `key` is the parameter with their lengths, if any */
    SPEC_FORM_STRUCT,  /* points at one struct: `group` is an index into spec_structs */
    SPEC_FORM_BLOBS,   /* points at an array of pointers to bytes; `items` says how many bytes each has */
};

enum spec_param_flag {
    SPEC_PARAM_OUT = 1 << 0,     /* written by the call: recorded in the leave event */
    SPEC_PARAM_ENUM = 1 << 1,    /* the value, or each array element, is an enum of `group` */
    SPEC_PARAM_BITMASK = 1 << 2, /* the value, or each array element, is a bitmask of `group` */
    SPEC_PARAM_CREATE = 1 << 3,  /* these objects are created by the call */
    SPEC_PARAM_DELETE = 1 << 4,  /* these objects are deleted by the call */
    SPEC_PARAM_ATTRIBS = 1 << 5, /* an attribute list: key, value, …, terminator; the length includes it */
    SPEC_PARAM_BIND = 1 << 6,    /* the call binds this object, which creates it if the name is unused; a
                                    context becomes the thread's current one */
    SPEC_PARAM_SHARE =
        1 << 7, /* the context that the call creates, or its other one, shares objects with this */
};

#define SPEC_NO_INDEX UINT16_MAX

/* The offset of a string in spec_names. The tables hold offsets and indices instead of pointers: pointers
 * would have to be relocated, and so every page of the tables copied, in every process that loads them, the
 * traced programs included. */
typedef uint32_t spec_name;

/* A parameter, or a function's return value. */
struct spec_param {
    spec_name name;  /* "" for a return value */
    uint8_t type;    /* enum spec_type of the value, or of the element pointed at */
    uint8_t form;    /* enum spec_form */
    uint8_t flags;   /* enum spec_param_flag */
    uint8_t object;  /* enum spec_object: the kind of object that it names; 0 for none */
    uint16_t group;  /* index into spec_groups or spec_structs; SPEC_NO_INDEX */
    uint16_t length; /* offset into spec_length_code of its length program; SPEC_NO_INDEX: no rule */
    /* Index of a related parameter: for STRINGS, the array of their lengths; otherwise the object that this
     * name belongs to, as a location belongs to a program. SPEC_NO_INDEX: none. */
    uint16_t key;
    /* Symbol table by which another argument decides how the value is named (spec_symbol_group());
     * SPEC_NO_INDEX: none. */
    uint16_t symbols;
    /* Index of that other argument; SPEC_NO_INDEX in attribute lists, where the key before a value decides.
     */
    uint16_t selector;
    /* Index of the parameter with the number of objects, whose names are consecutive and begin with this one;
     * SPEC_NO_INDEX: one object. */
    uint16_t range;
    /* BLOBS: offset into spec_length_code of the program for the length of one blob. */
    uint16_t items;
};

enum spec_api { SPEC_API_GL = 1, SPEC_API_GLX = 2, SPEC_API_EGL = 4, SPEC_API_C = 8 };

enum spec_function_flag {
    /* Every parameter is SPEC_FORM_VALUE or OPAQUE: capture copies the arguments and follows no pointer. */
    SPEC_FUNCTION_SCALAR = 1 << 0,
    SPEC_FUNCTION_NO_REPLAY = 1 << 1,       /* has no side effects, as queries: replay skips it */
    SPEC_FUNCTION_END_FRAME = 1 << 2,       /* ends a frame, as a swap of buffers does */
    SPEC_FUNCTION_HAS_OUT = 1 << 3,         /* has an output parameter */
    SPEC_FUNCTION_READS_BUFFERS = 1 << 4,   /* may read buffer objects, or is a barrier for writes to them */
    SPEC_FUNCTION_UNBINDS_CONTEXT = 1 << 5, /* afterwards the thread has no current context */
    /* Labels an object. The last arguments are the identifier of its kind, its name, a length and the label;
     * the identifier is absent if the name's parameter has a kind in the table. */
    SPEC_FUNCTION_LABELS = 1 << 6,
    /* SCALAR, with a scalar as result or none, and without hooks, END_FRAME and READS_BUFFERS: capture copies
     * the arguments and the result, and does nothing else. */
    SPEC_FUNCTION_PLAIN = 1 << 7,
    /* Like PLAIN, but for one input parameter, which is an array of numbers: capture copies that as well. */
    SPEC_FUNCTION_ONE_ARRAY = 1 << 8,
    SPEC_FUNCTION_DRIVER = 1 << 9, /* its results describe the driver, or are made by it: logs, binaries */
    SPEC_FUNCTION_TIME = 1 << 10,  /* its results depend on time */
};

/* What the answer to a question is, for a comparison of two runs. */
enum spec_answer {
    SPEC_ANSWER_VALUE,
    SPEC_ANSWER_NAME,   /* the name of an object */
    SPEC_ANSWER_DRIVER, /* a property of the driver */
    SPEC_ANSWER_TIME,
    SPEC_ANSWER_WINDOW, /* a property of the window, or a buffer of it */
};

#define SPEC_NO_PARAM UINT8_MAX

struct spec_function {
    spec_name name;
    struct spec_param ret; /* type SPEC_VOID and form VALUE for none */
    uint16_t params;       /* index into spec_params of the first one (spec_param) */
    uint16_t id;           /* its index in spec_functions */
    uint16_t alias;        /* id of the function that this is an alias of; its own id if it is none */
    uint16_t shape;        /* index into the ABI shapes (spec_invoke) */
    uint16_t runner;       /* which calls it with packed arguments (runtime/packed.h); 0: none */
    uint8_t param_count;
    uint8_t api;    /* enum spec_api */
    uint16_t flags; /* enum spec_function_flag */
    uint8_t before; /* wrapper hook that runs before the enter record; 0: none (wrapper_hooks.inc) */
    uint8_t after;  /* wrapper hook that runs after the real call, before the leave record; 0: none */
    uint8_t replay; /* replay handler; 0: the generic one (replay_handlers.inc) */
    /* ONE_ARRAY, and functions with a runner that take an array: the index of the array's parameter, and the
     * bytes of an element. The array has array_unit elements, times the argument array_count unless that is
     * SPEC_NO_PARAM. If array_unit is 0, only spec_length() knows. */
    uint8_t array, array_size, array_unit, array_count;
    /* What the call sets lasts until it is set again: by a call of this function whose first sets - 1
     * arguments are the same. 0: not known to set anything. */
    uint8_t sets;
    /* The function whose latest call selects what is set, as the unit of a texture; SPEC_NO_INDEX: none. */
    uint16_t sets_by;
};

struct spec_enum_value {
    int64_t value;
    spec_name name;
};

/* A group of enum names. Of several names for one value, the preferred one comes first: core before KHR, ARB,
 * EXT and vendors. Its part of spec_values lists the distinct values in ascending order, for lookup. */
struct spec_group {
    spec_name name;
    uint32_t names;       /* index into spec_enum_values (spec_group_name) */
    uint32_t values;      /* index into spec_values */
    uint32_t count;       /* of names */
    uint32_t value_count; /* of values */
    bool bitmask;
};

/* What the names of a kind of objects belong to. Within it, a name means one object. When it is destroyed,
 * its objects are, too. */
enum spec_scope {
    SPEC_SCOPE_NONE,    /* nothing: the name means the same everywhere */
    SPEC_SCOPE_SHARED,  /* a share group of contexts */
    SPEC_SCOPE_CONTEXT, /* one context */
    SPEC_SCOPE_PROGRAM, /* one program: locations and indices */
    SPEC_SCOPE_DISPLAY, /* a display of a window system: contexts, drawables */
};

/* A kind of objects. */
struct spec_object_kind {
    spec_name name;
    uint16_t names;    /* the kind whose name space it uses: mostly its own; shaders use that of programs */
    uint8_t scope;     /* enum spec_scope */
    bool zero_is_name; /* 0 names an object like any other number */
    bool consecutive;  /* numbers that follow a known one belong to the same array, as uniform locations do */
};

/* What the layout of memory depends on: the size of a pointer. Of i386, it is also that 64-bit members of
 * structs are aligned to 4 bytes. */
enum spec_abi {
    SPEC_ABI_32,
    SPEC_ABI_64,
    SPEC_ABI_OWN = sizeof(void *) == 4 ? SPEC_ABI_32 : SPEC_ABI_64,
};

struct spec_member {
    spec_name name;
    uint8_t type;        /* enum spec_type */
    uint16_t offsets[2]; /* bytes in the C struct; enum spec_abi */
};

struct spec_struct {
    spec_name name;
    uint16_t members; /* index into spec_members of the first one */
    uint16_t count;
    uint16_t sizes[2]; /* bytes; enum spec_abi */
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

/* Returns parameter i of f. */
static inline const struct spec_param *spec_param(const struct spec_function *f, unsigned i)
{
    return &spec_params[f->params + i];
}

/* Returns name i of group, in order of preference. */
static inline const struct spec_enum_value *spec_group_name(const struct spec_group *group, unsigned i)
{
    return &spec_enum_values[group->names + i];
}

/* Returns the kind of objects that an identifier such as GL_TEXTURE means to glObjectLabel() and similar
 * functions; 0 if it means none. */
unsigned spec_identified_kind(uint32_t identifier);

/* Returns what a driver answers to this pname. *kind is the kind of objects that SPEC_ANSWER_NAME names. */
enum spec_answer spec_answer_to(uint32_t pname, unsigned *kind);

/* Returns the function of that name; NULL if the tables do not have it. A binary search. */
const struct spec_function *spec_find_function(const char *name);

/* Returns true if group has a name for value. */
bool spec_group_has(const struct spec_group *group, int64_t value);

/* Returns the group that names a value of parameter p, given the value of p's selector: with
 * GL_TEXTURE_MIN_FILTER as pname, the param of glTexParameteri is a filter. NULL if the value is a plain
 * number. A bitmask group need not know every bit of the value, but never matches a negative one
 * (EGL_DONT_CARE). p must have symbols. */
const struct spec_group *spec_symbol_group(const struct spec_param *p, int64_t selector, int64_t value);

/* Returns the bytes of one value of the type in memory. */
size_t spec_type_size(enum spec_type type);

/* Returns the type that has the same size in every program and that values of this type have in the memory of
 * a program with this ABI: SPEC_U32 for a pointer of 32 bits. */
enum spec_type spec_fixed_type(enum spec_type type, enum spec_abi abi);

/* Reads element index of an array of that type, widened into *out; writes it from value. */
void spec_load(enum spec_type type, const void *base, size_t index, union spec_arg *out);
void spec_store(enum spec_type type, void *base, size_t index, union spec_arg value);

#endif
