// The contract between a search and a network.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace tengen {

// A network that cannot be loaded, or that failed; the message says why.
struct EvaluatorError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What a search asks a network. `evaluate` blocks until the answers are there and
// may be called from several threads at once; the buffers are the caller's and
// are not kept.
class Evaluator {
public:
    virtual ~Evaluator() = default;

    // `planes`: count boards of plane_count() planes of size * size bytes (0 or 1).
    // `policy`: count * actions(size) logits; `wdl`: count * 3 probabilities (win, draw, loss of the mover).
    // Throws EvaluatorError, or what a Python function raised; the outputs are then undefined.
    virtual void evaluate(int count, int size, const std::uint8_t* planes, float* policy, float* wdl) = 0;

    virtual int plane_count() const = 0;
    virtual bool passes() const = 0;  // one action more than cells: the pass (Othello)
    int actions(int size) const { return size * size + (passes() ? 1 : 0); }
};

}  // namespace tengen
