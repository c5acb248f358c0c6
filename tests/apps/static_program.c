/* SPDX-License-Identifier: MIT */
/* Linked statically: no library can be preloaded into it. */
int main(void)
{
    return 0;
}
