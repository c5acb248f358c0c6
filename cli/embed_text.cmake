# SPDX-License-Identifier: MIT
# A text file as a C string. usage: cmake -DINPUT=FILE -DOUTPUT=FILE.c -DNAME=IDENTIFIER -P embed_text.cmake
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
