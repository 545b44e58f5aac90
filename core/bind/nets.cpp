// Evaluators: networks run by ONNX Runtime, and Python functions in their place.
#include <algorithm>
#include <new>
#include <utility>

#include "bind/bind.h"
#include "nets/onnx_runtime.h"

namespace tengen {
namespace {

using Planes = nb::ndarray<const std::uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

std::string text(const std::vector<std::size_t>& shape) {
    std::string out;
    for (const std::size_t extent : shape) out += (out.empty() ? "[" : ", ") + std::to_string(extent);
    return out.empty() ? "[]" : out + "]";
}

template <class Array>
std::vector<std::size_t> shape_of(const Array& array) {
    std::vector<std::size_t> shape;
    for (std::size_t i = 0; i < array.ndim(); ++i) shape.push_back(array.shape(i));
    return shape;
}

// A Python function (planes) -> (policy, wdl) as an evaluator; it has the GIL while it is called, and only then.
class FunctionEvaluator final : public Evaluator {
public:
    FunctionEvaluator(nb::object function, int planes, bool passes)
        : function_(std::move(function)), planes_(planes), passes_(passes) {
        if (planes < 1 || planes > 1024) throw EvaluatorError("planes must be 1..1024, not " + std::to_string(planes));
        if (!PyCallable_Check(function_.ptr())) throw nb::type_error("function must be callable");
    }

    void evaluate(int count, int size, const std::uint8_t* planes, float* policy, float* wdl) override {
        if (count == 0) return;
        const nb::gil_scoped_acquire gil;
        if (!gil) throw EvaluatorError("Python is shutting down");
        const auto boards = static_cast<std::size_t>(count);
        const auto side = static_cast<std::size_t>(size);
        std::uint8_t* copy = nullptr;  // the function may keep what it is given
        const auto given = new_array<std::uint8_t>({boards, static_cast<std::size_t>(planes_), side, side}, &copy);
        std::copy_n(planes, given.size(), copy);
        const nb::object function = function_;
        const nb::object result = function(given);
        if (!(nb::isinstance<nb::tuple>(result) || nb::isinstance<nb::list>(result)) || nb::len(result) != 2)
            throw EvaluatorError("the function must return (policy, wdl)");
        take(result[0], "policy", boards, static_cast<std::size_t>(actions(size)), policy);
        take(result[1], "wdl", boards, 3, wdl);
    }
    int plane_count() const override { return planes_; }
    bool passes() const override { return passes_; }

    // For the collector of cycles: a function is often the method of an object that holds the evaluator.
    static int traverse(PyObject* self, visitproc visit, void* arg) {
        Py_VISIT(Py_TYPE(self));
        if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<FunctionEvaluator>(self)->function_.ptr());
        return 0;
    }
    static int clear(PyObject* self) {
        if (nb::inst_ready(self)) nb::inst_ptr<FunctionEvaluator>(self)->function_ = nb::none();
        return 0;
    }

private:
    // Copies rows * columns floats out of what the function returned.
    static void take(nb::handle value, const char* name, std::size_t rows, std::size_t columns, float* out) {
        const std::string what = "the function's " + std::string(name);
        nb::ndarray<nb::ro> array;
        if (!nb::try_cast(value, array)) throw EvaluatorError(what + " is not an array");
        if (array.device_type() != nb::device::cpu::value) throw EvaluatorError(what + " is not in the CPU's memory");
        if (array.dtype() != nb::dtype<float>()) throw EvaluatorError(what + " is not float32");
        const std::vector<std::size_t> wanted{rows, columns};
        if (shape_of(array) != wanted)
            throw EvaluatorError(what + " is " + text(shape_of(array)) + "; it should be " + text(wanted));
        const auto* row = static_cast<const float*>(array.data());
        for (std::size_t i = 0; i < rows; ++i, row += array.stride(0)) {
            const float* value_at = row;
            for (std::size_t j = 0; j < columns; ++j, value_at += array.stride(1)) *out++ = *value_at;
        }
    }

    nb::object function_;
    int planes_;
    bool passes_;
};

const PyType_Slot function_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&FunctionEvaluator::traverse)},
                                      {Py_tp_clear, reinterpret_cast<void*>(&FunctionEvaluator::clear)},
                                      {0, nullptr}};

nb::tuple evaluate(Evaluator& self, const Planes& planes) {
    const std::size_t count = planes.shape(0);
    const std::size_t size = planes.shape(2);
    if (planes.shape(1) != static_cast<std::size_t>(self.plane_count()) || planes.shape(3) != size || size < 1 ||
        size > 1024 || count > 1 << 24)
        throw EvaluatorError("planes is " + text(shape_of(planes)) + "; it should be [n, " +
                             std::to_string(self.plane_count()) + ", size, size]");
    const auto actions = static_cast<std::size_t>(self.actions(static_cast<int>(size)));
    float* policy = nullptr;
    float* wdl = nullptr;
    auto policy_array = new_array<float>({count, actions}, &policy);
    auto wdl_array = new_array<float>({count, 3}, &wdl);
    {
        const nb::gil_scoped_release release;
        self.evaluate(static_cast<int>(count), static_cast<int>(size), planes.data(), policy, wdl);
    }
    return nb::make_tuple(std::move(policy_array), std::move(wdl_array));
}

}  // namespace

void bind_nets(nb::module_& m) {
    nb::exception<EvaluatorError>(m, "EvaluatorError", PyExc_RuntimeError);
    nb::class_<Evaluator>(m, "Evaluator", "What a search asks about positions.")
        .def("evaluate", &evaluate, nb::arg("planes").noconvert(),
             nb::sig("def evaluate(self, planes: NDArray[numpy.uint8]) "
                     "-> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]"),
             "Planes [n, plane_count, size, size] of 0 and 1, to the policy's logits [n, actions] and the\n"
             "probabilities [n, 3] that the mover wins, draws and loses. Safe from several threads.")
        .def_prop_ro("plane_count", &Evaluator::plane_count)
        .def_prop_ro("passes", &Evaluator::passes, "Whether the policy ends with the pass.");
    nb::class_<OnnxEvaluator, Evaluator>(m, "OnnxEvaluator")
        .def("__init__",
             [](OnnxEvaluator* self, const std::string& library, const nb::bytes& model, int planes, bool passes,
                int threads) {
                 const std::string_view bytes(model.c_str(), model.size());
                 const nb::gil_scoped_release release;
                 new (self) OnnxEvaluator(library, bytes, planes, passes, threads);
             },
             nb::arg("library"), nb::arg("model"), nb::arg("planes"), nb::arg("passes"), nb::arg("threads") = 1,
             "A network in ONNX, run by the ONNX Runtime library at this path, without Python.");
    nb::class_<FunctionEvaluator, Evaluator>(m, "FunctionEvaluator", nb::type_slots(function_slots))
        .def(nb::init<nb::object, int, bool>(), nb::arg("function"), nb::arg("planes"), nb::arg("passes"),
             "A function (planes) -> (policy, wdl), with the shapes of evaluate, in the place of a network.");
}

}  // namespace tengen
