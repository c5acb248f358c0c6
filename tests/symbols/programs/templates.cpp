/* SPDX-License-Identifier: MIT
 * Templates, lambdas, methods, exceptions. Only its debug information matters.
 */
#include "squares.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include <cstdio>

namespace geometry {
struct shape {
    virtual ~shape() {}
    virtual double area() const = 0;
};
template <typename T> struct box : shape {
    T w, h;
    box(T a, T b) : w(a), h(b) {}
    double area() const override { return double(w) * double(h); }
};
namespace {
int hidden(const std::vector<int> &v)
{
    int n = 0;
    std::for_each(v.begin(), v.end(), [&n](int x) { n += sum_of_squares(x, 1); });
    return n;
}
}
int visible(std::map<std::string, int> &m, const std::vector<int> &v)
{
    m["a"] += hidden(v);
    try {
        return m.at("b");
    } catch (const std::exception &e) {
        std::puts(e.what());
    }
    return m.size();
}
}

int main(int argc, char **argv)
{
    std::vector<int> v;
    std::map<std::string, int> m;
    for (int i = 0; i < argc * 3; ++i)
        v.push_back(i);
    std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
    geometry::box<int> b(1, argc);
    geometry::shape *s = argc > 1 ? static_cast<geometry::shape *>(new geometry::box<double>(2, 3)) : &b;
    std::printf("%f %d\n", s->area(), geometry::visible(m, v));
    return 0;
}
