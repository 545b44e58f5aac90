// ONNX networks, run by the shared library that comes in ONNX Runtime's Python
// package. It is opened at run time, so that building needs nothing of it, and
// running a network never touches Python.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "nets/evaluator.h"

namespace tengen {

// A network has the input `planes`, uint8 [n, planes, h, w], and the outputs
// `policy`, float32 [n, h * w (+ 1 if it passes)], and `wdl`, float32 [n, 3]; n is
// free, and h and w are equal or free. Other outputs are not computed.
class OnnxEvaluator final : public Evaluator {
public:
    // `library`: the path of libonnxruntime, 1.14 or newer; `model`: the bytes of
    // an .onnx file. `threads` (1..256) are what one call of evaluate may use: 1
    // is the caller's own and no other. Reads the shapes in the model and tries
    // it on two empty boards. Throws EvaluatorError.
    //
    // Sets ORT_DISABLE_TELEMETRY=1 in the process's environment where it is not: recent
    // libraries report their use over the network. To be safe beside threads that
    // read the environment, set it at the start of the process.
    OnnxEvaluator(const std::string& library, std::string_view model, int planes, bool passes, int threads = 1);
    ~OnnxEvaluator() override;
    OnnxEvaluator(const OnnxEvaluator&) = delete;
    OnnxEvaluator& operator=(const OnnxEvaluator&) = delete;

    void evaluate(int count, int size, const std::uint8_t* planes, float* policy, float* wdl) override;
    int plane_count() const override { return planes_; }
    bool passes() const override { return passes_; }

private:
    class Session;

    void read_shapes();
    void try_out();

    int planes_;
    bool passes_;
    int size_ = 0;  // of the board; 0: any
    std::unique_ptr<Session> session_;
};

}  // namespace tengen
