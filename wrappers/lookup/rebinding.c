/* SPDX-License-Identifier: MIT
 * Corrects symbol bindings of the loader by which calls would be lost or the program would be harmed. A
 * library that was opened with RTLD_DEEPBIND, or in a namespace of its own, is bound directly to GL. A
 * library with exported variables glClear, glXSwapBuffers, … that store function pointers is bound to our
 * functions with these names and would write to them. A library with its own functions of these names would
 * call ours instead. A weak reference to a function that no library has is bound to ours. The slots that
 * contain the addresses are changed at the start, and when the program looks up symbols of a library.
 */
#include "lookup/rebinding.h"

#include "lookup/elf_objects.h"
#include "lookup/gl_libraries.h"
#include "lookup/real_dlsym.h"
#include "lookup/recorded_functions.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A library that needs none of these neither calls nor looks up GL functions. */
static bool may_be_ours(const char *name)
{
    switch (name[0]) {
    case 'g':
        return name[1] == 'l' && (name[2] == 'X' || (name[2] >= 'A' && name[2] <= 'Z'));
    case 'e':
        return strncmp(name, "egl", 3) == 0;
    case 'd':
        return name[1] == 'l';
    default:
        return false;
    }
}

static bool is_in(const struct elf_object *object, uintptr_t address)
{
    return address >= object->start && address < object->end;
}

/* How many objects of our namespace have been processed. The upper half contains how many had been unloaded
 * by then, since the processed ones may be among them. Threads that do this at the same time do the same work
 * twice. */
static _Atomic uint64_t seen;

/* A slot that may have to be changed. Another thread can unload the object at any time, so this is a copy. */
struct candidate {
    struct elf_object object;
    struct elf_slot slot; /* its name is ours; its address is that of `value` */
    ElfW(Sym) symbol;
    uintptr_t *address;     /* the slot itself */
    uintptr_t found, value; /* what it contained, and what it should contain */
    unsigned steps;         /* enum step */
};

enum step { DROP_MISSING = 1, LEAD_TO_ITSELF = 2, LEAD_TO_STUB = 4 };

struct view {
    struct elf_object *objects; /* all objects of our namespace */
    size_t count, own;          /* the number of objects, and the index of this library among them */
    void *handle;               /* handle of the object's namespace if it is not ours; otherwise NULL */
    size_t first;               /* the first object that has not been processed */
    struct candidate *candidates;
    size_t candidate_count, room;
    unsigned steps; /* for the object whose slots are visited */
};

static bool is_own(const struct view *view, uintptr_t address)
{
    return is_in(&view->objects[view->own], address);
}

/* The program, or a library that is preloaded before ours: its definitions take precedence. */
static bool comes_first(const struct view *view, uintptr_t address)
{
    for (size_t i = 0; i < view->own; ++i)
        if (is_in(&view->objects[i], address))
            return true;
    return false;
}

/* ---- Bound to GL itself ---------------------------------------------------------------------------------
 */

/* Returns what a slot contains, or will contain once it is bound. Returns 0 if that is unknown. */
static uintptr_t find_bound(const struct view *view, const struct elf_object *object,
                            const struct elf_slot *slot)
{
    uintptr_t bound = *slot->address;
    if (!is_in(object, bound))
        return bound;
    return (uintptr_t)real_dlsym(view->handle != NULL ? view->handle : RTLD_DEFAULT, slot->name);
}

/* Returns the function of the C library that we intercept under this name, or NULL. */
static void *find_own(const struct view *view, const char *name)
{
    const struct elf_object *own = &view->objects[view->own];
    const ElfW(Sym) *symbol = elf_object_symbol(own, name);
    return symbol != NULL ? (void *)(own->base + symbol->st_value) : NULL;
}

static void lead_to_stub(const struct view *view, const struct elf_object *object,
                         const struct elf_slot *slot)
{
    struct elf_object where;
    if (slot->symbol->st_shndx != SHN_UNDEF || slot->addend != 0 || is_own(view, *slot->address))
        return;
    const struct spec_function *f = recorded_function_find(slot->name);
    /* Another namespace has its own C library, and these functions do not belong to it. */
    void *wanted = f == NULL && view->handle == NULL ? find_own(view, slot->name) : NULL;
    if (f == NULL && wanted == NULL)
        return;
    uintptr_t bound = find_bound(view, object, slot);
    if (bound == 0 || comes_first(view, bound))
        return;
    if (is_own(view, bound))
        wanted = (void *)bound;
    else if (!elf_object_at((void *)bound, &where))
        return;
    else if (f != NULL)
        wanted = recorded_name_wrap(slot->name, (void *)bound);
    *slot->address = (uintptr_t)wanted;
}

