/* SPDX-License-Identifier: MIT
 * Prints what addresses of a module are called, as `addr2line -a -i -f` does, for tests that compare the two.
 * usage: name_addresses [-C] [-o] [-d DIRECTORY] [-b BUILD-ID] [-m BYTES] MODULE < ADDRESSES
 * -C: demangled names; -o: also offsets in functions; -m: memory limit.
 */
#include "symbols/symbolizer.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct lookup_options {
    bool demangle;
    bool offsets;
    uint8_t build_id[64];
    size_t build_id_size;
};

static void tell(void *context, const char *module, const char *message)
{
    (void)context;
    fprintf(stderr, "%s: %s\n", module, message);
}

static void print_frame(const struct lookup_options *o, const struct symbol_frame *f)
{
    const char *name = !o->demangle && f->linkage_name != NULL ? f->linkage_name : f->function;
    printf("%s", name != NULL ? name : "??");
    if (o->offsets && f->offset >= 0)
        printf("+0x%" PRIx64, (uint64_t)f->offset);
    printf("\n%s:", f->file != NULL ? f->file : "??");
    if (f->line >= 0)
        printf("%" PRId64 "\n", f->line);
    else
        printf("%s\n", "?");
}

static int look_up(const struct lookup_options *o, struct symbolizer *s, const char *path)
{
    const struct symbol_module module = {path, o->build_id, o->build_id_size};
    uint64_t address;
    while (scanf("%" SCNx64, &address) == 1) {
        const struct symbol_frame *frames;
        size_t count;
        if (symbolizer_find(s, &module, address, &frames, &count) != 0)
            return -1;
        printf("0x%016" PRIx64 "\n", address);
        if (count == 0)
            puts("??\n??:?");
        for (size_t i = 0; i < count; ++i)
            print_frame(o, &frames[i]);
    }
    return 0;
}

static void read_build_id(struct lookup_options *o, const char *text)
{
    unsigned byte;
    while (o->build_id_size < sizeof o->build_id && sscanf(text + 2 * o->build_id_size, "%2x", &byte) == 1)
        o->build_id[o->build_id_size++] = (uint8_t)byte;
}

int main(int argc, char **argv)
{
    struct lookup_options o = {false, false, {0}, 0};
    struct symbolizer *s;
    int letter;
    if (symbolizer_new(&s) != 0)
        return 1;
    symbolizer_set_warning(s, tell, NULL);
    while ((letter = getopt(argc, argv, "Cod:b:m:")) != -1) {
        o.demangle = o.demangle || letter == 'C';
        o.offsets = o.offsets || letter == 'o';
        if (letter == 'm')
            symbolizer_set_memory_limit(s, strtoul(optarg, NULL, 10));
        if (letter == 'b')
            read_build_id(&o, optarg);
        if (letter == 'd' && symbolizer_add_debug_directory(s, optarg) != 0)
            return 1;
    }
    int rc = optind < argc ? look_up(&o, s, argv[optind]) : -1;
    if (rc != 0)
        fprintf(stderr, "%s\n", trace_error_message());
    symbolizer_free(s);
    return rc != 0;
}
