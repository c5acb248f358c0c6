/* SPDX-License-Identifier: MIT
 * Objects that exist, by kind and name, in what their names belong to (a share group, a context, …), and the
 * list of those that were never deleted.
 */
#ifndef CLI_LEAK_OBJECTS_H
#define CLI_LEAK_OBJECTS_H

#include "base/hash_map.h"

/* Text that several objects share, like the call that created them all. */
struct leak_text {
    uint32_t uses;
    char text[];
};

struct leak_object {
    uint64_t name;
    uint64_t call;  /* its number: the call that created it */
    uint64_t owner; /* the context that it was created in, 0: none; the display of a context or drawable */
    uint32_t group; /* number of the share group; 0: none */
    uint32_t backtrace;      /* of that call: index into the tracker's; 0: none */
    uint16_t kind;           /* enum spec_object */
    uint16_t function;       /* id of the function that created it */
    struct leak_text *text;  /* the call, as dump prints it; NULL: not wanted */
    struct leak_text *label; /* that the program gave it, or NULL */
    uint64_t *counter;       /* decremented when the object is deleted; or NULL */
};

/* Names and their objects. Zero-initialise. */
struct leak_space {
    struct int_map *kinds; /* by the kind whose name space it is: name to struct leak_object *; NULL: empty */
};

/* The list of objects that were never deleted. Zero-initialise. */
struct leak_findings {
    struct leak_finding {
        struct leak_object object;
        uint64_t until; /* the call that freed it, with its context or display; LEAK_AT_END: none did */
    } * items;
    size_t count;
    size_t cap;
};

#define LEAK_AT_END UINT64_MAX

/* Adds a copy of *object, replacing any object of that name, with a reference to its text; increments
 * *counter. */
int leak_space_add(struct leak_space *s, const struct leak_object *object);
struct leak_object *leak_space_find(const struct leak_space *s, unsigned kind, uint64_t name); /* or NULL */
void leak_space_remove(struct leak_space *s, unsigned kind, uint64_t name);

/* Sets the label of an object, or removes it if label is NULL. Takes over the reference to the text. */
void leak_space_set_label(struct leak_space *s, unsigned kind, uint64_t name, struct leak_text *label);

/* Removes the count names from `first` on. */
void leak_space_remove_range(struct leak_space *s, unsigned kind, uint64_t first, uint64_t count);

/* All objects become findings; the space is empty then. */
int leak_space_end(struct leak_space *s, struct leak_findings *findings, uint64_t until);

/* The objects of a display become findings, except for those of the kind `except`. */
int leak_space_end_owner(struct leak_space *s, uint64_t owner, unsigned except,
                         struct leak_findings *findings, uint64_t until);

/* Moves the objects of `from`, which is empty then, and gives them the group's number. */
int leak_space_merge(struct leak_space *s, struct leak_space *from, uint32_t group);
void leak_space_fini(struct leak_space *s);

/* One object becomes a finding and leaves the space. */
int leak_space_end_one(struct leak_space *s, struct leak_object *object, struct leak_findings *findings,
                       uint64_t until);

void leak_findings_fini(struct leak_findings *f);

/* A text of `size` bytes with one reference; NULL if out of memory. */
struct leak_text *leak_text_new(const void *bytes, size_t size);
void leak_text_release(struct leak_text *t); /* NULL is allowed */

#endif