/* By a weak reference, a program tests whether it is linked with a function. It must stay NULL if no library
 * has the function. */
static void drop_missing(const struct view *view, const struct elf_slot *slot)
{
    if (slot->symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(slot->symbol->st_info) != STB_WEAK ||
        slot->lazy || slot->addend != 0 || !may_be_ours(slot->name) || !is_own(view, *slot->address) ||
        recorded_function_find(slot->name) == NULL)
        return;
    if (elf_next_function(slot->name, &seen) == NULL)
        *slot->address = 0;
}

static bool needs_ours(const struct elf_object *object)
{
    size_t count = elf_object_undefined_count(object);
    for (size_t i = 1; i < count; ++i)
        if (object->symbols[i].st_shndx == SHN_UNDEF &&
            may_be_ours(object->strings + object->symbols[i].st_name))
            return true;
    return false;
}

/* ---- Bound to us instead of to the library itself -------------------------------------------------------
 */

/* A library that has variables or functions with GL names has at least one of these. */
static bool defines_ours(const struct elf_object *object)
{
    static const char *const usual[] = {
        "glActiveTexture", "glAttachShader",    "glBindBuffer",  "glBufferData",      "glCompileShader",
        "glCreateShader",  "glGenBuffers",      "glUseProgram",  "glXSwapBuffers",    "glClear",
        "glBlendColor",    "glTexImage3D",      "glGetStringi",  "eglSwapBuffers",    "glXCreateContext",
        "glGetError",      "glBindFramebuffer", "eglGetDisplay", "eglGetProcAddress", "glXGetProcAddressARB"};
    for (unsigned i = 0; i < sizeof usual / sizeof usual[0]; ++i)
        if (elf_object_symbol(object, usual[i]) != NULL)
            return true;
    return false;
}

/* Returns what the slot would contain without tracing: the first definition in the program's global scope, or
 * the object's own. */
static uintptr_t find_untraced(const struct elf_object *object, const struct elf_slot *slot)
{
    void *next = real_dlsym(RTLD_NEXT, slot->name);
    return next != NULL ? (uintptr_t)next : object->base + slot->symbol->st_value;
}

static void lead_to_itself(const struct view *view, const struct elf_object *object,
                           const struct elf_slot *slot)
{
    uintptr_t bound = *slot->address, own = object->base + slot->symbol->st_value;
    unsigned type = ELF64_ST_TYPE(slot->symbol->st_info);
    bool unbound = slot->lazy && is_in(object, bound) && bound != own;
    if (slot->symbol->st_shndx == SHN_UNDEF || (!unbound && !is_own(view, bound)) ||
        recorded_function_find(slot->name) == NULL)
        return;
    uintptr_t untraced = find_untraced(object, slot);
    if (type == STT_OBJECT)
        *slot->address = untraced + (uintptr_t)slot->addend;
    else if (type == STT_FUNC && slot->addend == 0 && untraced == own)
        *slot->address = (uintptr_t)recorded_name_wrap(slot->name, (void *)own);
}

/* ---------------------------------------------------------------------------------------------------------
 */

static struct candidate *new_candidate(struct view *view)
{
    if (view->candidate_count == view->room) {
        size_t room = view->room > 0 ? 2 * view->room : 64;
        struct candidate *more = realloc(view->candidates, room * sizeof *more);
        if (more == NULL)
            return NULL;
        view->candidates = more;
        view->room = room;
    }
    return &view->candidates[view->candidate_count++];
}

/* Returns our own copy of the name, or NULL if the slot is not of interest. */
static const char *find_name(const struct view *view, const char *name)
{
    const struct spec_function *f = recorded_function_find(name);
    if (f != NULL)
        return spec_string(f->name);
    const struct elf_object *own = &view->objects[view->own];
    const ElfW(Sym) *symbol = elf_object_symbol(own, name);
    return symbol != NULL ? own->strings + symbol->st_name : NULL;
}

static void collect_slot(const struct elf_object *object, const struct elf_slot *slot, void *data)
{
    struct view *view = data;
    const char *name = find_name(view, slot->name);
    struct candidate *c = name != NULL ? new_candidate(view) : NULL;
    if (c == NULL)
        return;
    *c = (struct candidate){.object = *object,
                            .slot = *slot,
                            .symbol = *slot->symbol,
                            .address = slot->address,
                            .found = *slot->address,
                            .steps = view->steps};
    c->slot.name = name;
}

