#!/bin/bash
# SPDX-License-Identifier: MIT
# Labels must go to the right objects if the replay's driver has given them other names. Display lists are
# created and deleted in ranges: Mesa assigns 1 and 2 where the trace has 3 and 4, and the reverse.
# usage: retrace_labels.sh E2E_LIBRARY
source "$1"
start_x
"$build/bin/make_trace" labels.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glGenTextures n=1 textures=[77]
glBindTexture target=3553 texture=77
glObjectLabel identifier=5890 name=77 length=-1 label="skybox"
glGenBuffers n=1 buffers=[99]
glBindBuffer target=34962 buffer=99
glObjectLabelKHR identifier=33504 name=99 length=-1 label="vertices"
glLabelObjectEXT type=37201 object=99 length=0 label="vertices"
glFenceSync condition=37143 flags=0 = 0x5c
glObjectPtrLabel ptr=0x5c length=-1 label="done"
glGenLists range=2 = 3
glGenLists range=2 = 1
glNewList list=2 mode=4864
glEndList
glDeleteLists list=3 range=2
glObjectLabel identifier=33511 name=2 length=-1 label="wheel"
glXSwapBuffers dpy=0xd1 drawable=7
END
run 0 "$cli" retrace --headless labels.trace
contains out.txt '^Rendered 1 frames'
lacks err.txt 'warning: glGetError|could not be replayed|address'
finish
