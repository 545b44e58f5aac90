#include "nets/onnx_runtime.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace tengen {
namespace {

// Part 1: the library's C interface, as far as we need it. Its types are opaque,
// its enums are ints, and its functions are the entries of one table, which only
// ever grows at the end. All but add_config are of its first version, whose last
// entry is 101; add_config came with the fifth.
struct Status;
struct Env;
struct MemoryInfo;
struct RawSession;
struct Value;
struct RunOptions;
struct TypeInfo;
struct TensorInfo;
struct SessionOptions;
struct Allocator;

struct ApiBase {
    const void* (*table)(std::uint32_t version);
    const char* (*version)();
};

template <std::size_t place, class Function>
struct Entry {};

constexpr Entry<2, const char*(const Status*)> error_message;
constexpr Entry<3, Status*(int level, const char* name, Env**)> create_env;
constexpr Entry<6, Status*(const Env*)> disable_telemetry;
constexpr Entry<8, Status*(const Env*, const void* model, std::size_t bytes, const SessionOptions*, RawSession**)>
    create_session;
constexpr Entry<9, Status*(RawSession*, const RunOptions*, const char* const* input_names, const Value* const* inputs,
                           std::size_t input_count, const char* const* output_names, std::size_t output_count,
                           Value** outputs)>
    run_session;
constexpr Entry<10, Status*(SessionOptions**)> create_options;
constexpr Entry<13, Status*(SessionOptions*, int mode)> set_execution_mode;
constexpr Entry<22, Status*(SessionOptions*, int level)> set_log_level;
constexpr Entry<23, Status*(SessionOptions*, int level)> set_optimisation;
constexpr Entry<24, Status*(SessionOptions*, int count)> set_intra_op_threads;
constexpr Entry<25, Status*(SessionOptions*, int count)> set_inter_op_threads;
constexpr Entry<30, Status*(const RawSession*, std::size_t*)> input_count;
constexpr Entry<31, Status*(const RawSession*, std::size_t*)> output_count;
constexpr Entry<33, Status*(const RawSession*, std::size_t index, TypeInfo**)> input_type;
constexpr Entry<34, Status*(const RawSession*, std::size_t index, TypeInfo**)> output_type;
constexpr Entry<36, Status*(const RawSession*, std::size_t index, Allocator*, char**)> input_name;
constexpr Entry<37, Status*(const RawSession*, std::size_t index, Allocator*, char**)> output_name;
constexpr Entry<49, Status*(const MemoryInfo*, void* data, std::size_t bytes, const std::int64_t* shape,
                            std::size_t rank, int type, Value**)>
    create_tensor;
constexpr Entry<55, Status*(const TypeInfo*, const TensorInfo**)> tensor_info;  // null: no tensor; not ours to release
constexpr Entry<60, Status*(const TensorInfo*, int*)> element_type;
constexpr Entry<61, Status*(const TensorInfo*, std::size_t*)> rank_of;
constexpr Entry<62, Status*(const TensorInfo*, std::int64_t* shape, std::size_t rank)> shape_of;
constexpr Entry<69, Status*(int allocator_type, int memory_type, MemoryInfo**)> create_memory_info;  // of the CPU
constexpr Entry<76, Status*(Allocator*, void*)> free_memory;
constexpr Entry<78, Status*(Allocator**)> default_allocator;  // not ours to release
constexpr Entry<93, void(Status*)> release_status;
constexpr Entry<94, void(MemoryInfo*)> release_memory;
constexpr Entry<95, void(RawSession*)> release_session;
constexpr Entry<96, void(Value*)> release_value;
constexpr Entry<98, void(TypeInfo*)> release_type;
constexpr Entry<100, void(SessionOptions*)> release_options;
constexpr Entry<130, Status*(SessionOptions*, const char* key, const char* value)> add_config;

constexpr int oldest_minor = 14;  // of version 1; also the number of its interface
constexpr int log_errors = 3;
constexpr int sequential = 0;
constexpr int all_optimisations = 99;
constexpr int device_allocator = 0;
constexpr int default_memory = 0;

// Element types.
constexpr int float32 = 1;
constexpr int uint8 = 2;
constexpr std::array<const char*, 14> type_names{"nothing", "float32", "uint8",   "int8",    "uint16",
                                                 "int16",   "int32",   "int64",   "string",  "bool",
                                                 "float16", "float64", "uint32",  "uint64"};

[[noreturn]] void fail(const std::string& message) { throw EvaluatorError(message); }

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// Part 2: the library, once opened.
class Runtime {
public:
    explicit Runtime(const std::string& library) : table_(open(library)) {}

