// Threads that stay and share loops among them.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tengen {

class Team {
public:
    // The thread that calls `run` is one of them.
    explicit Team(int threads) {
        for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i](const std::stop_token& end) { serve(i, end); });
    }
    int size() const { return static_cast<int>(threads_.size()) + 1; }

    // Calls task(first, last, member) for pieces of [0, count) until all is done; members are 0..size() - 1.
    // Rethrows the first exception, once everybody is back.
    using Task = std::function<void(int first, int last, int member)>;
    void run(int count, int piece, const Task& task) {
        {
            const std::lock_guard lock(mutex_);
            task_ = &task, count_ = count, piece_ = piece;
            next_.store(0, std::memory_order_relaxed);
            busy_ = static_cast<int>(threads_.size());
            error_ = nullptr;
            ++round_;
            wake_.notify_all();
        }
        share(0);
        std::unique_lock lock(mutex_);
        back_.wait(lock, [this] { return busy_ == 0; });
        if (error_) std::rethrow_exception(error_);
    }

private:
    void share(int member) {
        try {
            for (;;) {
                const int first = next_.fetch_add(piece_, std::memory_order_relaxed);
                if (first >= count_) return;
                (*task_)(first, std::min(count_, first + piece_), member);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }
    void serve(int member, const std::stop_token& end) {
        for (std::uint64_t seen = 0;;) {
            {
                std::unique_lock lock(mutex_);
                if (!wake_.wait(lock, end, [&] { return round_ != seen; })) return;
                seen = round_;
            }
            share(member);
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) back_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable_any wake_;  // which knows how to end with a thread
    std::condition_variable back_;
    const Task* task_ = nullptr;
    int count_ = 0, piece_ = 1, busy_ = 0;
    std::uint64_t round_ = 0;
    std::atomic<int> next_{0};
    std::exception_ptr error_;
    std::vector<std::jthread> threads_;  // last: ended and joined before anything else goes
};

}  // namespace tengen
