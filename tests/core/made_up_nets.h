// Networks made up for tests: one that knows nothing, and some that misbehave.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <thread>

#include "games/random.h"
#include "nets/evaluator.h"

namespace made_up {

using tengen::Evaluator;
using tengen::EvaluatorError;
using tengen::Random;
using tengen::splitmix64;

// Judges a position by its planes alone.
class Net : public Evaluator {
public:
    explicit Net(int planes = 16, bool passes = false) : planes_(planes), passes_(passes) {}

    void evaluate(int count, int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        const auto cells = static_cast<std::size_t>(planes_ * size * size), moves = static_cast<std::size_t>(actions(size));
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            judge(size, planes + i * cells, policy + i * moves, wdl + 3 * i);
        calls += 1, positions += static_cast<std::uint64_t>(count);
    }
    int plane_count() const override { return planes_; }
    bool passes() const override { return passes_; }

    std::atomic<std::uint64_t> calls{0}, positions{0};

protected:
    // Knows nothing.
    virtual void judge(int size, const std::uint8_t*, float* policy, float* wdl) {
        std::fill_n(policy, actions(size), 0.0F);
        wdl[0] = wdl[2] = 0.25F, wdl[1] = 0.5F;
    }
    std::uint64_t hash(int size, const std::uint8_t* planes) const {
        std::uint64_t key = 0;
        for (int i = 0; i < planes_ * size * size; ++i) key = splitmix64(key ^ planes[i]);
        return key;
    }

private:
    int planes_;
    bool passes_;
};

// Says anything, but always the same.
class Moody : public Net {
public:
    using Net::Net;

protected:
    void judge(int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        Random random(hash(size, planes));
        for (int i = 0; i < actions(size); ++i) policy[i] = static_cast<float>(4 * random.unit());
        wdl[0] = static_cast<float>(random.unit()), wdl[2] = static_cast<float>(random.unit()) * (1 - wdl[0]);
        wdl[1] = 1 - wdl[0] - wdl[2];
    }
};

// Likes the middle.
class Central : public Net {
protected:
    void judge(int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        Net::judge(size, planes, policy, wdl);
        for (int i = 0; i < size * size; ++i)
            policy[i] = -0.5F * static_cast<float>(std::abs(i / size - size / 2) + std::abs(i % size - size / 2));
    }
};

// Loves black's forbidden points and those that are taken.
class Rogue : public Net {
protected:
    void judge(int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        Net::judge(size, planes, policy, wdl);
        for (int i = 0; i < size * size; ++i)
            if (planes[size * size + i] || planes[2 * size * size + i] || planes[11 * size * size + i]) policy[i] = 50;
    }
};

// Answers what is no number, to one question in three.
class Broken : public Moody {
protected:
    void judge(int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
        Moody::judge(size, planes, policy, wdl);
        const std::uint64_t kind = hash(size, planes) % 9;
        if (kind == 0) std::fill_n(policy, actions(size), nan), wdl[0] = nan;
        if (kind == 1)
            for (int i = 0; i < actions(size); ++i) policy[i] = std::array{inf, -inf, nan,
                1e38F}[static_cast<std::size_t>(i % 4)];
        if (kind == 2) std::fill_n(policy, actions(size), -inf), wdl[0] = wdl[2] = inf;
        if (kind == 3) wdl[2] = 1e30F;
    }
};

// Fails after a while.
class Failing : public Moody {
public:
    std::atomic<std::int64_t> left{50};

protected:
    void judge(int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        if (--left < 0) throw EvaluatorError("no more");
        Moody::judge(size, planes, policy, wdl);
    }
};

// Takes its time.
class Slow : public Net {
protected:
    void judge(int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        Net::judge(size, planes, policy, wdl);
    }
};

}  // namespace made_up