    template <std::size_t place, class Function>
    Function* operator[](Entry<place, Function>) const {
        return reinterpret_cast<Function*>(table_[place]);
    }

    // Calls a function of the table, and throws what it reports.
    template <std::size_t place, class... Parameters, class... Arguments>
    void call(Entry<place, Status*(Parameters...)> entry, Arguments... arguments) const {
        if (Status* const status = (*this)[entry](arguments...)) {
            const Owned<Status> owner(status, (*this)[release_status]);
            fail("ONNX Runtime: " + std::string((*this)[error_message](status)));
        }
    }

    // The same for a function whose last argument is where it puts a new object.
    template <class T, class Create, class Release, class... Arguments>
    Owned<T> make(Create create, Release release, Arguments... arguments) const {
        T* made = nullptr;
        call(create, arguments..., &made);
        return Owned<T>(made, (*this)[release]);
    }

private:
    using Function = void (*)();

    static const Function* open(const std::string& library) {
        // The library reads this as it starts, and would else connect to its maker and leave an identifier on the disk.
        const char* const telemetry = std::getenv("ORT_DISABLE_TELEMETRY");
        if (!telemetry || std::string_view(telemetry) != "1") setenv("ORT_DISABLE_TELEMETRY", "1", 1);
        // Never unloaded: threads of its own, or of others who use it, may outlive us.
        void* const handle = library.empty() ? nullptr : dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!handle) fail("cannot open ONNX Runtime: " + std::string(library.empty() ? "no path given" : dlerror()));
        using GetBase = const ApiBase*();
        auto* const get_base = reinterpret_cast<GetBase*>(dlsym(handle, "OrtGetApiBase"));
        const ApiBase* const base = get_base ? get_base() : nullptr;
        if (!base) fail("'" + library + "' is not ONNX Runtime: it has no OrtGetApiBase");
        const char* const version = base->version();
        const std::string name = "'" + library + "' is ONNX Runtime " + version;
        const std::string oldest = "1." + std::to_string(oldest_minor);
        int major = 0;
        int minor = 0;
        if (std::sscanf(version, "%d.%d", &major, &minor) != 2 || major < 1 || (major == 1 && minor < oldest_minor))
            fail(name + "; " + oldest + " or newer is needed");
        const void* const table = base->table(oldest_minor);
        if (!table) fail(name + ", which no longer has the interface of " + oldest);
        return static_cast<const Function*>(table);
    }

    const Function* table_;
};

constexpr std::int64_t free_extent = -1;
constexpr std::int64_t largest_size = 1024;  // of a board: products of extents stay within an int

// What a model says about one of its inputs or outputs.
struct Tensor {
    int type = 0;
    std::vector<std::int64_t> shape;  // negative: free

    std::string text() const {
        const auto index = static_cast<std::size_t>(type);
        std::string out = index < type_names.size() ? type_names[index] : "of type " + std::to_string(type);
        out += " [";
        for (std::size_t i = 0; i < shape.size(); ++i)
            out += (i ? ", " : "") + (shape[i] < 0 ? std::string("?") : std::to_string(shape[i]));
        return out + "]";
    }
    bool fits(int wanted_type, const std::vector<std::int64_t>& wanted_shape) const {
        if (type != wanted_type || shape.size() != wanted_shape.size()) return false;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (shape[i] >= 0 && wanted_shape[i] >= 0 && shape[i] != wanted_shape[i]) return false;
        return true;
    }
};

}  // namespace

