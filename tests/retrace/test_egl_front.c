/* SPDX-License-Identifier: MIT
 * Front and back buffers without a display server, on a model of EGL: each is a pbuffer, which has one colour
 * and one depth.
 */
#include "egl_driver.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "windows/window_system.h"

enum { RED = 1, GREEN, BLUE, WHITE };

static struct window_system *ws;
static struct ws_context *context, *other;
static struct ws_drawable *window, *second, *single;

static const struct context_config any_gl = {.buffers = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8}};

int window_system_replace(struct window_system **system, const struct buffer_config *buffers)
{
    (void)system;
    (void)buffers;
    return TRACE_ERR_UNSUPPORTED;
}

static struct ws_drawable *new_drawable(struct buffer_config buffers)
{
    struct ws_drawable *drawable;
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, &buffers, 16, 8), 0);
    return drawable;
}

static void open_version(const char *version)
{
    struct buffer_config one = any_gl.buffers;
    one.single_buffered = true;
    egl_driver_reset();
    egl_driver.version = version;
    assert_int_equal(window_system_open_egl(&ws, &(struct window_settings){0}), 0);
    assert_int_equal(ws->ops->create_context(ws, &context, &any_gl, NULL), 0);
    assert_int_equal(ws->ops->create_context(ws, &other, &any_gl, context), 0);
    window = new_drawable(any_gl.buffers);
    second = new_drawable(any_gl.buffers);
    single = new_drawable(one);
}

/* The program clears the back buffer, in which there is something then. */
static int set_up(void **state)
{
    (void)state;
    open_version("4.6 (Compatibility Profile)");
    ws->ops->make_current(ws, context, window, window);
    egl_driver_draw(RED, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ws->ops->destroy_drawable(ws, window);
    ws->ops->destroy_drawable(ws, second);
    ws->ops->destroy_drawable(ws, single);
    ws->ops->destroy_context(ws, context);
    ws->ops->destroy_context(ws, other);
    ws->ops->close(ws);
    return egl_driver_objects();
}

static void bind(struct ws_context *c, struct ws_drawable *draw, struct ws_drawable *read)
{
    assert_int_equal(ws->ops->make_current(ws, c, draw, read), 0);
}

/* The program selects buffers by functions of the driver. 0xffff: leaves it as it is. */
enum { AS_IT_IS = 0xffff };

static void choose(GLenum draw, GLenum read)
{
    if (draw != AS_IT_IS)
        egl_driver.current->state.draw_buffer = draw;
    if (read != AS_IT_IS)
        egl_driver.read->read_buffer = read;
    assert_int_equal(ws->ops->follow_buffers(ws), 0);
    if (draw != AS_IT_IS)
        assert_int_equal(egl_driver.current->state.draw_buffer, draw);
    if (read != AS_IT_IS)
        assert_int_equal(egl_driver.read->read_buffer, read);
}

static void swap(struct ws_drawable *drawable)
{
    ws->ops->swap_buffers(ws, drawable);
    assert_int_equal(ws->ops->show_frame(ws, drawable, false), 0);
}

#define expect_read(expected)  assert_int_equal(egl_driver.read->colour, expected)
#define expect_depth(expected) assert_int_equal(egl_driver.draw->depth, expected)

/* What the program has selected and set stays as it is. */
#define expect_state(expected) assert_memory_equal(&egl_driver.current->state, &(expected), sizeof(expected))

static void test_first_selection(void **state)
{
    (void)state;
    assert_true(ws->back_is_front);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_BACK);
    assert_int_equal(egl_driver.read->read_buffer, GL_BACK);
    bind(other, second, second);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_BACK);
    assert_int_equal(egl_driver.read->read_buffer, GL_BACK);
    bind(other, single, single); /* it has what the driver says */
    egl_driver.current->state.draw_buffer = GL_FRONT;
    bind(other, second, second); /* both are known: the program has selected it */
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_FRONT);
}

