/* SPDX-License-Identifier: MIT */
#include "collector/life_mark.h"

#include <sys/syscall.h>
#include <unistd.h>

static bool register_list(struct life_mark *mark)
{
    return syscall(SYS_set_robust_list, &mark->head, sizeof mark->head) == 0;
}

void life_mark_set(struct life_mark *mark, struct segment_control *s)
{
    mark->head.list.next = &mark->entry;
    mark->head.futex_offset = (char *)&s->consumer - (char *)&mark->entry;
    mark->head.list_op_pending = NULL;
    mark->entry.next = &mark->head.list;
    atomic_store(&s->consumer, (uint32_t)syscall(SYS_gettid));
    if (!register_list(mark))
        atomic_store(&s->consumer, 0); /* the program then checks the process instead */
}

void life_mark_clear(struct life_mark *mark, struct segment_control *s)
{
    mark->head.list.next = &mark->head.list;
    register_list(mark);
    atomic_store(&s->consumer, 0);
}
