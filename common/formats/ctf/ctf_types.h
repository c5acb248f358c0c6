/* SPDX-License-Identifier: MIT
 * What the metadata of a trace say, whatever language they are written in: clocks, stream classes, event
 * classes and the types of their fields. A metadata parser builds it in an arena, and the decoder reads it.
 * Sizes and alignments are in bits unless noted otherwise. Names are those that users see; where the language
 * writes a name differently, `written` has that, and references are resolved by it first.
 */
#ifndef CTF_TYPES_H
#define CTF_TYPES_H

#include "base/arena.h"
#include "base/hash_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctf_byte_order {
    CTF_ORDER_DEFAULT, /* that of the trace */
    CTF_LITTLE_ENDIAN,
    CTF_BIG_ENDIAN,
};

/* A place where fields stand. The order is that of the file, and the reverse of that of a search by name. */
enum ctf_scope {
    CTF_PACKET_HEADER,
    CTF_PACKET_CONTEXT,
    CTF_EVENT_HEADER,
    CTF_COMMON_CONTEXT,   /* of all events of a stream class */
    CTF_SPECIFIC_CONTEXT, /* of an event class */
    CTF_PAYLOAD,
    CTF_SCOPES,
    CTF_NO_SCOPE = CTF_SCOPES, /* a reference begins where it stands, and goes outwards */
};

/* What a field tells the reader of packets and events. */
enum ctf_role {
    CTF_NO_ROLE,
    CTF_MAGIC,           /* an integer; everything below likewise, unless noted */
    CTF_UUID,            /* an array or blob of 16 bytes */
    CTF_STREAM_CLASS_ID, /* absent: the only stream class, or that of file_name */
    CTF_STREAM_ID,       /* instance of the stream class */
    CTF_PACKET_SIZE,     /* in bits, or bytes if trace.sizes_are_bytes; both include the header */
    CTF_CONTENT_SIZE,
    CTF_BEGIN_TIME, /* in cycles of the stream's clock */
    CTF_END_TIME,
    CTF_DISCARDED_EVENTS, /* a counter of the stream instance; wraps to 0 after the integer's size */
    CTF_SEQUENCE_NUMBER,  /* of the packet in its stream instance; likewise */
    CTF_CPU,
    CTF_EVENT_CLASS_ID, /* if several fields of a header have it, the last one that is read counts */
    CTF_TIMESTAMP,      /* updates the stream's clock: the low bits of the counter */
    CTF_PAYLOAD_SIZE,   /* bytes of the event after its header; only checked */
    CTF_CHECKSUM,       /* of the packet after its header; likewise below */
    CTF_CHECKSUM_SCHEME,
    CTF_COMPRESSION,
    CTF_ENCRYPTION,
    CTF_SEQUENCE_BITS, /* how many bits of the sequence number count */
    CTF_SESSION,       /* of the metadata, too */
    CTF_ROLES,
};

enum ctf_kind {
    CTF_INTEGER, /* also enumerations, and variable-length integers */
    CTF_BOOL,    /* an integer that is shown as true or false */
    CTF_BITS,    /* an integer whose bits are shown, with names of ranges of bits: a bit map */
    CTF_FLOAT,
    CTF_STRING, /* ends with a NUL */
    CTF_STRUCT,
    CTF_ARRAY,    /* a fixed number of elements */
    CTF_SEQUENCE, /* the number is in an earlier field, or directly before the elements */
    CTF_TEXT,     /* an array of bytes that is shown as a string, which ends at a NUL at the latest */
    CTF_TEXT_SEQUENCE,
    CTF_BLOB,
    CTF_BLOB_SEQUENCE,
    CTF_VARIANT,
    CTF_OPTIONAL,
};

/* An inclusive range of values. Of a signed integer they are two's complement. */
struct ctf_range {
    uint64_t from;
    uint64_t to;
};

/* A label of an enumeration, for each of its ranges. */
struct ctf_label {
    const char *name;
    struct ctf_range range; /* for CTF_BITS: numbers of bits */
};

struct ctf_clock {
    const char *name; /* NULL: unknown; likewise below */
    const char *description;
    const char *uuid;
    uint64_t frequency;    /* Hz */
    int64_t offset_s;      /* seconds from the origin to the counter's 0; add both offsets */
    uint64_t offset;       /* cycles */
    uint64_t precision;    /* cycles; 0: unknown */
    bool is_absolute;      /* comparable with other clocks that are */
    bool has_unix_origin;  /* the offsets count from 1970-01-01 UTC */
    bool is_declared;      /* TSDL, while it is parsed: false if only a type is mapped to it yet */
    uint32_t line;         /* TSDL: of its declaration, or of that type */
    const char *origin_ns; /* CTF 2: another origin's namespace, name, uid */
    const char *origin_name;
    const char *origin_uid;
};