/* What another context has selected for reading stays, and where nothing is read, nothing is selected. */
static void test_first_reads(void **state)
{
    (void)state;
    bind(other, second, second);
    choose(AS_IT_IS, GL_NONE);
    bind(context, second, second);
    assert_int_equal(egl_driver.read->read_buffer, GL_NONE);
    ws->ops->destroy_context(ws, other);
    assert_int_equal(ws->ops->create_context(ws, &other, &any_gl, context), 0);
    bind(other, single, NULL);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_BACK);
}

/* A driver whose pbuffers have a back buffer has no need of all this. */
static void test_drivers_with_back_buffers(void **state)
{
    (void)state;
    open_version("4.6");
    for (int i = 0; i < 3; ++i)
        egl_driver.surfaces[i].read_buffer = GL_BACK;
    egl_driver.contexts[0].state.draw_buffer = GL_BACK;
    bind(context, window, window);
    assert_false(ws->back_is_front);
    egl_driver.surfaces[2].read_buffer = GL_FRONT; /* the only one of what is only read */
    bind(context, window, single);
    assert_false(ws->back_is_front);
    bind(context, window, window);
    choose(GL_FRONT, GL_FRONT);
    assert_int_equal(ws->ops->show_frame(ws, window, true), 0);
    assert_int_equal(egl_driver_objects(), 5);
    tear_down(state);
    open_version("4.6"); /* the first selection may be the back buffer, though there is none */
    egl_driver.contexts[0].state.draw_buffer = GL_BACK;
    bind(context, window, window);
    assert_true(ws->back_is_front);
    tear_down(state);
}

static void test_nothing_is_bound(void **state)
{
    (void)state;
    bind(NULL, NULL, NULL);
    assert_int_equal(ws->ops->follow_buffers(ws), 0);
    assert_int_equal(ws->ops->show_frame(ws, window, true), 0);
    bind(context, NULL, NULL);
    egl_driver.current->state.draw_buffer = GL_FRONT;
    assert_int_equal(ws->ops->follow_buffers(ws), 0);
    assert_int_equal(ws->ops->show_frame(ws, window, true), 0);
    assert_int_equal(egl_driver_objects(), 5);
}

/* A context for windows with two buffers draws to the back buffer, which the only one of a pbuffer is, too,
 * unless the program uses EGL, or has selected another one before. */
static void test_first_pbuffers(void **state)
{
    struct context_config config = any_gl;
    struct ws_context *one;
    (void)state;
    for (int i = 0; i < 2; ++i) {
        config.through_egl = i == 1;
        assert_int_equal(ws->ops->create_context(ws, &one, &config, NULL), 0);
        bind(one, single, single);
        assert_int_equal(egl_driver.current->state.draw_buffer, i == 1 ? GL_FRONT : GL_BACK);
        ws->ops->destroy_context(ws, one);
    }
    assert_int_equal(ws->ops->create_context(ws, &one, &any_gl, NULL), 0);
    bind(one, NULL, NULL);
    egl_driver.current->state.draw_buffer = GL_FRONT;
    assert_int_equal(ws->ops->follow_buffers(ws), 0);
    bind(one, window, window);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_FRONT);
    ws->ops->destroy_context(ws, one);
}

/* What drew to both buffers may be bound to nothing then. */
static void test_both_buffers_of_nothing(void **state)
{
    (void)state;
    choose(GL_FRONT_AND_BACK, AS_IT_IS);
    bind(context, NULL, NULL);
    egl_driver.current->state.draw_buffer = GL_BACK;
    assert_int_equal(ws->ops->follow_buffers(ws), 0);
    bind(context, window, window);
    expect_read(RED);
}

/* If the new front buffer cannot be bound, nothing else is cleared in its place. */
static void test_refused_bindings(void **state)
{
    (void)state;
    egl_driver.refuses_binding = true;
    egl_driver.current->state.draw_buffer = GL_FRONT;
    ws->ops->follow_buffers(ws);
    egl_driver.refuses_binding = false;
    assert_int_equal(egl_driver_objects(), 6);
    expect_read(RED);
    bind(context, window, window);
    expect_read(RED);
}

