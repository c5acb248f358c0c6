/* SPDX-License-Identifier: MIT
 * Looks up addresses in what random mutations make of modules. It succeeds when nothing crashes or hangs;
 * under the address sanitizer also when nothing is read or written where it should not. usage: mutate_modules
 * ROUNDS SEED MODULE...
 */
#include "symbols/symbolizer.h"

#include "base/error.h"
#include "symbols/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SECONDS_MAX 60 /* time limit of one mutation */

struct seed {
    const char *path;
    uint8_t *bytes;
    size_t size;
    struct elf_file *elf;
    uint64_t code, code_size; /* addresses to look up */
};

static uint64_t random_state;

static uint64_t next_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 33;
}

static int read_seed(struct seed *s, const char *path)
{
    *s = (struct seed){.path = path};
    FILE *in = fopen(path, "rb");
    if (in == NULL || fseek(in, 0, SEEK_END) != 0)
        return -1;
    s->size = (size_t)ftell(in);
    rewind(in);
    s->bytes = malloc(s->size);
    if (s->bytes == NULL || fread(s->bytes, 1, s->size, in) != s->size)
        return -1;
    fclose(in);
    if (elf_file_open(&s->elf, path) != 0)
        return -1;
    for (size_t i = 1; i < s->elf->section_count; ++i)
        if (strcmp(s->elf->sections[i].name, ".text") == 0) {
            s->code = s->elf->sections[i].address;
            s->code_size = s->elf->sections[i].size;
        }
    return s->code_size > 0 ? 0 : -1;
}

/* Picks the place of the next mutation: usually in debug information or symbols, sometimes anywhere. */
static size_t pick_place(const struct seed *s)
{
    for (int tries = 0; tries < 50 && next_number() % 16 != 0; ++tries) {
        Elf64_Ehdr head;
        Elf64_Shdr section;
        memcpy(&head, s->bytes, sizeof head);
        uint64_t index = next_number() % s->elf->section_count;
        memcpy(&section, s->bytes + head.e_shoff + index * sizeof section, sizeof section);
        const char *name = s->elf->sections[index].name;
        bool wanted =
            strstr(name, "debug") != NULL || section.sh_type == SHT_SYMTAB || section.sh_type == SHT_NOTE;
        if (wanted && section.sh_type != SHT_NOBITS && section.sh_size > 0)
            /* headers, at the start, matter most */
            return section.sh_offset +
                   next_number() % (next_number() % 4 == 0 && section.sh_size > 64 ? 64 : section.sh_size);
    }
    return next_number() % 8 == 0 ? next_number() % 64 : next_number() % s->size;
}

static void mutate(const struct seed *s, uint8_t *bytes)
{
    static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x10, 0x40};
    uint64_t count = 1 + next_number() % 6;
    for (uint64_t i = 0; i < count; ++i) {
        size_t at = pick_place(s);
        switch (next_number() % 4) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << next_number() % 8);
            break;
        case 1:
            bytes[at] = edges[next_number() % sizeof edges];
            break;
        case 2:
            bytes[at] = (uint8_t)next_number();
            break;
        default: /* a number of several bytes */
            for (size_t j = 0; j < (next_number() % 2 == 0 ? 4 : 8) && at + j < s->size; ++j)
                bytes[at + j] = next_number() % 3 == 0 ? (uint8_t)next_number() : 0xff;
        }
    }
}

static int write_all_bytes(int file, const uint8_t *bytes, size_t size)
{
    return ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size ? 0 : -1;
}

static int look_up(const struct seed *s, const char *path, uint64_t *found)
{
    struct symbolizer *symbolizer;
    const struct symbol_module module = {path, NULL, 0};
    if (symbolizer_new(&symbolizer) != 0)
        return -1;
    int rc = 0;
    for (uint64_t at = 0; at < s->code_size && rc == 0; at += 1 + s->code_size / 40) {
        const struct symbol_frame *frames;
        size_t count;
        rc = symbolizer_find(symbolizer, &module, s->code + at, &frames, &count);
        for (size_t i = 0; i < count; ++i)
            *found += frames[i].function != NULL ? strlen(frames[i].function) : 0;
        for (size_t i = 0; i < count; ++i)
            *found += frames[i].file != NULL ? strlen(frames[i].file) : 0;
    }
    symbolizer_free(symbolizer);
    if (rc == TRACE_ERR_MEMORY)
        rc = 0;
    return rc;
}

static int run_round(const struct seed *s, int file, const char *path, uint64_t *found)
{
    uint8_t *bytes = malloc(s->size);
    if (bytes == NULL)
        return -1;
    memcpy(bytes, s->bytes, s->size);
    mutate(s, bytes);
    size_t size = next_number() % 20 == 0 ? next_number() % s->size : s->size;
    int rc = write_all_bytes(file, bytes, size);
    free(bytes);
    alarm(SECONDS_MAX);
    return rc == 0 ? look_up(s, path, found) : rc;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    unsigned long rounds = strtoul(argv[1], NULL, 10), first = strtoul(argv[2], NULL, 10);
    uint64_t found = 0;
    char path[64];
    int file = memfd_create("module", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int i = 3; i < argc; ++i) {
        struct seed s;
        if (read_seed(&s, argv[i]) != 0) {
            fprintf(stderr, "%s: cannot be used: %s\n", argv[i], trace_error_message());
            return 1;
        }
        for (unsigned long round = first; round < first + rounds; ++round) {
            random_state = round * 1000003 + (uint64_t)i;
            next_number();
            fprintf(stderr, "\r%s %lu ", argv[i], round); /* visible if it crashes */
            if (run_round(&s, file, path, &found) != 0) {
                fprintf(stderr, "%s\n", trace_error_message());
                return 1;
            }
        }
        fprintf(stderr, "\n");
        elf_file_close(s.elf);
        free(s.bytes);
    }
    printf("%" PRIu64 " characters\n", found);
    return 0;
}
