"""One Python contender (numpy, jax or torch) for bench/src/contenders/python.ts: a line of JSON in, a line of JSON out.

Arrays travel as files of float64 in row-major order. One thread each, as everywhere in the benchmark.
"""
import json
import os
import sys
import time

# Newer JAX has a thread for every core of its process, whatever XLA_FLAGS says: the process gets one core, where it can be told.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import numpy as np

CHAIN_LENGTH = 100
EPSILON = 1e-5
RATE = 1.0
PARAMETERS = ["w1", "b1", "w2", "b2", "w3", "b3"]
EAGER = ["operations", "step forward"]


class Missing(Exception):
    """What the library cannot do."""


def operations(x):
    y = x
    for _ in range(CHAIN_LENGTH):
        y = y * x + x
    return y


def reductions(lib, softmax, sqrt):
    def layer_norm(x):
        centred = x - x.mean(1).reshape(-1, 1)
        return centred / sqrt((centred * centred).mean(1).reshape(-1, 1) + EPSILON)

    return {
        "matmul": lambda a, b: lib.matmul(a, b),
        "sum": lambda x: x.sum(),
        "mean": lambda x: x.mean(),
        "sum axis 1": lambda x: x.sum(1),
        "sum axis 0": lambda x: x.sum(0),
        "softmax": softmax,
        "layer norm": layer_norm,
        "fft": lambda x: lib.fft.fft(x),
        "rfft": lambda x: lib.fft.rfft(x),
        "einsum batched": lambda a, b: lib.einsum("bij,bjk->bik", a, b),
        "einsum chain": lambda a, b, c: lib.einsum("ij,jk,kl->il", a, b, c),
        "einsum network": lambda a, b, c, d: lib.einsum("abc,cde,efg,gha->bdfh", a, b, c, d),
        **{task: lambda *args, equation=equation: lib.einsum(equation, *args) for task, equation in EQUATIONS.items()},
    }


EQUATIONS = {
    "einsum permuted": "abcd,dcef->feab",
    "einsum tree": "abc,ade,bfg,ch->degfh",
    "einsum star": "ai,aj,ak,al->ijkl",
    "einsum sites": "pa,aqb,brc,csd,dte,eu,pA,AqB,BrC,CsD,DtE,Eu->",
}


def numpy_tasks():
    def softmax(x):
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def forward(x, c):
        h = x * c
        return (h * h).sum()

    tasks = {"operations": operations, "step forward": forward, **reductions(np, softmax, np.sqrt), **decompositions(np.linalg)}
    # In pairs, which NumPy does only when it is told to; the path is found once, as ours is.
    tasks["einsum batched"] = lambda a, b: np.matmul(a, b)
    tasks["einsum chain"] = lambda a, b, c: np.einsum("ij,jk,kl->il", a, b, c, optimize=["einsum_path", (0, 1), (0, 1)])
    tasks["einsum network"] = lambda a, b, c, d: np.einsum("abc,cde,efg,gha->bdfh", a, b, c, d, optimize=["einsum_path", (0, 1), (0, 1), (0, 1)])
    for task, equation in EQUATIONS.items():
        tasks[task] = pairwise(equation)
    return np.__version__, tasks, lambda values, dtype: values.astype(dtype), lambda result: None


def pairwise(equation):
    path = None

    def run(*args):
        nonlocal path
        if path is None:
            path = np.einsum_path(equation, *args, optimize="optimal" if len(args) < 8 else "greedy")[0]
        return np.einsum(equation, *args, optimize=path)

    return run


