/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_split.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Finds the file: at its path, which may be relative to where the unit was compiled, or beside the program.
 */
static int open_elf(struct dwarf_split *s, const char *file, const char *directory, const char *name)
{
    const char *slash = strrchr(file, '/'), *base = strrchr(name, '/');
    char *path = NULL;
    int size = name[0] == '/' || directory == NULL ? asprintf(&path, "%s", name)
                                                   : asprintf(&path, "%s/%s", directory, name);
    if (size >= 0 && access(path, F_OK) != 0 && slash != NULL) {
        free(path);
        size = asprintf(&path, "%.*s/%s", (int)(slash - file), file, base != NULL ? base + 1 : name);
    }
    if (size < 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = elf_file_open(&s->elf, path);
    free(path);
    return rc;
}

/* Finds the unit that belongs to the skeleton, and completes its head with what only the skeleton says. */
static int find_unit(struct dwarf_split *s, const struct dwarf_head *skeleton)
{
    struct dwarf_die die;
    for (size_t i = 0; i < s->index.count; ++i) {
        struct dwarf_head *head = &s->index.units[i].head;
        head->split = true;
        head->low = skeleton->low;
        head->addr_base = skeleton->addr_base;
        head->ranges_base = skeleton->ranges_base;
        s->number = i;
        if (dwarf_index_first_die(&s->index, i, &die) && head->id == skeleton->id)
            return 0;
    }
    return trace_error_set(TRACE_ERR_FORMAT, "%s: debug information of another build", s->elf->path);
}

static int open_split(struct dwarf_split *s, const char *file, const struct dwarf_data *data,
                      const struct dwarf_head *head, const struct dwarf_die *first)
{
    struct dwarf_data split;
    const char *name = dwarf_value_text(&first->values[DWARF_DWO_NAME], data, head);
    if (name == NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "a .dwo file without a name");
    int rc = open_elf(s, file, dwarf_value_text(&first->values[DWARF_COMP_DIR], data, head), name);
    if (rc == 0)
        rc = dwarf_sections_init(&s->sections, s->elf);
    if (rc != 0)
        return rc;
    dwarf_sections_split_data(&s->sections, data, &split);
    rc = dwarf_index_read(&s->index, &split);
    return rc == 0 ? find_unit(s, head) : rc;
}

int dwarf_split_open(struct dwarf_split **out, const char *file, const struct dwarf_data *data,
                     const struct dwarf_head *head, const struct dwarf_die *first)
{
    struct dwarf_split *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = open_split(s, file, data, head, first);
    if (rc != 0) {
        dwarf_split_close(s);
        return rc;
    }
    *out = s;
    return 0;
}

void dwarf_split_close(struct dwarf_split *s)
{
    if (s == NULL)
        return;
    dwarf_index_fini(&s->index);
    elf_file_close(s->elf);
    free(s);
}
