/* SPDX-License-Identifier: MIT
 * The list of the replayer's options. The replayer parses with it; trace-cli checks options and generates
 * documentation with it. Pure preprocessor text, so that trace-cli needs no other part of the replayer.
 *
 * X(kind, letter, name, alias, value, help); kind: FLAG, BOOL (--name[=BOOL]), VALUE (--name=V), OPTIONAL
 * (--name[=V])
 */
#ifndef RETRACE_REPLAY_OPTION_LIST_H
#define RETRACE_REPLAY_OPTION_LIST_H

#define REPLAY_OPTION_LIST(X)                                                                                \
    X(FLAG, 'b', "benchmark", NULL, NULL, "no error checking, no warnings")                                  \
    X(FLAG, 'v', "verbose", NULL, NULL, "print every call that is replayed, as dump does")                   \
    X(FLAG, 0, "headless", NULL, NULL, "draw off-screen, without a display server, and say by which driver") \
    X(VALUE, 's', "snapshot-prefix", NULL, "PREFIX",                                                         \
      "take snapshots: PREFIX followed by the call number and .png;\n\"-\" prints them on stdout")           \
    X(VALUE, 'S', "snapshot", NULL, "CALLSET",                                                               \
      "calls to snapshot (default: */frame, the end of every frame)")                                        \
    X(VALUE, 0, "snapshot-format", NULL, "PNM|RGB|MD5",                                                      \
      "form on stdout: PNM (default), raw RGB, or their MD5 checksums")                                      \
    X(BOOL, 0, "call-nos", NULL, NULL, "number snapshot files by call (default), not consecutively")         \
    X(FLAG, 'm', "mrt", NULL, NULL, "snapshots of all colours that are drawn to, of depth, and of stencil")  \
    X(FLAG, 0, "snapshot-alpha", NULL, NULL, "keep the alpha channel")                                       \
    X(VALUE, 0, "snapshot-interval", NULL, "N", "write the first of every N snapshots only")                 \
    X(FLAG, 0, "snapshot-force-backbuffer", NULL, NULL,                                                      \
      "snapshots of the window, whatever framebuffer is bound")                                              \
    X(FLAG, 't', "snapshot-threaded", NULL, NULL,                                                            \
      "encode PNG files in several threads (default, if there are several\nprocessors)")                     \
    X(VALUE, 'D', "dump-state", NULL, "CALLSET",                                                             \
      "dump the state of the context after these calls on stdout, then end")                                 \
    X(VALUE, 0, "dump-format", NULL, "json|ubjson", "form of state dumps: JSON (default), or UBJSON")        \
    X(VALUE, 0, "dump-prefix", NULL, "PREFIX",                                                               \
      "dump states to files: PREFIX followed by the call number and .json or\n.ubj")                         \
    X(FLAG, 0, "msaa-no-resolve", NULL, NULL,                                                                \
      "dump all samples of multisampled textures, one below the other")                                      \
    X(OPTIONAL, 0, "loop", NULL, "N", "replay the last frame N times more (default: for ever)")              \
    X(VALUE, 0, "loop-frames", NULL, "FIRST-LAST", "replay these frames again, not the last one")            \
    X(VALUE, 0, "frames", NULL, "SET",                                                                       \
      "end after the last frame of the set; only these count: for pictures,\nrates and pauses")              \
    X(VALUE, 0, "min-frame-duration", NULL, "MICROSECONDS", "let every frame last so long")                  \
    X(VALUE, 0, "per-frame-delay", NULL, "MICROSECONDS", "wait so long after every frame")                   \
    X(FLAG, 0, "sb", NULL, NULL, "single-buffered windows (default: as in the trace)")                       \
    X(FLAG, 0, "db", NULL, NULL, "double-buffered windows")                                                  \
    X(FLAG, 0, "core", NULL, NULL, "core profile contexts where the trace does not ask for a profile")       \
    X(VALUE, 0, "samples", NULL, "N", "N samples a pixel in every window (default: as in the trace)")        \
    X(VALUE, 0, "driver", NULL, "DRIVER",                                                                    \
      "use this driver: hw, dgpu, igpu, sw, ref, null, or the name of one")                                  \
    X(VALUE, 0, "contexts", NULL, "GLX|EGL", "create all contexts by this API (default: as in the trace)")   \
    X(FLAG, 0, "fullscreen", NULL, NULL, "let the windows cover the screen")                                 \
    X(FLAG, 0, "check", NULL, NULL,                                                                          \
      "compare what the driver answers with what the program got;\nexit status 1 if anything differs")       \
    X(VALUE, 0, "tolerance", NULL, "SHARE",                                                                  \
      "for --check: how much pixels and floats may differ, as a share of\ntheir range, such as 0.01")        \
    X(VALUE, 0, "query-handling", NULL, "skip|run|check",                                                    \
      "results of queries: skip them (default), wait for them, or also compare\nthem (default with "         \
      "--check)")                                                                                            \
    X(VALUE, 0, "query-tolerance", NULL, "N", "how much results of queries may differ (default: 0)")         \
    X(FLAG, 0, "ignore-retvals", NULL, NULL, "replay bindings of contexts even if they failed in the trace") \
    X(FLAG, 0, "no-context-check", NULL, NULL,                                                               \
      "replay even if the driver lacks the version or profile of a context")                                 \
    X(FLAG, 0, "pcpu", NULL, NULL, "print the CPU time of every call")                                       \
    X(FLAG, 0, "pgpu", NULL, NULL, "print the GPU time of every draw")                                       \
    X(FLAG, 0, "ppd", NULL, NULL, "print the pixels that every draw has drawn")                              \
    X(FLAG, 0, "pmem", NULL, NULL, "print the memory of the replay at every call")                           \
    X(FLAG, 0, "pframe-times", NULL, NULL, "print when every frame has ended")                               \
    X(VALUE, 0, "min-cpu-time", NULL, "NANOSECONDS",                                                         \
      "leave calls out of a profile that take less CPU time (default: 1000)")                                \
    X(VALUE, 0, "profile", NULL, "FILE",                                                                     \
      "write a profile in JSON, for Perfetto, and print totals of every program")                            \
    X(VALUE, 0, "pcalls", NULL, "METRICS", "print these metrics of every call, at the end")                  \
    X(VALUE, 0, "pframes", NULL, "METRICS", "print these metrics of every frame")                            \
    X(VALUE, 0, "pdrawcalls", NULL, "METRICS", "print these metrics of every draw")                          \
    X(FLAG, 0, "list-metrics", NULL, NULL, "print which metrics there are, and end; needs no trace")         \
    X(FLAG, 0, "gen-passes", NULL, NULL, "print how many replays the metrics need (1), and end")             \
    X(FLAG, 0, "strict", NULL, NULL, "stop at the first call that cannot be replayed, with exit status 1")   \
    X(VALUE, 0, "ignore-calls", NULL, "CALLSET", "don't replay these calls")                                 \
    X(FLAG, 'd', "debug", NULL, NULL, "print what the driver says about calls, in contexts for debugging")   \
    X(FLAG, 0, "markers", NULL, NULL, "tell the driver the number of every call, for debuggers of GPUs")     \
    X(OPTIONAL, 0, "watchdog", NULL, "SECONDS", "abort if a call takes longer (default: 300)")               \
    X(FLAG, 0, "singlethread", NULL, NULL,                                                                   \
      "replay, and read the trace, in one thread (default: one for each that\nwas traced)")                  \
    X(FLAG, 'w', "wait", NULL, NULL, "keep the windows open after the last frame")

#endif
