/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_program.h"

#include <stdlib.h>

void ctf_program_fini(struct ctf_program *p)
{
    free(p->ops);
    free((void *)p->classes);
    memset(p, 0, sizeof *p);
}