static void test_each_buffer(void **state)
{
    static const GLenum fronts[] = {GL_FRONT, GL_FRONT_LEFT}, backs[] = {GL_BACK, GL_BACK_LEFT};
    (void)state;
    choose(GL_BACK, GL_BACK);
    assert_int_equal(egl_driver_objects(), 5);
    for (int i = 0; i < 2; ++i) {
        choose(fronts[i], AS_IT_IS);
        egl_driver_draw(GREEN, 2);
        expect_read(RED);
        choose(AS_IT_IS, fronts[i]);
        expect_read(GREEN);
        choose(backs[i], AS_IT_IS);
        egl_driver_draw(RED, 3);
        expect_read(GREEN);
        choose(AS_IT_IS, backs[i]);
        expect_read(RED);
    }
    assert_int_equal(egl_driver_objects(), 6);
}

/* A new front buffer is black, unless a frame was shown. */
static void test_new_front_buffers(void **state)
{
    (void)state;
    choose(AS_IT_IS, GL_FRONT);
    expect_read(0);
    bind(context, second, second);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(0);
    bind(other, second, second);
    egl_driver_draw(BLUE, 4);
    bind(NULL, NULL, NULL);
    swap(window);
    swap(single);
    bind(context, single, single);
    ws->ops->destroy_drawable(ws, second);
    second = new_drawable(any_gl.buffers);
    bind(other, second, second);
    egl_driver_draw(BLUE, 4);
    swap(second);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(BLUE);
}

/* Nothing happens if the selection is the same. */
static void test_the_same_again(void **state)
{
    (void)state;
    choose(GL_FRONT, GL_BACK);
    egl_driver_log();
    choose(GL_FRONT, GL_BACK);
    assert_string_equal(egl_driver_log(), "");
    choose(GL_FRONT, GL_FRONT);
    assert_string_not_equal(egl_driver_log(), "");
    choose(GL_BACK, GL_FRONT);
    assert_string_not_equal(egl_driver_log(), "");
}

static void test_swaps(void **state)
{
    (void)state;
    choose(AS_IT_IS, GL_FRONT);
    swap(window);
    expect_read(RED);
    egl_driver_draw(GREEN, 2);
    expect_read(RED);
    swap(window);
    expect_read(GREEN);
    choose(AS_IT_IS, GL_BACK);
    expect_read(GREEN); /* it is kept */
    expect_depth(2);
    choose(GL_FRONT, GL_NONE);
    egl_driver_draw(BLUE, 3);
    swap(window);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(GREEN);
    expect_depth(3);
}

/* It gets its frame when it is bound. */
static void test_swaps_of_what_is_not_bound(void **state)
{
    (void)state;
    choose(AS_IT_IS, GL_FRONT);
    expect_read(0);
    bind(other, second, second);
    swap(window);
    bind(context, second, window);
    expect_read(RED);
    bind(context, window, window);
    choose(GL_BACK, GL_FRONT);
    egl_driver_draw(GREEN, 2);
    bind(NULL, NULL, NULL);
    swap(window);
    bind(context, window, window);
    expect_read(GREEN);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_BACK);
}

/* What is drawn to the front buffer after a swap is not lost, though another window is read. */
static void test_swaps_of_what_is_not_read(void **state)
{
    (void)state;
    choose(GL_FRONT, GL_BACK);
    bind(context, window, second);
    swap(window);
    egl_driver_draw(BLUE, 2);
    bind(context, window, window);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(BLUE);
}

