/* SPDX-License-Identifier: MIT
 * Tracks objects by kind and name, within the scope of their names: a share group, a context or a display.
 * Lists the objects that were never deleted, which are the findings.
 */
#ifndef CLI_LEAK_OBJECTS_H
#define CLI_LEAK_OBJECTS_H

#include "base/hash_map.h"

/* A text that several objects may refer to, such as the call that created them. */
struct leak_text {
    uint32_t uses;
    char text[];
};

struct leak_object {
    uint64_t name;
    uint64_t call;  /* number of the call that created it */
    uint64_t owner; /* the context in which it was created; for a context or drawable, its display; 0: none */
    uint32_t group; /* number of the share group; 0: none */
    uint32_t backtrace;      /* backtrace of that call: index in struct leak_creators; 0: none */
    uint16_t kind;           /* enum spec_object */
    uint16_t function;       /* id of the function that created it */
    struct leak_text *text;  /* that call as dump prints it; NULL: not requested */
    struct leak_text *label; /* the label that the program gave it, or NULL */
    uint64_t *counter;       /* decremented when the object is deleted; may be NULL */
};

/* The objects of one scope. Zero-initialise it before use. */
struct leak_space {
    struct int_map *kinds; /* indexed by the kind that defines the name space; each maps a name to a struct
                              leak_object *; NULL: empty */
};

/* The list of objects that were never deleted. Zero-initialise it before use. */
struct leak_findings {
    struct leak_finding {
        struct leak_object object;
        /* The call that freed it with its context or display; LEAK_AT_END: it was not freed. */
        uint64_t until;
    } * items;
    size_t count;
    size_t cap;
};

#define LEAK_AT_END UINT64_MAX

/* Adds a copy of *object, which replaces an object with the same name. The copy has its own reference to the
 * text. Increments *counter. */
int leak_space_add(struct leak_space *s, const struct leak_object *object);
/* Returns NULL if there is none. */
struct leak_object *leak_space_find(const struct leak_space *s, unsigned kind, uint64_t name);
void leak_space_remove(struct leak_space *s, unsigned kind, uint64_t name);

/* Sets the label of an object, or removes it if label is NULL. Takes over the caller's reference to it. */
void leak_space_set_label(struct leak_space *s, unsigned kind, uint64_t name, struct leak_text *label);

/* Removes count consecutive names, beginning with `first`. */
void leak_space_remove_range(struct leak_space *s, unsigned kind, uint64_t first, uint64_t count);

/* Makes all objects of the space findings. The space is then empty. */
int leak_space_end(struct leak_space *s, struct leak_findings *findings, uint64_t until);

/* Makes all objects of an owner findings, except those of the kind `except`. */
int leak_space_end_owner(struct leak_space *s, uint64_t owner, unsigned except,
                         struct leak_findings *findings, uint64_t until);

/* Moves all objects of `from` to s, and sets their group. `from` is then empty. */
int leak_space_merge(struct leak_space *s, struct leak_space *from, uint32_t group);
void leak_space_fini(struct leak_space *s);

/* Makes one object of the space a finding. */
int leak_space_end_one(struct leak_space *s, struct leak_object *object, struct leak_findings *findings,
                       uint64_t until);

void leak_findings_fini(struct leak_findings *f);

/* Returns a copy of a text with one reference, or NULL if there is no memory. */
struct leak_text *leak_text_new(const void *bytes, size_t size);
void leak_text_release(struct leak_text *t); /* t may be NULL */

#endif
