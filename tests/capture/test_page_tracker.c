/* SPDX-License-Identifier: MIT
 * Tests that a search for few written pages does not end at a page whose fault is not yet counted.
 */
#include "cmocka_all.h"
#include "memory/fault_log.h"
#include "memory/page_tracker.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 64 };

static struct {
    uint8_t *memory;
    bool written[PAGES]; /* what is reported */
    unsigned uncounted;  /* the page whose thread has not written yet; PAGES: none */
} tracked;

static unsigned number_of(uintptr_t page)
{
    return (unsigned)((page - (uintptr_t)tracked.memory) / PAGE);
}

static void note(void *context, uintptr_t start, uintptr_t end)
{
    (void)context;
    for (uintptr_t page = start; page < end; page += PAGE)
        tracked.written[number_of(page)] = true;
}

static bool is_written(void *context, uintptr_t page)
{
    (void)context;
    return number_of(page) != tracked.uncounted;
}

/* Writes two pages, of which one fault is counted. Returns false if the kernel cannot track pages. */
static bool take_two(unsigned first, unsigned second, unsigned uncounted)
{
    struct page_tracker tracker;
    tracked.uncounted = uncounted;
    memset(tracked.written, 0, sizeof tracked.written);
    tracked.memory =
        mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(tracked.memory, MAP_FAILED);
    const uintptr_t start = (uintptr_t)tracked.memory;
    bool can = page_tracker_start(&tracker, start, start + (uintptr_t)PAGES * PAGE);
    if (can) {
        tracked.memory[first * PAGE] = tracked.memory[second * PAGE] = 1;
        const struct page_tracker_hint hint = {start + first * PAGE, 1, fault_log_count(), is_written};
        assert_true(page_tracker_take(&tracker, &hint, note, NULL));
        page_tracker_stop(&tracker);
    }
    munmap(tracked.memory, (size_t)PAGES * PAGE);
    return can;
}

static void test_uncounted_page(void **unused)
{
    (void)unused;
    if (!take_two(10, 5, 10)) /* the search begins at page 10, and comes to page 5 last */
        skip();
    assert_true(tracked.written[10] && tracked.written[5]);
}

static void test_search_ends(void **unused)
{
    (void)unused;
    if (!take_two(10, 5, PAGES))
        skip();
    assert_true(tracked.written[10] && !tracked.written[5]);
}

/* As many as are tracked at the same time. */
static void test_many_ranges(void **unused)
{
    enum { RANGES = 96 };
    static struct page_tracker trackers[RANGES];
    (void)unused;
    const size_t size = (size_t)RANGES * 2 * PAGE;
    uint8_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    const uintptr_t start = (uintptr_t)memory;
    bool can = page_tracker_start(&trackers[0], start, start + PAGE);
    for (unsigned i = 1; can && i < RANGES; ++i)
        assert_true(page_tracker_start(&trackers[i], start + i * 2 * PAGE, start + (i * 2 + 1) * PAGE));
    for (unsigned i = 0; can && i < RANGES; ++i)
        page_tracker_stop(&trackers[i]);
    munmap(memory, size);
    if (!can)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uncounted_page),
        cmocka_unit_test(test_search_ends),
        cmocka_unit_test(test_many_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
