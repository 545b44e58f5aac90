// A test harness small enough to read: TEST registers a function, CHECK counts
// and reports, main() runs all tests whose name contains the first argument.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace check {

struct Test {
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline long failures = 0;
inline long checks = 0;

struct Register {
    Register(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline bool report(bool ok, const char* text, const char* file, int line, const std::string& note = {}) {
    ++checks;
    if (!ok && ++failures <= 20) std::cerr << file << ':' << line << ": " << text << "  " << note << '\n';
    return ok;
}

// How many rounds of a long test to run: all of them, or the share that
// TENGEN_TEST_SCALE asks for (the sanitizers are slow).
inline int rounds(int full) {
    const char* scale = std::getenv("TENGEN_TEST_SCALE");
    return scale ? std::max(1, static_cast<int>(full * std::atof(scale))) : full;
}

inline int run_all(int argc, char** argv) {
    int run = 0, failed = 0;
    for (const Test& test : tests()) {
        if (argc > 1 && std::string(test.name).find(argv[1]) == std::string::npos) continue;
        const long before = failures;
        test.run();
        ++run;
        failed += failures != before;
        std::printf("%s %s\n", failures == before ? "ok    " : "FAILED", test.name);
    }
    std::printf("%d passed, %d failed (%ld checks)\n", run - failed, failed, checks);
    return failures || run == 0 || checks == 0;
}

}  // namespace check

#define TEST(name)                                                \
    static void test_##name();                                    \
    static const check::Register register_##name(#name, test_##name); \
    static void test_##name()
#define CHECK(condition) check::report((condition), #condition, __FILE__, __LINE__)
#define CHECK_NOTE(condition, note) check::report((condition), #condition, __FILE__, __LINE__, (note))