def jax_tasks():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")

    def loss(x, c):
        h = x * c
        return (h * h).sum()

    def network(parameters, x, labels):
        w1, b1, w2, b2, w3, b3 = parameters
        scores = jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3
        return (jax.nn.logsumexp(scores, axis=-1) - (labels * scores).sum(-1)).mean()

    def step(*args):
        parameters, x, labels = list(args[:6]), args[6], args[7]
        gradients = jax.grad(network)(parameters, x, labels)
        return [p - RATE * g for p, g in zip(parameters, gradients)]

    plain = reductions(jnp, lambda x: jax.nn.softmax(x, axis=1), jnp.sqrt)
    plain["gelu chain"] = lambda x, y, z: jax.nn.gelu(x, approximate=False) * jax.nn.sigmoid(y) + z
    plain["step compiled"] = jax.value_and_grad(loss)
    plain["mlp step"] = step
    plain.update(decompositions(jnp.linalg))
    plain.update({name: jax.value_and_grad(f) for name, f in losses(jnp, jnp.linalg).items()})
    along = lambda f: lambda a, t, *others: list(jax.jvp(lambda x: f(x, *others), (a,), (t,)))
    plain.update({name.replace("gradient", "tangent"): along(f) for name, f in losses(jnp, jnp.linalg).items()})
    tasks = {name: jax.jit(f) for name, f in plain.items()}
    tasks["operations"] = operations
    tasks["step forward"] = loss
    tasks["step forward and backward"] = jax.value_and_grad(loss)
    return jax.__version__, tasks, lambda values, dtype: jnp.asarray(values.astype(dtype)), jax.block_until_ready


def torch_tasks():
    import torch

    torch.set_num_threads(1)

    def loss(x, c):
        h = x * c
        return (h * h).sum()

    def both(x, c):
        leaf = x.detach().requires_grad_()
        value = loss(leaf, c)
        value.backward()
        return [value.detach(), leaf.grad]

    def step(*args):
        w1, b1, w2, b2, w3, b3 = leaves = [p.detach().requires_grad_() for p in args[:6]]
        x, labels = args[6], args[7]
        scores = torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3
        (torch.logsumexp(scores, -1) - (labels * scores).sum(-1)).mean().backward()
        return [p.detach() - RATE * p.grad for p in leaves]

    def valued(loss):
        def run(a, *others):
            leaf = a.detach().requires_grad_()
            value = loss(leaf, *others)
            value.backward()
            return [value.detach(), leaf.grad]

        return run

    tasks = reductions(torch, lambda x: torch.softmax(x, 1), torch.sqrt)
    tasks.update(decompositions(torch.linalg))
    tasks.update({name: valued(loss) for name, loss in losses(torch, torch.linalg).items()})
    along = lambda f: lambda a, t, *others: list(torch.func.jvp(lambda x: f(x, *others), (a,), (t,)))
    tasks.update({name.replace("gradient", "tangent"): along(f) for name, f in losses(torch, torch.linalg).items()})
    tasks["gelu chain"] = lambda x, y, z: torch.nn.functional.gelu(x) * torch.sigmoid(y) + z
    tasks.update({"operations": operations, "step forward": loss, "step forward and backward": both, "mlp step": step})
    return torch.__version__, tasks, lambda values, dtype: torch.from_numpy(values.astype(dtype)), lambda result: None


LINALG = ["svd", "eigh", "qr", "eig", "cholesky", "solve", "inv", "slogdet"]


def decompositions(linalg):
    return {
        "svd": lambda a: linalg.svd(a, full_matrices=False),
        "eigh": lambda a: linalg.eigh(a),
        "qr": lambda a: linalg.qr(a),
        "eig": lambda a: linalg.eig(a),
        "cholesky": lambda a: linalg.cholesky(a),
        "solve": lambda a, b: linalg.solve(a, b),
        "inv": lambda a: linalg.inv(a),
        "slogdet": lambda a: linalg.slogdet(a),
    }


def losses(lib, linalg):
    """Losses of known gradients, as bench/src/matrices.ts has them."""

    def svd(a, c):
        u, s, vh = linalg.svd(a, full_matrices=False)
        return (c * ((u * s**3) @ vh)).sum()

    def eigh(a, c):
        w, v = linalg.eigh((a + a.T) / 2)
        return (c * ((v * w**2) @ v.T)).sum()

    def qr(a, c, e):
        q, r = linalg.qr(a)
        return (c * q).sum() + (e * r).sum()

    return {
        "svd gradient": svd,
        "eigh gradient": eigh,
        "qr gradient": qr,
        "cholesky gradient": lambda a, c: (c * linalg.cholesky((a + a.T) / 2)).sum(),
        "solve gradient": lambda a, b, c: (c * linalg.solve(a, b)).sum(),
        "inv gradient": lambda a, c: (c * linalg.inv(a)).sum(),
        "slogdet gradient": lambda a: linalg.slogdet(a)[1],
    }


