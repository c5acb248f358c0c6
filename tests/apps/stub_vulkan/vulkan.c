/* SPDX-License-Identifier: MIT */
/* Stands in for Vulkan's loader. */
int vulkan_version(void);

__attribute__((visibility("default"))) int vulkan_version(void)
{
    return 1;
}
