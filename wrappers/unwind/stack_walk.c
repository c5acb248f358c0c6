/* SPDX-License-Identifier: MIT */
#include "unwind/stack_walk.h"

#include "memory/own_stack.h"
#include "memory/program_memory.h"
#include "unwind/loaded_modules.h"

#include <string.h>

#define KNOWN_RULES 4096
#define FP_REACH    ((uintptr_t)1 << 20) /* highest size in bytes of a frame without call frame information */
#define WORD        sizeof(uintptr_t)

/* Values of walk.fp_at that are not addresses: the memo already depends on the frame pointer, or it is still
 * the one from the start. */
enum { FP_NOTED, FP_FIRST };

/* A cache of rules by address, for all threads. The first word is the key XOR the rule, so a reader notices
 * when two threads have written the two words of an entry. */
static struct {
    _Atomic uint64_t key, rule;
} known[KNOWN_RULES];
static _Atomic uint32_t age;

struct walk {
    uintptr_t pc, sp, fp;
    bool interrupted;    /* pc is where a signal interrupted the function; otherwise it is after a call */
    uintptr_t low, high; /* the memory between them is readable */
    uint32_t age;
    bool learns;
    const void *frame;
    uint64_t *pcs;
    unsigned count, limit;
    struct stack_memo *memo; /* NULL: this walk cannot be stored */
    uintptr_t fp_at;         /* address from which fp was read, or FP_FIRST, or FP_NOTED */
};

enum step { STEP_ON, STEP_END, STEP_UNKNOWN };

void stack_walk_forget(void)
{
    atomic_fetch_add(&age, 1);
}

uint32_t stack_walk_age(void)
{
    return atomic_load_explicit(&age, memory_order_relaxed);
}

static uint64_t key_of(const struct walk *w, uintptr_t place)
{
    return place ^ (uint64_t)w->age << 48; /* no address of a program has these bits */
}

static unsigned slot_of(uintptr_t place)
{
    return (unsigned)((uint64_t)place * UINT64_C(0x9e3779b97f4a7c15) >> 52) % KNOWN_RULES;
}

static bool find_known(const struct walk *w, uintptr_t place, struct frame_rule *rule)
{
    unsigned i = slot_of(place);
    uint64_t key = atomic_load_explicit(&known[i].key, memory_order_acquire);
    uint64_t word = atomic_load_explicit(&known[i].rule, memory_order_relaxed);
    memcpy(rule, &word, sizeof word);
    return (key ^ word) == key_of(w, place);
}

static void learn(const struct walk *w, uintptr_t place, struct frame_rule *rule)
{
    struct frame_tables tables;
    const struct link_map *map;
    uint64_t word;
    *rule = (struct frame_rule){.kind = CFA_NO_OBJECT};
    if (loaded_module_at(place, &tables, &map)) {
        loaded_modules_note(&tables, map);
        *rule = frame_tables_find(&tables, place);
    }
    memcpy(&word, rule, sizeof word);
    unsigned i = slot_of(place);
    atomic_store_explicit(&known[i].rule, word, memory_order_relaxed);
    atomic_store_explicit(&known[i].key, key_of(w, place) ^ word, memory_order_release);
}

static void remember(struct walk *w, uintptr_t at, uintptr_t value)
{
    struct stack_memo *m = w->memo;
    if (m == NULL)
        return;
    m->reads[m->read_count].at = (const uintptr_t *)at;
    m->reads[m->read_count].value = value;
    if (++m->read_count == STACK_MEMO_READS)
        w->memo = NULL;
}

static bool read_word(struct walk *w, uintptr_t at, uintptr_t *out)
{
    if (at < w->low || at > w->high - WORD) {
        uintptr_t page = at - at % PROGRAM_PAGE;
        bool readable = at % WORD == 0 && program_memory_readable((const void *)at, WORD);
        if (page != w->high || !readable)
            w->memo = NULL;
        if (!readable)
            return false;
        w->low = page == w->high ? w->low : page;
        w->high = page + PROGRAM_PAGE;
    }
    *out = *(const uintptr_t *)at;
    return true;
}

/* The walk depends on the frame pointer from here on. Before that, its value must not be compared: the
 * register may contain anything, for example a counter. */
static void use_fp(struct walk *w, uintptr_t fp)
{
    if (w->fp_at == FP_FIRST && w->memo != NULL)
        w->memo->fp_matters = true;
    else if (w->fp_at > FP_FIRST)
        remember(w, w->fp_at, fp);
    w->fp_at = FP_NOTED;
}

