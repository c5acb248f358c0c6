// SPDX-License-Identifier: MIT
// Calls glLineWidth(N) from functions of C++: methods, virtual ones, templates, operators, lambdas, a
// destructor while an exception is thrown, inlined ones. tests/e2e/stacks_cxx.sh has their names, and builds
// this.
#include <GL/gl.h>
#include <GL/glx.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define NOT_INLINE __attribute__((noinline, noclone))
#define KEEP()     __asm__ volatile("" ::: "memory")

namespace scene
{

NOT_INLINE static void set_width(float width)
{
    glLineWidth(width);
    KEEP();
}

struct shape {
    virtual ~shape() = default;
    virtual void draw(float width) const = 0;
};

struct line : shape {
    NOT_INLINE void draw(float width) const override
    {
        set_width(width);
        KEEP();
    }
};

template <typename Number> NOT_INLINE void draw_scaled(const shape &what, Number width)
{
    what.draw(static_cast<float>(width));
    KEEP();
}

struct pen {
    float width;
    NOT_INLINE void operator()(int times) const
    {
        set_width(width * static_cast<float>(times));
        KEEP();
    }
};

struct draws_at_its_end {
    float width;
    NOT_INLINE ~draws_at_its_end()
    {
        set_width(width);
        KEEP();
    }
};

NOT_INLINE void throws(const std::string &why)
{
    draws_at_its_end guard{4};
    throw std::runtime_error(why);
}

} // namespace scene

NOT_INLINE static void in_lambda()
{
    std::vector<float> widths{5};
    std::for_each(
        widths.begin(), widths.end(), [](float width) __attribute__((noinline)) {
            scene::set_width(width);
            KEEP();
        });
    KEEP();
}

int main()
{
    Display *display = XOpenDisplay(nullptr);
    int attributes[] = {GLX_RGBA, None};
    XVisualInfo *visual = display != nullptr ? glXChooseVisual(display, 0, attributes) : nullptr;
    GLXContext context = visual != nullptr ? glXCreateContext(display, visual, nullptr, True) : nullptr;
    if (context == nullptr || !glXMakeCurrent(display, DefaultRootWindow(display), context))
        return 99;
    std::unique_ptr<scene::shape> shape = std::make_unique<scene::line>();
    shape->draw(1);
    scene::draw_scaled(*shape, 2);
    scene::pen{1.5F}(2);
    try {
        scene::throws("test");
    } catch (const std::exception &) {
    }
    in_lambda();
    std::thread([] {
        scene::set_width(6);
        KEEP();
    }).join();
    return 0;
}