/* Without a selection, only those that are bound get a front buffer to be kept. */
static void test_kept_frames(void **state)
{
    struct driver_state before;
    (void)state;
    assert_int_equal(ws->ops->show_frame(ws, window, false), 0);
    assert_int_equal(ws->ops->show_frame(ws, second, true), 0);
    assert_int_equal(egl_driver_objects(), 5);
    egl_driver.current->state.draw_buffer = GL_NONE;
    egl_driver.read->read_buffer = GL_NONE;
    before = egl_driver.current->state;
    assert_int_equal(ws->ops->show_frame(ws, window, true), 0);
    assert_int_equal(egl_driver_objects(), 6);
    assert_int_equal(ws->ops->show_frame(ws, window, true), 0);
    assert_int_equal(egl_driver_objects(), 6); /* it has one already */
    expect_state(before);
    assert_int_equal(egl_driver.read->read_buffer, GL_NONE);
    choose(GL_BACK, GL_BACK);
    egl_driver_draw(GREEN, 2);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(RED);
    bind(context, single, single);
    assert_int_equal(ws->ops->show_frame(ws, single, true), 0);
    assert_int_equal(egl_driver_objects(), 6);
}

static void test_both_buffers(void **state)
{
    static const GLenum both[] = {GL_FRONT_AND_BACK, GL_LEFT};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        choose(both[i], GL_FRONT);
        egl_driver_draw(GREEN, 2);
        expect_read(GREEN);
        choose(GL_BACK, AS_IT_IS);
        egl_driver_draw(BLUE, 3);
        expect_read(GREEN);
        choose(AS_IT_IS, both[i]);
        expect_read(GREEN);
        choose(both[i], AS_IT_IS);
        egl_driver_draw(RED, 4);
        swap(window);
        choose(GL_BACK, AS_IT_IS);
        egl_driver_draw(WHITE, 5);
        expect_read(RED);
    }
    choose(GL_FRONT_AND_BACK, GL_FRONT); /* but another window has its own buffers */
    bind(context, window, second);
    choose(AS_IT_IS, GL_FRONT);
    egl_driver_draw(BLUE, 6);
    expect_read(0);
}

/* Depth and stencil are in what is drawn to. */
static void test_depth(void **state)
{
    (void)state;
    choose(GL_FRONT, AS_IT_IS);
    expect_depth(1);
    egl_driver_draw(GREEN, 7);
    choose(GL_BACK, AS_IT_IS);
    expect_depth(7);
    expect_read(RED);
    choose(GL_NONE, AS_IT_IS);
    expect_depth(7);
    swap(window);
    expect_depth(7);
    choose(GL_FRONT, AS_IT_IS);
    egl_driver_draw(GREEN, 8);
    bind(other, window, window); /* another context, which draws to the back buffer */
    expect_depth(8);
    egl_driver_draw(GREEN, 9);
    bind(context, window, window);
    expect_depth(9);
}

/* Any output of shaders may be the one that draws. */
static void test_outputs(void **state)
{
    struct driver_state before;
    (void)state;
    egl_driver.current->state.output = 7;
    choose(GL_FRONT_LEFT, AS_IT_IS);
    assert_int_equal(egl_driver.current->state.output, 7);
    egl_driver_draw(GREEN, 2);
    expect_read(RED);
    before = egl_driver.current->state;
    swap(window);
    expect_state(before);
    bind(other, second, second);
    bind(context, window, window);
    expect_state(before);
    egl_driver_log();
    egl_driver.current->state.output = 2;
    choose(GL_FRONT_LEFT, AS_IT_IS);
    assert_string_not_equal(egl_driver_log(), "");
    assert_int_equal(egl_driver.current->state.output, 2);
}

/* Depth and stencil are read from where they are, of both drawables. */
static void test_read_depth(void **state)
{
    (void)state;
    assert_false(ws->ops->read_depth(ws, true));
    choose(GL_FRONT, AS_IT_IS);
    egl_driver_draw(GREEN, 7);
    assert_true(ws->ops->read_depth(ws, true));
    assert_int_equal(egl_driver.read->depth, 7);
    assert_int_equal(egl_driver.draw->colour, GREEN);
    assert_true(ws->ops->read_depth(ws, false));
    expect_read(RED);
    assert_int_equal(egl_driver.read->read_buffer, GL_BACK);
    choose(AS_IT_IS, GL_FRONT);
    assert_false(ws->ops->read_depth(ws, true));
    bind(other, second, window);
    expect_read(RED);
    assert_true(ws->ops->read_depth(ws, true));
    assert_int_equal(egl_driver.read->depth, 7);
    assert_true(ws->ops->read_depth(ws, false));
    bind(other, window, NULL);
    assert_false(ws->ops->read_depth(ws, true));
    bind(NULL, NULL, NULL);
    assert_false(ws->ops->read_depth(ws, true));
}