/* Refers to an earlier field: of one of the scopes, or of an enclosing structure. Empty names ("") lead to
 * the enclosing structure. `line` is for messages. */
struct ctf_reference {
    enum ctf_scope scope;
    uint32_t count;
    const char *const *names;
    uint32_t line;
};

struct ctf_class;

struct ctf_member {
    const char *name;
    const char *written; /* the same, or as the metadata write it */
    const struct ctf_class *type;
};

/* An option of a variant. In TSDL, the selector's label of the same name selects it; otherwise, its ranges.
 */
struct ctf_option {
    const char *name; /* NULL: none */
    const char *written;
    const struct ctf_class *type;
    uint32_t range_count; /* 0: selected by the label */
    const struct ctf_range *ranges;
};

struct ctf_integer {
    uint8_t size; /* 1 to 64; of variable-length integers 64 */
    uint8_t base; /* in which it is shown: 2, 8, 10 or 16 */
    uint8_t order;
    bool is_signed;
    bool is_variable; /* LEB128 */
    bool is_reversed; /* its bits have the other order than the byte order implies */
    uint16_t unit; /* gcc bit fields: if it would cross a unit of so many bits, it begins the next; 0: none */
    bool is_enum;  /* has labels, of which there may be none */
    bool is_character;             /* an array of it is a text */
    uint8_t role;                  /* enum ctf_role */
    const struct ctf_clock *clock; /* NULL: it is not mapped to one */
    uint32_t label_count;
    const struct ctf_label *labels; /* in order of declaration */
};

struct ctf_float {
    uint8_t size; /* 16, 32, 64 or 128 */
    uint8_t order;
    bool is_reversed; /* as of integers */
};

enum ctf_encoding {
    CTF_UTF8, /* also ASCII */
    CTF_UTF16LE,
    CTF_UTF16BE,
    CTF_UTF32LE,
    CTF_UTF32BE,
};

struct ctf_class {
    uint8_t kind;   /* enum ctf_kind */
    uint32_t align; /* a power of two; of structures and arrays that of their parts is already included */
    union {
        struct ctf_integer integer; /* CTF_INTEGER, CTF_BOOL, CTF_BITS */
        struct ctf_float real;
        uint8_t encoding; /* CTF_STRING: enum ctf_encoding */
        struct {
            uint32_t count;
            const struct ctf_member *members;
        } structure;
        struct {                                /* all arrays, sequences, texts, blobs */
            const struct ctf_class *element;    /* of texts and blobs NULL: bytes */
            uint64_t length;                    /* arrays only */
            struct ctf_reference count;         /* sequences only; no names: it has count_type */
            const struct ctf_class *count_type; /* an integer directly before the elements; NULL: none */
            uint8_t role;                       /* enum ctf_role: CTF_UUID */
            uint8_t encoding;                   /* texts only */
        } array;
        struct {
            struct ctf_reference selector;
            uint32_t count;
            const struct ctf_option *options;
        } variant;
        struct {
            struct ctf_reference selector;
            uint32_t range_count; /* 0: the selector is a boolean */
            const struct ctf_range *ranges;
            const struct ctf_class *type;
        } optional;
    } u;
};

struct ctf_event_class {
    uint64_t id;
    const char *name;                /* never NULL */
    const char *emf_uri;             /* NULL: none */
    int64_t log_level;               /* INT64_MIN: none */
    const struct ctf_class *context; /* a structure, or NULL; likewise below */
    const struct ctf_class *payload;
    uint32_t line; /* of its declaration */
};

struct ctf_stream_class {
    uint64_t id;
    const char *name;      /* NULL: none */
    const char *file_name; /* its files are named so, up to a trailing _NUMBER; NULL: no matter */
    const struct ctf_class *packet_context;
    const struct ctf_class *event_header;
    const struct ctf_class *common_context;
    const struct ctf_clock *clock; /* of timestamps whose integer has none; NULL: none */
    struct ctf_event_class *const *events;
    size_t event_count;
    size_t event_room;    /* private */
    struct int_map by_id; /* private */
    uint32_t line;
};

/* A property of the environment: a text, or a number. */
struct ctf_variable {
    const char *name;
    const char *text; /* NULL: it is a number */
    int64_t number;
};

enum ctf_dialect {
    CTF_RFC, /* version 1.1 of the request for comments */
    CTF_1,   /* 1.8 */
    CTF_2,
};

