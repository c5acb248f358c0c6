# SPDX-License-Identifier: MIT
# Writes header IN to OUT, whose includes of other headers of ours name files beside it.
file(READ ${IN} text)
string(REGEX REPLACE "(#include \")[^\"]*/" "\\1" text "${text}")
file(WRITE ${OUT} "${text}")