static void test_single_buffers(void **state)
{
    (void)state;
    bind(context, single, single);
    egl_driver_draw(GREEN, 2);
    choose(GL_FRONT, GL_FRONT);
    expect_read(GREEN);
    choose(GL_BACK, AS_IT_IS);
    egl_driver_draw(BLUE, 3);
    expect_read(BLUE);
    swap(single);
    assert_int_equal(egl_driver_objects(), 5);
}

/* A pbuffer of EGL has a back buffer only, which is read by any name. */
static void test_pbuffers(void **state)
{
    struct buffer_config one = any_gl.buffers;
    (void)state;
    one.front_is_back = true;
    struct ws_drawable *pbuffer = new_drawable(one);
    bind(other, pbuffer, pbuffer);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_BACK);
    egl_driver_draw(GREEN, 2);
    choose(GL_BACK, GL_FRONT);
    expect_read(GREEN);
    assert_int_equal(ws->ops->show_frame(ws, pbuffer, true), 0);
    assert_int_equal(egl_driver_objects(), 6);
    ws->ops->destroy_drawable(ws, pbuffer);
}

/* Each context has its own selection: of what it draws to, for all drawables; of what it reads, for each. */
static void test_contexts(void **state)
{
    (void)state;
    choose(GL_FRONT, GL_FRONT);
    egl_driver_draw(GREEN, 2);
    bind(other, window, window);
    expect_read(RED);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_BACK);
    bind(context, second, second);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_FRONT);
    assert_int_equal(egl_driver.read->read_buffer, GL_BACK);
    bind(context, second, window);
    expect_read(GREEN);
    choose(GL_BACK, GL_BACK);
    bind(context, window, second);
    choose(AS_IT_IS, GL_FRONT);
    bind(context, window, window);
    expect_read(RED);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(GREEN);
    bind(context, window, NULL); /* as if both were the same */
    expect_read(RED);
}

/* A context without a back buffer draws to the front buffer of any drawable, but reads the back buffer. */
static void test_contexts_without_back_buffers(void **state)
{
    struct context_config config = any_gl;
    struct ws_context *one;
    (void)state;
    config.buffers.single_buffered = true;
    assert_int_equal(ws->ops->create_context(ws, &one, &config, context), 0);
    bind(one, single, single);
    egl_driver_draw(GREEN, 2);
    expect_read(GREEN);
    bind(one, window, single);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_FRONT);
    expect_read(GREEN);
    egl_driver_draw(BLUE, 3);
    bind(one, window, window);
    expect_read(RED);
    choose(AS_IT_IS, GL_FRONT);
    expect_read(BLUE);
    choose(GL_BACK, AS_IT_IS);
    egl_driver_draw(WHITE, 4);
    expect_read(BLUE);
    bind(context, window, window);
    expect_read(WHITE);
    ws->ops->destroy_context(ws, one);
}

