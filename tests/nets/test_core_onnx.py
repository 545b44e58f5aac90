"""Evaluators of the core: ONNX networks without Python in the way, and Python functions in their place."""

import ctypes.util
import gc
import importlib.util
import os
import subprocess
import sys
import textwrap
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tengen import _core

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read when onnxruntime is imported

import onnxruntime
from onnx import TensorProto, helper, numpy_helper

PLANES = 5


def find_library() -> str:
    """The shared library in the onnxruntime package (Linux: 1.19 or newer), without importing it."""
    spec = importlib.util.find_spec("onnxruntime")
    assert spec
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "capi"
    names = [*folder.glob("libonnxruntime.so.*"), *folder.glob("libonnxruntime.*.dylib")]
    assert names, f"no ONNX Runtime library in {folder}"
    return str(names[0])


LIBRARY = os.environ.get("TENGEN_TEST_ONNXRUNTIME") or find_library()  # to try other versions


class Graph:
    """An ONNX graph in the making; `add` and `conv` return the name of their result."""

    def __init__(self, seed=0):
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights = [], []

    def add(self, kind, *inputs, out=None, **attributes):
        out = out or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], **attributes))
        return out

    def weight(self, *shape):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(self.random.normal(0, 0.5, shape).astype(np.float32), name))
        return name

    def conv(self, x, ins, outs, width=3):
        return self.add("Conv", x, self.weight(outs, ins, width, width), self.weight(outs), pads=[width // 2] * 4)

    def bytes(
        self, *, planes=("n", PLANES, "h", "w"), kind=TensorProto.UINT8, policy=("n", "a"), wdl=("n", 3), more=()
    ):
        value = helper.make_tensor_value_info
        inputs = [value("planes", kind, planes), *more]
        outputs = [value("policy", TensorProto.FLOAT, policy), value("wdl", TensorProto.FLOAT, wdl)]
        graph = helper.make_graph(self.nodes, "net", inputs, outputs, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def network(*, passes=False, seed=0, channels=8, blocks=2, reads=PLANES, last="Softmax", **shapes):
    """A small network with the parts of a real one; `last` is the step that makes wdl."""
    g = Graph(seed)
    x = g.add("Cast", "planes", to=TensorProto.FLOAT)
    x = g.add("Relu", g.conv(x, reads, channels))
    for _ in range(blocks):
        x = g.add("Relu", g.add("Add", x, g.conv(x, channels, channels)))
    pooled = g.add("Flatten", g.add("GlobalAveragePool", x))
    if passes:
        board = g.add("Flatten", g.conv(x, channels, 1, width=1))
        g.add("Concat", board, g.add("Gemm", pooled, g.weight(channels, 1), g.weight(1)), out="policy", axis=1)
    else:
        g.add("Flatten", g.conv(x, channels, 1, width=1), out="policy")
    g.add(last, g.add("Gemm", pooled, g.weight(channels, 3), g.weight(3)), out="wdl")
    return g.bytes(**{"planes": ("n", reads, "h", "w"), **shapes})


def boards(count, size, seed=1):
    return np.random.default_rng(seed).integers(0, 2, (count, PLANES, size, size)).astype(np.uint8)


def load(model, *, library=LIBRARY, planes=PLANES, passes=False, threads=1):
    return _core.OnnxEvaluator(library, model, planes, passes, threads)


def by_python(model):
    """The same network, run by onnxruntime's own Python module with the same options."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda planes: session.run(["policy", "wdl"], {"planes": planes})


def assert_same(got, want):
    for mine, theirs in zip(got, want, strict=True):
        assert mine.dtype == np.float32
        assert mine.shape == theirs.shape
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-6)


# Results


@pytest.mark.parametrize("passes", [False, True])
def test_any_size_and_count_as_in_python(passes):
    model = network(passes=passes)
    evaluator, reference = load(model, passes=passes), by_python(model)
    assert isinstance(evaluator, _core.Evaluator)
    assert (evaluator.plane_count, evaluator.passes) == (PLANES, passes)
    for size in (9, 15, 4, 9):
        for count in (1, 7, 32):
            planes = boards(count, size, seed=size)
            policy, wdl = evaluator.evaluate(planes)
            assert policy.shape == (count, size * size + passes)
            assert_same((policy, wdl), reference(planes))
    policy, wdl = evaluator.evaluate(boards(0, 9))
    assert (policy.shape, wdl.shape) == ((0, 81 + passes), (0, 3))


@pytest.mark.parametrize("threads", [1, 2])
def test_larger_network(threads):
    model = network(channels=32, blocks=4)
    planes = boards(16, 15)
    assert_same(load(model, threads=threads).evaluate(planes), by_python(model)(planes))


def aliases(how):
    """Networks whose outputs the optimiser makes views or copies of something else."""
    g = Graph()
    x = g.add("Cast", "planes", to=TensorProto.FLOAT)
    board = g.conv(x, PLANES, 1, width=1)
    if how == "reshape":
        g.weights.append(numpy_helper.from_array(np.array([0, -1], np.int64), "rows"))
        g.add("Reshape", board, "rows", out="policy")
    elif how == "identity":
        g.add("Identity", g.add("Identity", g.add("Flatten", board)), out="policy")
    elif how == "read on":  # the policy is itself read by the value
        g.add("Flatten", board, out="policy")
    elif how == "squeeze":
        flat = g.add("Flatten", board)
        g.weights.append(numpy_helper.from_array(np.array([2], np.int64), "axis"))
        g.add("Squeeze", g.add("Unsqueeze", flat, "axis"), "axis", out="policy")
    elif how == "input":  # nothing but the input itself
        g.weights.append(numpy_helper.from_array(np.array([0], np.int64), "zero"))
        g.weights.append(numpy_helper.from_array(np.array([1], np.int64), "one"))
        g.add("Flatten", g.add("Slice", x, "zero", "one", "one"), out="policy")
    source = "policy" if how == "read on" else g.add("Flatten", board)
    mean = g.add("ReduceMean", source, axes=[1], keepdims=1)
    three = g.add("Softmax", g.add("Gemm", mean, g.weight(1, 3), g.weight(3)))
    g.add("Identity", three, out="wdl") if how == "identity" else g.add("Softmax", three, out="wdl")
    return g.bytes()


@pytest.mark.parametrize("how", ["reshape", "identity", "read on", "squeeze", "input"])
def test_outputs_are_written_however_the_graph_ends(how):
    model = aliases(how)
    evaluator, reference = load(model), by_python(model)
    for seed in range(3):
        planes = boards(4, 9, seed)
        assert_same(evaluator.evaluate(planes), reference(planes))


def test_a_fixed_size_is_the_only_one():
    for shapes in ({"planes": ("n", PLANES, 9, 9), "policy": ("n", 81)}, {"policy": ("n", 81)}):
        evaluator = load(network(**shapes))
        assert evaluator.evaluate(boards(2, 9))[0].shape == (2, 81)
        with pytest.raises(_core.EvaluatorError, match="boards of size 9, not 15"):
            evaluator.evaluate(boards(2, 15))
        assert evaluator.evaluate(boards(1, 9))[0].shape == (1, 81)


# Threads


@pytest.mark.parametrize("threads", [1, 2])
def test_several_threads_on_one_evaluator(threads):
    model = network(channels=16)
    evaluator, reference = load(model, threads=threads), by_python(model)
    work = [boards(1 + i % 5, (9, 15)[i % 2], seed=i) for i in range(24)]
    wanted = [reference(planes) for planes in work]
    start = threading.Barrier(4)

    def one(first):
        start.wait()
        for turn in range(60):
            i = (first + turn) % len(work)
            assert_same(evaluator.evaluate(work[i]), wanted[i])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(0, 24, 6)))


def test_made_and_dropped_on_several_threads():
    """The library's environment is shared by all; it must not go away under another's hands."""
    model, planes = network(), boards(2, 9)
    wanted = load(model).evaluate(planes)

    def one(_):
        for _ in range(15):
            assert_same(load(model).evaluate(planes), wanted)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))


# What goes wrong


def test_a_library_that_is_missing_or_another():
    model = network()
    with pytest.raises(_core.EvaluatorError, match=r"cannot open ONNX Runtime: .*nowhere"):
        load(model, library="/nowhere/libonnxruntime.so.1")
    with pytest.raises(_core.EvaluatorError, match="no path"):
        load(model, library="")
    with pytest.raises(_core.EvaluatorError, match=r"cannot open ONNX Runtime: .*test_core_onnx"):
        load(model, library=__file__)
    with pytest.raises(_core.EvaluatorError, match="is not ONNX Runtime"):
        load(model, library=ctypes.util.find_library("c") or _core.__file__)
    with pytest.raises(_core.EvaluatorError, match="is not ONNX Runtime"):
        load(model, library=_core.__file__)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("1.13.1", "is ONNX Runtime 1.13.1; 1.14 or newer is needed"),
        ("0.5.0", "is ONNX Runtime 0.5.0; 1.14 or newer is needed"),
        ("custom", "is ONNX Runtime custom; 1.14 or newer is needed"),
        ("3.2.1", "no longer has the interface of 1.14"),
    ],
)
def test_a_library_of_another_age(tmp_path, version, message):
    source = tmp_path / "other.cpp"
    source.write_text(
        f"""
        struct Base {{ const void* (*table)(unsigned); const char* (*version)(); }};
        static const void* table(unsigned) {{ return nullptr; }}
        static const char* version() {{ return "{version}"; }}
        static const Base base{{table, version}};
        extern "C" const Base* OrtGetApiBase() {{ return &base; }}
        """
    )
    library = tmp_path / "libother.so"
    compiler = os.environ.get("CXX", "c++")
    try:
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no compiler")
    with pytest.raises(_core.EvaluatorError, match=message):
        load(network(), library=str(library))


@pytest.mark.parametrize("model", [b"", b"not a model", network()[:-200], network()[200:], bytes(1000)])
def test_corrupt_models(model, capfd):
    with pytest.raises(_core.EvaluatorError):
        load(model)


def renamed(model, old, new):
    import onnx

    graph = onnx.load_from_string(model).graph
    for node in graph.node:
        node.output[:] = [new if name == old else name for name in node.output]
    for value in [*graph.input, *graph.output]:
        value.name = new if value.name == old else value.name
    if old == "planes":
        graph.node[0].input[0] = new
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


EXTRA = helper.make_tensor_value_info("more", TensorProto.FLOAT, (1,))


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (network(reads=4), {}, r"'planes' is uint8 \[\?, 4, \?, \?\]; it should be uint8 \[\?, 5, \?, \?\]"),
        (network(kind=TensorProto.FLOAT), {}, r"'planes' is float32 \[\?, 5, \?, \?\]; it should be uint8"),
        (network(more=[EXTRA]), {}, "has 2 inputs; it should have one, 'planes'"),
        (renamed(network(), "planes", "board"), {}, "no input 'planes', only board"),
        (renamed(network(), "policy", "moves"), {}, "no output 'policy', only moves, wdl"),
        (renamed(network(), "wdl", "value"), {}, "no output 'wdl', only policy, value"),
        (network(), {"planes": 0}, "planes must be 1..1024, not 0"),
        (network(), {"threads": 0}, "threads must be 1..256, not 0"),
        (network(last="Relu"), {}, "'wdl' is not three probabilities"),
        (network(passes=True), {}, r"fails on an empty board of size 8: .*65"),
        (network(), {"passes": True}, r"fails on an empty board of size 8: .*64"),
    ],
)
def test_models_of_another_shape(model, options, message, capfd):
    with pytest.raises(_core.EvaluatorError, match=message):
        load(model, **options)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"planes": (1, PLANES, "h", "w")}, r"'planes' is uint8 \[1, 5, \?, \?\]"),
        ({"planes": ("n", PLANES, 9, 8)}, "not square"),
        ({"planes": ("n", PLANES, 2000, "w")}, "too large"),
        ({"planes": ("n", PLANES, 2**33, 2**33)}, "too large"),
        ({"policy": ("n", 82)}, "no square board"),
    ],
)
def test_declared_shapes_that_cannot_be(shapes, message, capfd):
    with pytest.raises(_core.EvaluatorError, match=message):
        load(network(**shapes))


def test_a_network_that_is_not_finite():
    g = Graph()
    x = g.add("Cast", "planes", to=TensorProto.FLOAT)
    g.add("Log", g.add("Flatten", g.add("ReduceMax", x, axes=[1])), out="policy")
    mean = g.add("ReduceMean", g.add("Flatten", x), axes=[1], keepdims=1)
    g.add("Softmax", g.add("Gemm", mean, g.weight(1, 3), g.weight(3)), out="wdl")
    with pytest.raises(_core.EvaluatorError, match="'policy' is not finite on an empty board of size 8"):
        load(g.bytes())


@pytest.mark.parametrize(
    "shape", [(2, PLANES + 1, 9, 9), (2, PLANES, 9, 8), (2, PLANES, 0, 0), (0, 0, 0, 0), (1, PLANES, 1025, 1025)]
)
def test_planes_of_another_shape(shape):
    evaluator = load(network())
    with pytest.raises(_core.EvaluatorError, match=r"planes is \[.*\]; it should be \[n, 5, size, size\]"):
        evaluator.evaluate(np.zeros(shape, np.uint8))


@pytest.mark.parametrize("planes", [np.zeros((1, PLANES, 9, 9), np.float32), np.zeros((9, 9), np.uint8), None, [[0]]])
def test_planes_of_another_kind(planes):
    with pytest.raises(TypeError):
        load(network()).evaluate(planes)


def test_evaluators_are_not_made_from_the_base_class():
    with pytest.raises(TypeError):
        _core.Evaluator()


# Processes


def run(code, **environment):
    """Runs a program that has this module as `t`, and returns what it prints."""
    source = f"import sys\nsys.path[:0] = [{str(Path(__file__).parent)!r}]\n" + textwrap.dedent(code)
    result = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=120, env={**os.environ, **environment}
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("first", ["core", "python"])
def test_beside_python_onnxruntime(first, tmp_path):
    """Python's onnxruntime is another user of the library, before us or after."""
    (tmp_path / "net.onnx").write_bytes(network())
    out = run(f"""
        import sys
        import numpy as np
        from tengen import _core

        model = open({str(tmp_path / "net.onnx")!r}, "rb").read()
        planes = np.random.default_rng(0).integers(0, 2, (3, {PLANES}, 15, 15)).astype(np.uint8)

        def core():
            evaluator = _core.OnnxEvaluator({LIBRARY!r}, model, {PLANES}, False)
            return lambda: evaluator.evaluate(planes)

        def python():
            import onnxruntime
            session = onnxruntime.InferenceSession(model)
            return lambda: session.run(["policy", "wdl"], {{"planes": planes}})

        kinds = dict(core=core, python=python)
        one = kinds[{first!r}]()
        a = one()
        assert ("onnxruntime" in sys.modules) == ({first!r} == "python")
        two = kinds[{"python" if first == "core" else "core"!r}]()
        b = two()
        del two
        for x, y, z in zip(a, b, one(), strict=True):
            assert np.allclose(x, y, rtol=0, atol=1e-6) and (x == z).all()
        del one
        kinds["core"]()()
        print("same")
    """)
    assert out.strip() == "same"


@pytest.mark.parametrize("threads", [1, 2])
def test_exit_with_an_evaluator_alive(threads):
    out = run(f"""
        import threading
        import test_core_onnx as t

        kept = t.load(t.network(), threads={threads})
        cycle = [kept]
        cycle.append(cycle)
        user = threading.Thread(target=lambda: kept.evaluate(t.boards(4, 15)))
        user.start()
        user.join()
        print("done")
    """)
    assert out.strip() == "done"


def test_no_telemetry():
    """Recent libraries report their use to their maker unless told not to before they start."""
    probe = """
        import ctypes, os
        {prepare}
        from tengen import _core
        def threads():
            return sorted(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else []
        before = threads()
        try:
            _core.OnnxEvaluator({library!r}, b"", 1, False)
        except _core.EvaluatorError:
            pass
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_char_p
        print(getenv(b"ORT_DISABLE_TELEMETRY").decode(), threads() == before)
    """
    for prepare in ("", 'os.environ.pop("ORT_DISABLE_TELEMETRY", None)', 'os.environ["ORT_DISABLE_TELEMETRY"] = "0"'):
        assert run(probe.format(prepare=prepare, library=LIBRARY)).split() == ["1", "True"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_threads_of_its_own():
    out = run("""
        import os
        import test_core_onnx as t

        def more(threads):
            before = len(os.listdir("/proc/self/task"))
            evaluator = t.load(t.network(), threads=threads)
            evaluator.evaluate(t.boards(4, 15))
            return len(os.listdir("/proc/self/task")) - before

        print(more(1), more(2), more(4), more(1))
    """)
    assert out.split() == ["0", "1", "3", "0"]


def test_memory_is_given_back():
    out = run("""
        import gc, os
        import test_core_onnx as t

        def resident():
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

        if not os.path.exists("/proc/self/statm"):
            print(0, 0)
            raise SystemExit
        model, planes, bad = t.network(channels=32), t.boards(8, 15), t.network(last="Relu")

        def make(count):
            for _ in range(count):
                t.load(model).evaluate(planes)
                try:
                    t.load(bad)
                except t._core.EvaluatorError:
                    pass

        def ask(count):
            for i in range(count):
                evaluator.evaluate(planes)
                fixed.evaluate(planes[:, :, :9, :9].copy())
                try:
                    fixed.evaluate(planes)
                except t._core.EvaluatorError:
                    pass

        make(30)
        before = resident()
        make(150)
        made = resident() - before
        evaluator, fixed = t.load(model), t.load(t.network(policy=("n", 81)))
        ask(200)
        before = resident()
        ask(2000)
        print(made, resident() - before)
    """)
    made, asked = (float(x) for x in out.split())
    assert made < 8  # MiB over 300 loads, whose weights alone are 12
    assert asked < 4


# Functions


def answer(planes, *, passes=False):
    n, _, size, _ = planes.shape
    policy = np.zeros((n, size * size + passes), np.float32)
    policy[:, : size * size] = planes[:, 0].reshape(n, -1)
    return policy, np.tile(np.array([0.5, 0.25, 0.25], np.float32), (n, 1))


@pytest.mark.parametrize("passes", [False, True])
def test_a_function(passes):
    seen = []

    def function(planes):
        seen.append(planes)
        return answer(planes, passes=passes)

    evaluator = _core.FunctionEvaluator(function, planes=PLANES, passes=passes)
    assert isinstance(evaluator, _core.Evaluator)
    assert (evaluator.plane_count, evaluator.passes) == (PLANES, passes)
    for size in (9, 15):
        planes = boards(3, size)
        assert_same(evaluator.evaluate(planes), answer(planes, passes=passes))
        assert seen[-1].dtype == np.uint8
        assert (seen[-1] == planes).all()
        assert not np.shares_memory(seen[-1], planes)
    assert evaluator.evaluate(boards(0, 9))[0].shape == (0, 81 + passes)
    assert len(seen) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda policy, wdl: [policy, wdl],
        lambda policy, wdl: (np.asfortranarray(policy), wdl[::-1]),
        lambda policy, wdl: (np.repeat(policy, 2, axis=1)[:, ::2], np.broadcast_to(wdl[0], wdl.shape)),
    ],
)
def test_a_function_may_return_any_float32_array(change):
    planes = boards(3, 9)
    evaluator = _core.FunctionEvaluator(lambda p: change(*answer(p)), PLANES, False)
    assert_same(evaluator.evaluate(planes), answer(planes))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda policy, wdl: policy, r"must return \(policy, wdl\)"),
        (lambda policy, wdl: None, r"must return \(policy, wdl\)"),
        (lambda policy, wdl: (policy, wdl, 1), r"must return \(policy, wdl\)"),
        (lambda policy, wdl: (policy[:, 1:], wdl), r"policy is \[3, 80\]; it should be \[3, 81\]"),
        (lambda policy, wdl: (policy[1:], wdl), r"policy is \[2, 81\]; it should be \[3, 81\]"),
        (lambda policy, wdl: (policy.ravel(), wdl), r"policy is \[243\]; it should be \[3, 81\]"),
        (lambda policy, wdl: (policy, wdl[:, 0]), r"wdl is \[3\]; it should be \[3, 3\]"),
        (lambda policy, wdl: (policy, wdl.astype(np.float64)), "wdl is not float32"),
        (lambda policy, wdl: (policy.astype(np.int32), wdl), "policy is not float32"),
        (lambda policy, wdl: (policy.tolist(), wdl), "policy is not an array"),
        (lambda policy, wdl: (policy, None), "wdl is not an array"),
        (lambda policy, wdl: (policy.astype(object), wdl), "policy is not"),
    ],
)
def test_a_function_that_returns_something_else(change, message):
    evaluator = _core.FunctionEvaluator(lambda planes: change(*answer(planes)), PLANES, False)
    with pytest.raises(_core.EvaluatorError, match=message):
        evaluator.evaluate(boards(3, 9))