// Part 3: one model, ready to run.
class OnnxEvaluator::Session {
public:
    Session(const std::string& library, std::string_view model, int threads)
        : runtime_(library),
          session_(nullptr, runtime_[release_session]),
          memory_(runtime_.make<MemoryInfo>(create_memory_info, release_memory, device_allocator, default_memory)) {
        // The library has one environment, counts who uses it, and destroys it with
        // the last user, badly if another thread asks for it at that moment. So we
        // never give it back.
        Env* env = nullptr;
        runtime_.call(create_env, log_errors, "tengen", &env);
        runtime_.call(disable_telemetry, env);
        const auto options = runtime_.make<SessionOptions>(create_options, release_options);
        runtime_.call(set_execution_mode, options.get(), sequential);
        runtime_.call(set_log_level, options.get(), log_errors);
        runtime_.call(set_optimisation, options.get(), all_optimisations);
        runtime_.call(set_intra_op_threads, options.get(), threads);
        runtime_.call(set_inter_op_threads, options.get(), 1);
        runtime_.call(add_config, options.get(), "session.intra_op.allow_spinning", "0");
        session_ = runtime_.make<RawSession>(create_session, release_session, env, model.data(), model.size(),
                                             options.get());
    }

    // The one input, or the output of this name.
    Tensor input(const std::string& name) const {
        if (const std::size_t n = count(input_count); n != 1)
            fail("the network has " + std::to_string(n) + " inputs; it should have one, '" + name + "'");
        return find(name, "input", input_count, input_name, input_type);
    }
    Tensor output(const std::string& name) const {
        return find(name, "output", output_count, output_name, output_type);
    }

    void run(std::int64_t boards, std::int64_t planes, std::int64_t size, std::int64_t actions, const std::uint8_t* in,
             float* policy, float* wdl) const {
        // Tensors over the caller's buffers; inputs are only read.
        const auto given = tensor<4>(const_cast<std::uint8_t*>(in), uint8, {boards, planes, size, size});
        const auto policy_out = tensor<2>(policy, float32, {boards, actions});
        const auto wdl_out = tensor<2>(wdl, float32, {boards, 3});
        const std::array<const char*, 1> input_names{"planes"};
        const std::array<const char*, 2> output_names{"policy", "wdl"};
        const std::array<const Value*, 1> inputs{given.get()};
        std::array<Value*, 2> outputs{policy_out.get(), wdl_out.get()};
        runtime_.call(run_session, session_.get(), nullptr, input_names.data(), inputs.data(), inputs.size(),
                      output_names.data(), outputs.size(), outputs.data());
    }

private:
    template <class Count>
    std::size_t count(Count entry) const {
        std::size_t n = 0;
        runtime_.call(entry, session_.get(), &n);
        return n;
    }

    template <class Count, class Name, class Type>
    Tensor find(const std::string& wanted, const char* kind, Count counter, Name name, Type type) const {
        Allocator* allocator = nullptr;
        runtime_.call(default_allocator, &allocator);
        std::string there;
        for (std::size_t i = 0, n = count(counter); i < n; ++i) {
            char* text = nullptr;
            runtime_.call(name, session_.get(), i, allocator, &text);
            const std::string found = text;
            runtime_.call(free_memory, allocator, text);
            there += (there.empty() ? "" : ", ") + found;
            if (found != wanted) continue;
            const auto info = runtime_.make<TypeInfo>(type, release_type, session_.get(), i);
            return describe(*info, found);
        }
        fail("the network has no " + std::string(kind) + " '" + wanted + "', only " + there);
    }

    Tensor describe(const TypeInfo& type, const std::string& name) const {
        const TensorInfo* info = nullptr;
        runtime_.call(tensor_info, &type, &info);
        if (!info) fail("the network's '" + name + "' is not a tensor");
        Tensor tensor;
        runtime_.call(element_type, info, &tensor.type);
        std::size_t rank = 0;
        runtime_.call(rank_of, info, &rank);
        tensor.shape.resize(rank);
        runtime_.call(shape_of, info, tensor.shape.data(), rank);
        return tensor;
    }

    template <std::size_t rank, class T>
    Owned<Value> tensor(T* data, int type, const std::array<std::int64_t, rank>& shape) const {
        std::size_t bytes = sizeof(T);
        for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
        return runtime_.make<Value>(create_tensor, release_value, memory_.get(), data, bytes, shape.data(), rank, type);
    }

    Runtime runtime_;
    Owned<RawSession> session_;
    Owned<MemoryInfo> memory_;
};