def digest(task, result, a):
    """What is compared, as in bench/src/matrices.ts."""
    if task not in LINALG:
        return result
    parts = [np.asarray(part) for part in (result if isinstance(result, (list, tuple)) else [result])]
    if task == "svd":
        return (parts[0] * parts[1]) @ parts[2]
    if task == "eigh":
        return (parts[1] * parts[0]) @ parts[1].T
    if task == "qr":
        return parts[0] @ parts[1]
    if task == "eig":
        return [parts[0].sum().real, (parts[0] ** 2).sum().real]
    if task == "cholesky":
        return parts[0] @ parts[0].T
    return {"solve": lambda: a @ parts[0], "inv": lambda: a @ parts[0], "slogdet": lambda: parts[1]}[task]()


UNLABELLED = "its einsum has 52 labels at most"
MISSING = {"ring": UNLABELLED, "state": UNLABELLED, "gelu chain": "has no erf, so no exact gelu"}
EINSUMS = {**{task: [chr(ord("a") + at) for at in range(equation.count(",") + 1)] for task, equation in EQUATIONS.items()}, "einsum batched": ["a", "b"], "einsum chain": ["a", "b", "c"], "einsum network": ["a", "b", "c", "d"]}
NAMES = {**EINSUMS, "operations": ["x"], "matmul": ["a", "b"], "gelu chain": ["x", "y", "z"], "mlp step": [*PARAMETERS, "x", "labels"]}


def names_of(task):
    if task.split(" ")[0] in LINALG:
        of = task.split(" ")[0]
        differentiates = task != of
        return ["a", *(["t"] if task.endswith("tangent") else []), *(["b"] if of == "solve" else []), *(["c"] if differentiates and of != "slogdet" else []), *(["e"] if differentiates and of == "qr" else [])]
    return NAMES.get(task, ["x", "c"] if task.startswith("step") else ["x"])


def numbers(part):
    array = np.asarray(part)
    pairs = np.ascontiguousarray(array, dtype=np.complex128).view(np.float64) if np.iscomplexobj(array) else array.astype(np.float64)
    return pairs.reshape(-1)


def flat(result):
    parts = result if isinstance(result, (list, tuple)) else [result]
    return np.concatenate([numbers(part) for part in parts])


class Session:
    def __init__(self, library):
        self.library = library
        self.version, self.tasks, self.make, self.wait = {"numpy": numpy_tasks, "jax": jax_tasks, "torch": torch_tasks}[library]()
        self.call = None
        self.task = None
        self.matrix = None

    def prepare(self, task, dtype, folder, shapes, complex, workload=None):
        if task not in self.tasks:
            raise Missing(MISSING.get(task, "has no derivatives") if self.library == "numpy" else f"has no {task}")
        def read(name):
            values = np.fromfile(os.path.join(folder, name))
            if name not in complex:
                return self.make(values.reshape(shapes[name]), dtype)
            return self.make(values.view(np.complex128).reshape(shapes[name]), "complex64" if dtype == "float32" else "complex128")

        f, args = self.tasks[task], [read(name) for name in names_of(task)]
        self.task, self.matrix = task, np.asarray(args[0])
        # Eager results of a few numbers are read, as they are in JavaScript.
        self.call = (lambda: np.asarray(f(*args))) if task in EAGER else (lambda: f(*args))
        return {}

    def result(self, path):
        flat(digest(self.task, self.call(), self.matrix)).tofile(path)
        return {}

    def time(self, repetitions):
        call, wait = self.call, self.wait
        start = time.perf_counter()
        for _ in range(repetitions):
            wait(call())
        return {"milliseconds": 1000 * (time.perf_counter() - start)}


def main():
    try:
        session = Session(sys.argv[1])
    except ImportError as error:
        print(json.dumps({"absent": str(error)}), flush=True)
        return
    print(json.dumps({"version": session.version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(session, request.pop("call"))(**request)
        except Missing as error:
            answer = {"unsupported": str(error)}
        except Exception as error:  # told to the other side, which has no other way to see it
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