static bool find_cfa(struct walk *w, const struct frame_rule *rule, uintptr_t *cfa)
{
    bool by_sp = rule->kind == CFA_SP || rule->kind == CFA_AT_SP;
    if (!by_sp || rule->fp_base == BASE_FP || rule->return_base == BASE_FP)
        use_fp(w, w->fp);
    uintptr_t at = (by_sp ? w->sp : w->fp) + (uintptr_t)(intptr_t)rule->cfa;
    *cfa = at;
    if (rule->kind < CFA_AT_SP)
        return true;
    if (!read_word(w, at, cfa))
        return false;
    remember(w, at, *cfa);
    return true;
}

static uintptr_t base_of(const struct walk *w, unsigned base, uintptr_t cfa)
{
    return base == BASE_CFA ? cfa : base == BASE_SP ? w->sp : w->fp;
}

/* Removes the bits that pointer authentication adds to an address. */
static uintptr_t bare_address(uintptr_t pc)
{
#ifdef __aarch64__
    return pc & (((uintptr_t)1 << 48) - 1);
#else
    return pc;
#endif
}

static enum step step_by_rule(struct walk *w, const struct frame_rule *rule)
{
    uintptr_t cfa, pc, fp = w->fp;
    if (!find_cfa(w, rule, &cfa) || (cfa <= w->sp && !rule->signal))
        return STEP_END;
    uintptr_t back = base_of(w, rule->return_base, cfa) + (uintptr_t)(rule->return_address * (intptr_t)WORD);
    uintptr_t fp_at = base_of(w, rule->fp_base, cfa) + (uintptr_t)(intptr_t)rule->fp;
    if (!read_word(w, back, &pc) || (rule->fp_base != BASE_NONE && !read_word(w, fp_at, &fp)))
        return STEP_END;
    remember(w, back, pc);
    if (rule->fp_base != BASE_NONE)
        w->fp_at = fp_at;
    w->pc = bare_address(pc);
    w->sp = cfa;
    w->fp = fp;
    w->interrupted = rule->signal;
    return STEP_ON;
}

/* Returns true if the instruction before the address may be a call. */
static bool is_behind_call(uintptr_t address)
{
#if defined __x86_64__ || defined __i386__
    const uint8_t *end = (const uint8_t *)address;
    static const uint8_t indirect[] = {2, 3, 4, 6, 7}; /* sizes of FF /2 with its operand */
    if (!program_memory_readable(end - 8, 8))
        return false;
    for (unsigned i = 0; i < sizeof indirect; ++i)
        if (end[-indirect[i]] == 0xff && (end[1 - indirect[i]] >> 3 & 7) == 2)
            return true;
    return end[-5] == 0xe8;
#else
    return program_memory_readable((const void *)address, 1);
#endif
}

/* Generated code may have been called by other generated code; all other code is called from an object. A
 * signal handler returns to code that has not called it. */
static bool may_return_to(uintptr_t pc, bool is_in_none)
{
    struct frame_tables tables;
    const struct link_map *map;
    if (!loaded_module_at(pc - 1, &tables, &map))
        return is_in_none && is_behind_call(pc);
    return is_behind_call(pc) || frame_tables_find(&tables, pc - 1).signal;
}

/* For code without call frame information, which may have a frame pointer. */
static enum step step_by_frame_pointer(struct walk *w, bool is_in_none)
{
    uintptr_t at = w->fp, fp, pc;
    use_fp(w, at);
    if (at < w->sp || at - w->sp > FP_REACH || !read_word(w, at, &fp) || !read_word(w, at + WORD, &pc) ||
        !may_return_to(pc, is_in_none))
        return STEP_END;
    remember(w, at + WORD, pc);
    w->sp = at + 2 * WORD;
    w->fp = fp;
    w->fp_at = at;
    w->pc = bare_address(pc);
    w->interrupted = false;
    return STEP_ON;
}

static void note(struct walk *w, uintptr_t place)
{
    if (w->sp >= (uintptr_t)w->frame || w->count > 0)
        w->pcs[w->count++] = place;
}

static enum step step(struct walk *w)
{
    struct frame_rule rule;
    uintptr_t place = w->pc - !w->interrupted;
    if (w->pc == 0)
        return STEP_END;
    if (!find_known(w, place, &rule)) {
        if (!w->learns)
            return STEP_UNKNOWN;
        learn(w, place, &rule);
    }
    note(w, rule.signal ? w->pc : place); /* a signal trampoline was not called */
    if (w->count == w->limit || rule.kind == CFA_OUTERMOST)
        return STEP_END;
    if (rule.kind == CFA_UNKNOWN || rule.kind == CFA_NO_OBJECT)
        return step_by_frame_pointer(w, rule.kind == CFA_NO_OBJECT);
    return step_by_rule(w, &rule);
}

/* Does the same as step(), at a third of the cost, as long as rules are cached and plain, and the memory is
 * known to be readable. */
