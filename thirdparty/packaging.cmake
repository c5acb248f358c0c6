# SPDX-License-Identifier: MIT
# cpack: filled in with the install rules.