struct ctf_trace {
    struct arena arena; /* everything lives here, but for the lists */
    enum ctf_dialect dialect;
    uint64_t major;
    uint64_t minor;
    uint8_t order; /* CTF_ORDER_DEFAULT: packets tell it by their magic number */
    bool has_uuid;
    uint8_t uuid[16];
    bool has_session; /* version 1.1: the packets of metadata tell it, or else the first one of events */
    uint32_t session;
    bool is_byte_packed; /* version 1.1: basic types are aligned to bytes; set before metadata are read */
    const char *folder;  /* below the one that was opened; "": the same. NULL: unknown */
    const char *name;    /* CTF 2; likewise below. NULL: none */
    const char *name_space;
    const char *uid;
    bool sizes_are_bytes;                  /* of packets and their content */
    const struct ctf_class *packet_header; /* a structure, or NULL */
    const struct ctf_variable *variables;
    size_t variable_count;
    size_t variable_room;             /* private; likewise below */
    struct string_map variable_names; /* indices */
    struct ctf_clock *const *clocks;
    size_t clock_count;
    size_t clock_room; /* private */
    struct ctf_stream_class *const *streams;
    size_t stream_count;
    size_t stream_room;        /* private; likewise below */
    struct int_map stream_ids; /* indices */
};

void ctf_trace_init(struct ctf_trace *t);
void ctf_trace_fini(struct ctf_trace *t);

/* --- building: functions return NULL, with the message set, if there is no memory ------------------------
 */

struct ctf_class *ctf_trace_new_class(struct ctf_trace *t, enum ctf_kind kind, uint32_t align);
char *ctf_trace_copy_text(struct ctf_trace *t, const char *text, size_t length);

void ctf_clock_init(struct ctf_clock *clock); /* without name, of 1 GHz, from 1970 */
/* Likewise. Returns NULL with TRACE_ERR_FORMAT's message, too, if there are very many. */
struct ctf_clock *ctf_trace_add_clock(struct ctf_trace *t);
struct ctf_stream_class *ctf_trace_add_stream(struct ctf_trace *t, uint64_t id);

/* Returns NULL with TRACE_ERR_FORMAT's message, too, if the stream class has an event class of that id. */
struct ctf_event_class *ctf_stream_add_event(struct ctf_trace *t, struct ctf_stream_class *stream,
                                             uint64_t id);

/* Errors: TRACE_ERR_MEMORY. A variable of the same name is replaced. */
int ctf_trace_set_variable(struct ctf_trace *t, const struct ctf_variable *variable);

/* Sets the members of a structure, which are copied, and includes their alignment in its own. Errors:
 * TRACE_ERR_MEMORY. */
int ctf_struct_set_members(struct ctf_trace *t, struct ctf_class *structure, const struct ctf_member *members,
                           size_t count);

/* --- looking up: return NULL if there is none --------------------------------------------------------- */

struct ctf_clock *ctf_trace_find_clock(const struct ctf_trace *t, const char *name);
struct ctf_stream_class *ctf_trace_find_stream(const struct ctf_trace *t, uint64_t id);
struct ctf_event_class *ctf_stream_find_event(const struct ctf_stream_class *stream, uint64_t id);
const struct ctf_variable *ctf_trace_find_variable(const struct ctf_trace *t, const char *name);

/* Finds a member as the metadata write it, or else by its name. */
const struct ctf_member *ctf_struct_find_member(const struct ctf_class *structure, const char *name);

/* How the labels that select an option have its name: TSDL puts an underscore before names, but not always
 * before labels. */
enum ctf_naming {
    CTF_AS_WRITTEN,
    CTF_AS_SEEN, /* or with one underscore more than users see */
};

enum ctf_naming ctf_option_naming(const struct ctf_integer *selector, const struct ctf_option *option);
bool ctf_label_selects(const char *label, const struct ctf_option *option, enum ctf_naming naming);

/* Returns the size in bits of a floating-point number with so many digits: of the interchange formats of IEEE
 * 754 those of 16, 32, 64 and 128 bits; 0 for others. */
uint8_t ctf_float_size(uint64_t exponent_digits, uint64_t mantissa_digits);

/* Returns whether the value, two's complement if signed, is in the range. */
static inline bool ctf_range_has(const struct ctf_range *range, uint64_t value, bool is_signed)
{
    if (is_signed)
        return (int64_t)range->from <= (int64_t)value && (int64_t)value <= (int64_t)range->to;
    return range->from <= value && value <= range->to;
}

#endif
