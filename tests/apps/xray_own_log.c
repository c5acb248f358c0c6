/* SPDX-License-Identifier: MIT
 * Uses XRay's own flight data recorder, and prints what its functions return. For tests/e2e, which builds it
 * with clang.
 */
#include <stdio.h>

int __xray_log_select_mode(const char *mode);
int __xray_log_init_mode(const char *mode, const char *configuration);
int __xray_patch(void);
int __xray_log_finalize(void);
int __xray_log_flushLog(void);

__attribute__((noinline, xray_always_instrument)) static int work(int number)
{
    return number * 7;
}

int main(void)
{
    int sum = 0;
    printf("select %d\n", __xray_log_select_mode("xray-fdr"));
    printf("init %d\n", __xray_log_init_mode("xray-fdr", "func_duration_threshold_us=0"));
    printf("patch %d\n", __xray_patch());
    for (int i = 0; i < 100; ++i)
        sum += work(i);
    printf("finalize %d\n", __xray_log_finalize());
    printf("flush %d\nsum %d\n", __xray_log_flushLog(), sum);
    return 0;
}
