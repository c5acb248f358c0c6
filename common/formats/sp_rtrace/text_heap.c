/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/text_heap.h"

const struct text_heap_line text_heap_lines[TEXT_HEAP_LINES] = {
    {"heap bottom", offsetof(struct trace_heap, bottom), true},
    {"heap top", offsetof(struct trace_heap, top), true},
    {"lowest block", offsetof(struct trace_heap, lowest_block), true},
    {"highest block", offsetof(struct trace_heap, highest_block), true},
    {"non-mapped space allocated from system", offsetof(struct trace_heap, arena), false},
    {"number of free chunks", offsetof(struct trace_heap, ordblks), false},
    {"number of fastbin blocks", offsetof(struct trace_heap, smblks), false},
    {"number of mapped regions", offsetof(struct trace_heap, hblks), false},
    {"space in mapped regions", offsetof(struct trace_heap, hblkhd), false},
    {"maximum total allocated space", offsetof(struct trace_heap, usmblks), false},
    {"space available in freed fastbin blocks", offsetof(struct trace_heap, fsmblks), false},
    {"total allocated space", offsetof(struct trace_heap, uordblks), false},
    {"total free space", offsetof(struct trace_heap, fordblks), false},
    {"top-most, releasable (via malloc_trim) space", offsetof(struct trace_heap, keepcost), false},
};