def test_what_a_function_raises_comes_out():
    class OwnError(Exception):
        pass

    def function(planes):
        raise OwnError("the net is gone")

    evaluator = _core.FunctionEvaluator(function, PLANES, False)
    with pytest.raises(OwnError, match="the net is gone") as caught:
        evaluator.evaluate(boards(1, 9))
    assert "function" in [entry.name for entry in caught.traceback]


def test_functions_are_called_from_several_threads():
    evaluator = _core.FunctionEvaluator(answer, PLANES, False)

    def one(seed):
        for i in range(50):
            planes = boards(2, 9, seed=100 * seed + i)
            assert_same(evaluator.evaluate(planes), answer(planes))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))


def test_a_function_needs_sense():
    with pytest.raises(TypeError, match="callable"):
        _core.FunctionEvaluator(3, PLANES, False)
    with pytest.raises(_core.EvaluatorError, match=r"planes must be 1..1024"):
        _core.FunctionEvaluator(answer, 0, False)


def test_a_player_that_holds_its_evaluator_is_collected():
    class Player:
        def __init__(self):
            self.evaluator = _core.FunctionEvaluator(self.ask, PLANES, False)

        def ask(self, planes):
            return answer(planes)

    player = Player()
    gone = weakref.ref(player)
    player.evaluator.evaluate(boards(1, 9))
    del player
    gc.collect()
    assert gone() is None
