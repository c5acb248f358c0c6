/* SPDX-License-Identifier: MIT */
/* Needs a library called libvulkan.so.1, as programs do that draw with Vulkan, and makes no GL call. */
int vulkan_version(void);

int main(void)
{
    return vulkan_version() == 1 ? 0 : 1;
}