static void climb(struct walk *w)
{
    const uintptr_t low = w->low, room = w->high - WORD - low;
    uintptr_t fp = w->fp;
    while (w->count + 1 < w->limit && !w->interrupted) {
        struct frame_rule rule;
        uintptr_t place = w->pc - 1;
        if (!find_known(w, place, &rule) || !rule.plain)
            break;
        uintptr_t cfa = (rule.kind == CFA_FP ? fp : w->sp) + (uintptr_t)(intptr_t)rule.cfa;
        uintptr_t back = cfa + (uintptr_t)(rule.return_address * (intptr_t)WORD);
        uintptr_t saved = cfa + (uintptr_t)(intptr_t)rule.fp;
        if (cfa <= w->sp || back - low > room || (rule.fp_base != BASE_NONE && saved - low > room))
            break;
        if (rule.kind == CFA_FP)
            use_fp(w, fp);
        if (rule.fp_base != BASE_NONE) {
            fp = *(const uintptr_t *)saved;
            w->fp_at = saved;
        }
        note(w, place);
        w->pc = bare_address(*(const uintptr_t *)back);
        remember(w, back, *(const uintptr_t *)back);
        w->sp = cfa;
    }
    w->fp = fp;
}

static enum step run(struct walk *w)
{
    enum step result;
    do {
        climb(w);
        result = step(w);
    } while (result == STEP_ON);
    return result;
}

static void begin_memo(struct stack_memo *m, const struct walk *w)
{
    m->sp = w->sp;
    m->fp = w->fp;
    m->frame = w->frame;
    m->age = w->age;
    m->fp_matters = false;
    m->read_count = 0;
    m->digest = 0;
}

static void end_memo(struct stack_memo *m, const struct walk *w)
{
    m->high = w->high;
    if (w->memo == NULL)
        m->read_count = 0;
}

/* Returns true if nothing has changed since the walk. The page of sp is in use, so it is readable; the other
 * pages are checked. */
static bool memo_holds(const struct stack_memo *m, const struct walk *w)
{
    if (m->digest == 0 || m->read_count == 0 || m->sp != w->sp || m->frame != w->frame || m->age != w->age ||
        (m->fp_matters && m->fp != w->fp))
        return false;
    for (uintptr_t page = w->high; page < m->high; page += PROGRAM_PAGE)
        if (!program_memory_readable((const void *)page, WORD))
            return false;
    for (unsigned i = 0; i < m->read_count; ++i)
        if (*m->reads[i].at != m->reads[i].value)
            return false;
    return true;
}

static struct stack_memo *find_memo(struct stack_memos *memos, const struct walk *w)
{
    for (unsigned i = 0; i < STACK_WAYS; ++i)
        if (memo_holds(&memos->ways[i], w))
            return &memos->ways[i];
    return NULL;
}

static void run_again(void *walk)
{
    struct walk *w = walk;
    w->learns = true;
    run(w);
}

/* Walks with cached rules only. If one is missing, starts again on a larger stack, where rules can be looked
 * up. */
static unsigned run_from(const struct walk *start, struct stack_memo *memo)
{
    struct walk w = *start;
    w.memo = memo;
    begin_memo(memo, &w);
    if (run(&w) == STEP_UNKNOWN) {
        w = *start;
        w.memo = memo;
        begin_memo(memo, &w);
        run_on_own_stack(run_again, &w);
    }
    end_memo(memo, &w);
    return w.count;
}

unsigned stack_walk(uint64_t *pcs, unsigned limit, const void *frame, struct stack_memos *memos,
                    struct stack_memo **memo)
{
    struct walk w = {.age = stack_walk_age(),
                     .interrupted = true, /* pc is this place, not one after a call */
                     .frame = frame,
                     .pcs = pcs,
                     .limit = limit,
                     .fp_at = FP_FIRST};
    *memo = &memos->ways[0];
    if (limit == 0)
        return 0;
#if defined __x86_64__
    __asm__ volatile("lea 1(%%rip), %0\n\tnop\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
                     : "=r"(w.pc), "=r"(w.sp), "=r"(w.fp));
#elif defined __i386__
    __asm__ volatile("call 1f\n1:\tpop %0\n\tmov %%esp, %1\n\tmov %%ebp, %2"
                     : "=r"(w.pc), "=r"(w.sp), "=r"(w.fp));
#elif defined __aarch64__
    __asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29" : "=r"(w.pc), "=r"(w.sp), "=r"(w.fp));
#else
    return 0;
#endif
    w.low = w.sp;
    w.high = w.sp - w.sp % PROGRAM_PAGE + PROGRAM_PAGE; /* this page is in use */
    *memo = find_memo(memos, &w);
    if (*memo != NULL)
        return STACK_SAME;
    *memo = &memos->ways[memos->next++ % STACK_WAYS];
    return run_from(&w, *memo);
}