static void test_state_stays(void **state)
{
    static const GLboolean masks[4] = {GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE};
    static const GLfloat colour[4] = {0.5f, 1, 0.25f, 0.125f};
    struct driver_state *now = &egl_driver.current->state;
    (void)state;
    now->scissor = now->discard = now->srgb = true; /* but no scissor test for the second viewport */
    now->draw_framebuffer = 5;
    now->read_framebuffer = 6;
    now->depth_mask = GL_FALSE;
    now->stencil_mask = 3;
    memcpy(now->colour_mask, masks, sizeof masks);
    memcpy(now->clear_colour, colour, sizeof colour);
    now->draw_buffer = GL_FRONT;
    struct driver_state before = *now;
    assert_int_equal(ws->ops->follow_buffers(ws), 0);
    expect_state(before);
    assert_int_equal(egl_driver.draw->colour, 0);
    swap(window);
    expect_state(before);
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
    expect_state(before);
    for (int i = 0; i < 2; ++i) { /* one of them */
        now->draw_framebuffer = i == 0 ? 5 : 0;
        now->read_framebuffer = i == 0 ? 0 : 6;
        before = *now;
        swap(window);
        expect_state(before);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    choose(GL_FRONT, GL_FRONT);
    egl_driver_draw(GREEN, 2);
    assert_int_equal(ws->ops->resize(ws, window, 32, 4, true), 0);
    assert_int_equal(egl_driver.draw->width, 32);
    assert_int_equal(egl_driver.draw->height, 4);
    expect_read(GREEN);
    expect_depth(2);
    choose(GL_BACK, GL_BACK);
    assert_int_equal(egl_driver.read->width, 32);
    expect_read(RED);
    assert_int_equal(ws->ops->resize(ws, window, 8, 8, false), 0);
    expect_read(DRIVER_UNKNOWN); /* nobody will look at it */
    choose(AS_IT_IS, GL_FRONT);
    expect_read(GREEN);
    egl_driver_draw(BLUE, 3);
    swap(window);
    expect_read(BLUE);
    bind(other, second, second);
    assert_int_equal(ws->ops->resize(ws, window, 9, 9, true), 0); /* it is not bound */
    assert_int_equal(egl_driver.draw->width, 16);
    bind(other, second, window);
    assert_int_equal(ws->ops->resize(ws, window, 10, 9, true), 0);
    assert_int_equal(egl_driver.read->width, 10);
    assert_int_equal(egl_driver.draw->width, 16);
}

/* What the program has selected since its last swap is known to the driver only. */
static void test_selections_before_sizes(void **state)
{
    (void)state;
    choose(GL_BACK, GL_BACK);
    egl_driver.current->state.draw_buffer = GL_NONE;
    egl_driver.read->read_buffer = GL_NONE;
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_NONE);
    assert_int_equal(egl_driver.read->read_buffer, GL_NONE);
    expect_read(RED);
}

static void test_refused_pbuffers(void **state)
{
    (void)state;
    egl_driver.refuses = 1;
    egl_driver.current->state.draw_buffer = GL_FRONT;
    assert_int_equal(ws->ops->follow_buffers(ws), TRACE_ERR_IO);
    expect_read(RED);
    egl_driver.refuses = 1;
    egl_driver.read->read_buffer = GL_FRONT;
    assert_int_equal(ws->ops->follow_buffers(ws), TRACE_ERR_IO);
    expect_read(RED);
    egl_driver.refuses = 1;
    assert_int_equal(ws->ops->show_frame(ws, window, true), TRACE_ERR_IO);
    assert_int_equal(ws->ops->show_frame(ws, window, true), 0);
    egl_driver.refuses = 2; /* that of the front buffer */
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "cannot create a drawable of 20x20: out of memory");
}

/* The next binding tries again to make the front buffer that is read. */
static void test_refused_fronts_to_read(void **state)
{
    (void)state;
    egl_driver.refuses = 1;
    egl_driver.read->read_buffer = GL_FRONT;
    assert_int_equal(ws->ops->follow_buffers(ws), TRACE_ERR_IO);
    assert_int_equal(egl_driver_objects(), 5);
    bind(context, window, window);
    assert_int_equal(egl_driver_objects(), 6);
    expect_read(0);
}

/* OpenGL ES has one buffer, and no choice. */
static void test_es(void **state)
{
    static const char *const versions[] = {"OpenGL ES 3.2 Mesa", "OpenGL ES 2.0", "OpenGL ES-CM 1.1"};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        open_version(versions[i]);
        bind(context, window, window);
        egl_driver.draw->colour = GREEN;
        egl_driver.draw->depth = 2;
        assert_false(ws->back_is_front);
        assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
        expect_read(i == 0 ? GREEN : DRIVER_UNKNOWN); /* others cannot copy */
        tear_down(state);
    }
}