OnnxEvaluator::OnnxEvaluator(const std::string& library, std::string_view model, int planes, bool passes, int threads)
    : planes_(planes), passes_(passes) {
    if (planes < 1 || planes > 1024) fail("planes must be 1..1024, not " + std::to_string(planes));
    if (threads < 1 || threads > 256) fail("threads must be 1..256, not " + std::to_string(threads));
    session_ = std::make_unique<Session>(library, model, threads);
    read_shapes();
    try_out();
}

OnnxEvaluator::~OnnxEvaluator() = default;

void OnnxEvaluator::read_shapes() {
    const std::int64_t pass = passes_ ? 1 : 0;
    const Tensor in = session_->input("planes");
    if (!in.fits(uint8, {free_extent, planes_, free_extent, free_extent}) || in.shape[0] >= 0)
        fail("the network's 'planes' is " + in.text() + "; it should be uint8 [?, " + std::to_string(planes_) +
             ", ?, ?]");
    const std::int64_t height = in.shape[2];
    const std::int64_t width = in.shape[3];
    if ((height >= 0 && width >= 0 && height != width) || std::max(height, width) > largest_size)
        fail("the network's board is not square, or too large: 'planes' is " + in.text());
    std::int64_t size = std::max(height, width);
    const std::int64_t actions = size < 0 ? free_extent : size * size + pass;
    const Tensor policy = session_->output("policy");
    if (!policy.fits(float32, {free_extent, actions}))
        fail("the network's 'policy' is " + policy.text() + "; it should be float32 [?, " +
             (actions < 0 ? "?" : std::to_string(actions)) + "]");
    const Tensor wdl = session_->output("wdl");
    if (!wdl.fits(float32, {free_extent, 3}))
        fail("the network's 'wdl' is " + wdl.text() + "; it should be float32 [?, 3]");
    if (size < 0 && policy.shape[1] >= 0) {  // one size after all
        size = std::lround(std::sqrt(static_cast<double>(std::max<std::int64_t>(policy.shape[1] - pass, 0))));
        if (size * size + pass != policy.shape[1])
            fail("the network's 'policy' is " + policy.text() + ": no square board" + (passes_ ? " and a pass" : ""));
    }
    if (size == 0 || size > largest_size) fail("the network's board has size " + std::to_string(size));
    size_ = static_cast<int>(std::max<std::int64_t>(size, 0));
}

// The shapes in a model may be unknown, or wrong; and logits in place of probabilities would only show as weak play.
void OnnxEvaluator::try_out() {
    constexpr int boards = 2;
    const int size = size_ ? size_ : 8;
    const float unset = std::numeric_limits<float>::quiet_NaN();
    const auto cells = static_cast<std::size_t>(boards * size * size);
    const std::vector<std::uint8_t> empty(cells * static_cast<std::size_t>(planes_));
    std::vector<float> policy(static_cast<std::size_t>(boards * actions(size)), unset);
    std::array<float, 3 * boards> wdl;
    wdl.fill(unset);
    const std::string where = "an empty board of size " + std::to_string(size);
    try {
        evaluate(boards, size, empty.data(), policy.data(), wdl.data());
    } catch (const EvaluatorError& error) {
        fail("the network fails on " + where + ": " + error.what());
    }
    if (!std::all_of(policy.begin(), policy.end(), [](float logit) { return std::isfinite(logit); }))
        fail("the network's 'policy' is not finite on " + where);
    for (std::size_t i = 0; i < wdl.size(); i += 3) {
        constexpr float rounding = 1e-3F;
        const bool sum_is_one = std::abs(wdl[i] + wdl[i + 1] + wdl[i + 2] - 1) < rounding;
        if (!sum_is_one || std::min({wdl[i], wdl[i + 1], wdl[i + 2]}) < -rounding)
            fail("the network's 'wdl' is not three probabilities on " + where);
    }
}

void OnnxEvaluator::evaluate(int count, int size, const std::uint8_t* planes, float* policy, float* wdl) {
    if (size_ && size != size_)
        fail("the network is for boards of size " + std::to_string(size_) + ", not " + std::to_string(size));
    if (count < 0 || size < 1 || size > largest_size)
        fail("there is no batch of " + std::to_string(count) + " boards of size " + std::to_string(size));
    if (count) session_->run(count, planes_, size, actions(size), planes, policy, wdl);
}

}  // namespace tengen
