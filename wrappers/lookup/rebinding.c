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

struct view {
    struct elf_object *objects; /* all objects of our namespace */
    size_t count, own;          /* the number of objects, and the index of this library among them */
    void *handle;               /* handle of the object's namespace if it is not ours; otherwise NULL */
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

static void lead_to_stub(const struct elf_object *object, const struct elf_slot *slot, void *data)
{
    const struct view *view = data;
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
    elf_object_set_slot(object, slot, (uintptr_t)wanted);
}

/* By a weak reference, a program tests whether it is linked with a function. It must stay NULL if no library
 * has the function. */
static void drop_missing(const struct elf_object *object, const struct elf_slot *slot, void *data)
{
    const struct view *view = data;
    if (slot->symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(slot->symbol->st_info) != STB_WEAK ||
        slot->lazy || slot->addend != 0 || !may_be_ours(slot->name) || !is_own(view, *slot->address) ||
        recorded_function_find(slot->name) == NULL)
        return;
    if (elf_next_function(slot->name, &seen) == NULL)
        elf_object_set_slot(object, slot, 0);
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

static void lead_to_itself(const struct elf_object *object, const struct elf_slot *slot, void *data)
{
    const struct view *view = data;
    uintptr_t bound = *slot->address, own = object->base + slot->symbol->st_value;
    unsigned type = ELF64_ST_TYPE(slot->symbol->st_info);
    bool unbound = slot->lazy && is_in(object, bound) && bound != own;
    if (slot->symbol->st_shndx == SHN_UNDEF || (!unbound && !is_own(view, bound)) ||
        recorded_function_find(slot->name) == NULL)
        return;
    uintptr_t untraced = find_untraced(object, slot);
    if (type == STT_OBJECT)
        elf_object_set_slot(object, slot, untraced + (uintptr_t)slot->addend);
    else if (type == STT_FUNC && slot->addend == 0 && untraced == own)
        elf_object_set_slot(object, slot, (uintptr_t)recorded_name_wrap(slot->name, (void *)own));
}

/* ---------------------------------------------------------------------------------------------------------
 */

static void rebind_object(const struct elf_object *object, struct view *view)
{
    if (object->symbols == NULL || is_own(view, object->start))
        return;
    bool program = object->name[0] == '\0', needing = needs_ours(object);
    if (needing && view->handle == NULL)
        elf_object_visit_slots(object, drop_missing, view);
    if (!program && view->handle == NULL && defines_ours(object))
        elf_object_visit_slots(object, lead_to_itself, view);
    if (!program && needing && !gl_libraries_have(object, ""))
        elf_object_visit_slots(object, lead_to_stub, view);
}

static void rebind_namespace(void *handle, struct view *view)
{
    Lmid_t space = LM_ID_BASE;
    struct elf_object object;
    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT || dlinfo(handle, RTLD_DI_LMID, &space) != 0 ||
        space == LM_ID_BASE)
        return;
    view->handle = handle;
    for (const struct link_map *map = handle; map != NULL; map = map->l_next)
        if (elf_object_at(map->l_ld, &object))
            rebind_object(&object, view);
}

static _Atomic uint64_t loaded;

static void rebind_new_objects(struct view *view, uint64_t unloaded)
{
    uint64_t before = atomic_load(&seen);
    size_t first = before >> 32 == (uint32_t)unloaded ? (uint32_t)before : 0;
    while (view->own < view->count && !is_own(view, (uintptr_t)&seen))
        view->own++;
    for (size_t i = first; i < view->count && view->own < view->count; ++i)
        rebind_object(&view->objects[i], view);
    atomic_store(&seen, unloaded << 32 | (uint32_t)view->count);
}

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
    uint64_t unloaded = elf_unloaded_count();
    view.objects = elf_objects_list(&view.count);
    rebind_new_objects(&view, unloaded);
    if (view.own < view.count)
        rebind_namespace(handle, &view);
    atomic_store(&loaded, loaded_now);
    free(view.objects);
    rebinding = false;
}

__attribute__((constructor)) static void rebind_at_start(void)
{
    rebinding_update(NULL);
}