/* It may be told to use none. */
static void test_es_without_buffers(void **state)
{
    open_version("OpenGL ES 3.0 Mesa");
    bind(context, window, window);
    egl_driver.draw->colour = GREEN;
    egl_driver.read->read_buffer = egl_driver.current->state.draw_buffer = GL_NONE;
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
    expect_read(GREEN);
    assert_int_equal(egl_driver.current->state.draw_buffer, GL_NONE);
    tear_down(state);
}

/* An old driver has no framebuffer objects. In a thread of its own, whose functions are looked up. */
static void *run_on_an_old_driver(void *arg)
{
    (void)arg;
    open_version("2.1");
    bind(context, window, window);
    egl_driver_draw(RED, 1);
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
    expect_read(DRIVER_UNKNOWN);
    tear_down(NULL);
    return NULL;
}

struct lacking {
    const char *function;
    bool selects, copies; /* nevertheless */
};

static void *run_without_a_function(void *arg)
{
    const struct lacking *lacking = arg;
    open_version("4.6");
    egl_driver.missing = lacking->function;
    bind(context, window, window);
    assert_int_equal(egl_driver.current->state.draw_buffer, lacking->selects ? GL_BACK : GL_FRONT);
    egl_driver_draw(RED, 1);
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
    expect_read(lacking->copies ? RED : DRIVER_UNKNOWN);
    tear_down(NULL);
    return NULL;
}

static void test_old_drivers(void **state)
{
    static struct lacking cases[] = {
        {"glBlitFramebuffer", true, false},    {"glDrawBuffer", false, true},
        {"glStencilMaskSeparate", true, true}, {"glReadBuffer", false, true},
        {"glGetIntegerv", false, false},       {"glGetString", false, false},
        {"glBindFramebuffer", true, false},    {"glDrawBuffers", true, false},
        {"glIsEnabled", true, false},          {"glClearBufferfi", true, true},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    pthread_t thread;
    (void)state;
    for (int i = 0; i <= CASES; ++i) {
        assert_int_equal(pthread_create(&thread, NULL,
                                        i < CASES ? run_without_a_function : run_on_an_old_driver,
                                        i < CASES ? &cases[i] : NULL),
                         0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

int main(void)
{
#define ON_A_WINDOW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ON_A_WINDOW(test_first_selection),
        ON_A_WINDOW(test_first_reads),
        cmocka_unit_test(test_drivers_with_back_buffers),
        ON_A_WINDOW(test_nothing_is_bound),
        ON_A_WINDOW(test_each_buffer),
        ON_A_WINDOW(test_first_pbuffers),
        ON_A_WINDOW(test_both_buffers_of_nothing),
        ON_A_WINDOW(test_refused_bindings),
        ON_A_WINDOW(test_new_front_buffers),
        ON_A_WINDOW(test_the_same_again),
        ON_A_WINDOW(test_swaps),
        ON_A_WINDOW(test_swaps_of_what_is_not_bound),
        ON_A_WINDOW(test_swaps_of_what_is_not_read),
        ON_A_WINDOW(test_kept_frames),
        ON_A_WINDOW(test_both_buffers),
        ON_A_WINDOW(test_depth),
        ON_A_WINDOW(test_outputs),
        ON_A_WINDOW(test_read_depth),
        ON_A_WINDOW(test_single_buffers),
        ON_A_WINDOW(test_pbuffers),
        ON_A_WINDOW(test_contexts),
        ON_A_WINDOW(test_contexts_without_back_buffers),
        ON_A_WINDOW(test_state_stays),
        ON_A_WINDOW(test_sizes),
        ON_A_WINDOW(test_selections_before_sizes),
        ON_A_WINDOW(test_refused_pbuffers),
        ON_A_WINDOW(test_refused_fronts_to_read),
        cmocka_unit_test(test_es),
        cmocka_unit_test(test_es_without_buffers),
        cmocka_unit_test(test_old_drivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