static void collect_object(const struct elf_object *object, struct view *view)
{
    if (object->symbols == NULL || is_own(view, object->start))
        return;
    bool program = object->name[0] == '\0', needing = needs_ours(object);
    view->steps = 0;
    if (needing && view->handle == NULL)
        view->steps |= DROP_MISSING;
    if (!program && view->handle == NULL && defines_ours(object))
        view->steps |= LEAD_TO_ITSELF;
    if (!program && needing && !gl_libraries_have(object, ""))
        view->steps |= LEAD_TO_STUB;
    if (view->steps != 0)
        elf_object_visit_slots(object, collect_slot, view);
}

/* What is looked up here may take the loader's other lock, which a thread that unloads already holds. */
static void decide(const struct view *view)
{
    for (size_t i = 0; i < view->candidate_count; ++i) {
        struct candidate *c = &view->candidates[i];
        c->value = c->found;
        c->slot.symbol = &c->symbol;
        c->slot.address = &c->value;
        if ((c->steps & DROP_MISSING) != 0)
            drop_missing(view, &c->slot);
        if ((c->steps & LEAD_TO_ITSELF) != 0)
            lead_to_itself(view, &c->object, &c->slot);
        if ((c->steps & LEAD_TO_STUB) != 0)
            lead_to_stub(view, &c->object, &c->slot);
    }
}

static bool is_among(const struct elf_object *objects, size_t count, const struct elf_object *wanted)
{
    for (size_t i = 0; i < count; ++i)
        if (objects[i].start == wanted->start && objects[i].end == wanted->end &&
            objects[i].base == wanted->base && objects[i].dynamic == wanted->dynamic)
            return true;
    return false;
}

/* objects: those that are still loaded; NULL: all are. */
static void change_slots(const struct view *view, const struct elf_object *objects, size_t count)
{
    for (size_t i = 0; i < view->candidate_count; ++i) {
        const struct candidate *c = &view->candidates[i];
        struct elf_slot slot = c->slot;
        slot.address = c->address;
        if (c->value != c->found && (objects == NULL || is_among(objects, count, &c->object)) &&
            *c->address == c->found)
            elf_object_set_slot(&c->object, &slot, c->value);
    }
}

static void collect_new_objects(void *data)
{
    struct view *view = data;
    view->objects = elf_objects_list(&view->count);
    while (view->own < view->count && !is_own(view, (uintptr_t)&seen))
        view->own++;
    for (size_t i = view->first; i < view->count && view->own < view->count; ++i)
        collect_object(&view->objects[i], view);
}

static void change_loaded_objects(void *data)
{
    size_t count;
    struct elf_object *objects = elf_objects_list(&count);
    if (objects != NULL)
        change_slots(data, objects, count);
    free(objects);
}

static void rebind_new_objects(struct view *view, uint64_t unloaded)
{
    uint64_t before = atomic_load(&seen);
    view->first = before >> 32 == (uint32_t)unloaded ? (uint32_t)before : 0;
    elf_objects_keep(collect_new_objects, view);
    decide(view);
    if (view->candidate_count > 0)
        elf_objects_keep(change_loaded_objects, view);
    atomic_store(&seen, unloaded << 32 | (uint32_t)view->count);
}

/* The program has the handle, so what it refers to remains loaded. */
static void rebind_namespace(void *handle, struct view *view)
{
    Lmid_t space = LM_ID_BASE;
    struct elf_object object;
    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT || dlinfo(handle, RTLD_DI_LMID, &space) != 0 ||
        space == LM_ID_BASE)
        return;
    view->handle = handle;
    view->candidate_count = 0;
    for (const struct link_map *map = handle; map != NULL; map = map->l_next)
        if (elf_object_at(map->l_ld, &object))
            collect_object(&object, view);
    decide(view);
    change_slots(view, NULL, 0);
}

static _Atomic uint64_t loaded;

void rebinding_update(void *handle)
{
    static _Thread_local bool rebinding __attribute__((tls_model("initial-exec")));
    struct view view = {.handle = NULL};
    if (rebinding) /* our own lookups also arrive here if another preloaded library has intercepted dlsym() */
        return;
    uint64_t loaded_now = elf_loaded_count();
    if (loaded_now == atomic_load_explicit(&loaded, memory_order_relaxed))
        return;
    rebinding = true;
    rebind_new_objects(&view, elf_unloaded_count());
    if (view.own < view.count)
        rebind_namespace(handle, &view);
    atomic_store(&loaded, loaded_now);
    free(view.candidates);
    free(view.objects);
    rebinding = false;
}

__attribute__((constructor)) static void rebind_at_start(void)
{
    rebinding_update(NULL);
}
