/* SPDX-License-Identifier: MIT
 * Reads any bytes as JSON or UBJSON, as diff-state does. What was read equals itself, and is printed as a
 * difference to something else.
 */
#include "fuzz_target.h"

#include "base/json_reader.h"
#include "diff/state_print.h"
#include "diff/state_tree.h"

#include <stdlib.h>

static void check(struct json_value *v, bool keep_images)
{
    static const struct json_value other = {.kind = JSON_INTEGER, .text = "1x", .count = 2};
    struct buf out = BUF_INIT;
    struct state_print p = {.out = &out, .color = true};
    state_tree_prepare(v, keep_images);
    if (!state_tree_equal(v, v, false) || state_tree_equal(v, NULL, true))
        abort();
    state_print_difference(&p, v, &other);
    if (p.failed || out.len == 0)
        abort();
    buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena;
    struct json_reader reader;
    struct json_value value;
    bool found;
    arena_init(&arena);
    json_reader_init(&reader, &arena, bytes, count);
    while (json_reader_next(&reader, &value, &found) == 0 && found)
        check(&value, count % 2 == 0);
    arena_fini(&arena);
    return 0;
}
