"""Cases in the format of ../README.md, with answers from PyTorch in double precision (values, VJP, JVP, HVP)."""
import json
import math
import random
from pathlib import Path

import numpy as np
import torch

NUMPY_TYPES = {'f32': np.float32, 'f64': np.float64, 'c64': np.complex64, 'c128': np.complex128}
LOW = ('f32', 'c64')


class Random:
    """Numbers of one seed."""

    def __init__(self, seed):
        self.seed = seed
        self.choices = random.Random(seed)
        self.numbers = np.random.default_rng(seed)

    def draw(self, shape, dtype, low=None, high=None):
        """Numbers that the dtype holds exactly, in double precision: normal, or uniform between two bounds."""
        if dtype == 'bool':
            return self.numbers.random(shape) < 0.5
        if dtype[0] == 'i':
            return self.numbers.integers(-5 if low is None else low, 6 if high is None else high, shape)
        part = lambda: self.numbers.normal(size=shape) if low is None else self.numbers.uniform(low, high, shape)
        values = np.asarray(part() + 1j * part() if dtype[0] == 'c' else part())
        return values.astype(NUMPY_TYPES[dtype]).astype(np.complex128 if dtype[0] == 'c' else np.float64)


def number(value, is_low):
    value = float(value)
    if math.isnan(value):
        return 'NaN'
    if math.isinf(value):
        return 'Inf' if value > 0 else '-Inf'
    return float(np.float32(value)) if is_low else value


def tensor(values, dtype, name=None):
    values = np.asarray(values)
    if dtype == 'bool':
        data = [bool(value) for value in values.ravel()]
    elif dtype[0] == 'i':
        data = [int(value) for value in values.ravel()]
    else:
        parts = (part for value in values.ravel() for part in ((value.real, value.imag) if dtype[0] == 'c' else (value,)))
        data = [number(part, dtype in LOW) for part in parts]
    return {'dtype': dtype, 'shape': list(values.shape), 'data': data, **({} if name is None else {'name': name})}


def of(values):
    """A tensor of torch as an array, whatever it is a view of."""
    return values.detach().resolve_conj().resolve_neg().numpy(force=True)


class Steps:
    """A program while torch computes it: values are pairs of a name and a tensor."""

    def __init__(self):
        self.steps = []
        self.count = 0

    def do(self, op, compute, *inputs, args=None, outputs=1):
        names = [f'v{self.count + at}' for at in range(outputs)]
        self.count += outputs
        self.steps.append({'out': names, 'op': op, 'in': [name for name, _ in inputs], **({} if args is None else {'args': args})})
        results = compute(*(value for _, value in inputs))
        pairs = list(zip(names, results if isinstance(results, tuple) else (results,)))
        return pairs if outputs > 1 else pairs[0]


class Cases:
    """Cases of one seed, by area; with what torch could not compute."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.cases = []
        self.left_out = []

    def add(self, op, compute, inputs, args=None, area='ops', derivatives=2, rtol=None):
        """One operation on `inputs`, pairs of values and dtype; with derivatives up to an order."""
        try:
            self.cases.append(self._case(op, compute, inputs, args or {}, area, derivatives, rtol))
        except (RuntimeError, IndexError, torch.linalg.LinAlgError) as error:
            self.left_out.append((op, str(error).split('\n')[0]))

    def program(self, label, build, inputs, area='linalg', derivatives=2, rtol=None):
        """Several operations: `build(steps, *values)` gives one value or a list."""
        made = {}

        def compute(*values):
            steps = Steps()
            results = build(steps, *((f'x{at}', value) for at, value in enumerate(values)))
            results = results if isinstance(results, list) else [results]
            made.update(program=steps.steps, result=[name for name, _ in results])
            return tuple(value for _, value in results)

        before = len(self.cases)
        self.add(label, compute, inputs, area=area, derivatives=derivatives, rtol=rtol)
        if len(self.cases) > before:
            self.cases[-1].update(made)

    def values(self, op, inputs, expected, signed_zero=True):
        """Values only, of special numbers, element by element."""
        self.cases.append({
            'id': f'ops/{op}/{self.random.seed}-special', 'area': 'ops', 'op': op, 'args': {},
            'inputs': [tensor(values, 'f64', f'x{at}') for at, values in enumerate(inputs)],
            'tol': {'mode': 'elem', 'rtol': 1e-14, 'atol': 0, 'drtol': 1, 'datol': 1, 'signed_zero': signed_zero},
            'expect': {'outputs': [tensor(expected, 'bool' if expected.dtype == np.bool_ else 'f64')]}, 'source': 'NumPy, SciPy',
        })

    def write(self, folder):
        """One file per area."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for area in sorted({case['area'] for case in self.cases}):
            lines = [json.dumps(case) for case in self.cases if case['area'] == area]
            (folder / f'{area}.jsonl').write_text('\n'.join(lines) + '\n')

    def _case(self, op, compute, inputs, args, area, derivatives, rtol):
        dtypes = [dtype for _, dtype in inputs]
        xs = [_operand(values, dtype) for values, dtype in inputs]
        varied = [at for at, dtype in enumerate(dtypes) if dtype[0] in 'fc' and derivatives > 0]
        for at in varied:
            xs[at].requires_grad_(True)
        ys = compute(*xs)
        ys = ys if isinstance(ys, (tuple, list)) else (ys,)
        is_low = any(dtype in LOW for dtype in dtypes) and not any(dtype in ('f64', 'c128') for dtype in dtypes)
        results = [_dtype_of(y, is_low) for y in ys]
        case = {
            'id': f'{area}/{op}/{self.random.seed}-{len(self.cases)}', 'area': area, 'op': op, 'args': args,
            'inputs': [tensor(values, dtype, f'x{at}') for at, (values, dtype) in enumerate(inputs)],
            'tol': _tolerance(any(dtype in LOW for dtype in dtypes + results), rtol),
            'expect': {'outputs': [tensor(of(y), dtype) for y, dtype in zip(ys, results)]}, 'source': f'PyTorch {torch.__version__}',
        }
        smooth = [at for at, y in enumerate(ys) if y.requires_grad]
        if varied and smooth:
            self._differentiate(case, xs, ys, dtypes, results, varied, smooth, derivatives)
        return case

    def _differentiate(self, case, xs, ys, dtypes, results, varied, smooth, derivatives):
        draw = self.random.draw
        cotangents = [draw(list(y.shape), results[at]) if at in smooth else None for at, y in enumerate(ys)]
        tangents = [draw(list(x.shape), dtypes[at]) if at in varied else None for at, x in enumerate(xs)]
        operands = [xs[at] for at in varied]
        loss = sum((torch.conj(torch.tensor(cotangents[at])) * ys[at]).sum().real for at in smooth)
        if not loss.requires_grad:
            return
        gradients = torch.autograd.grad(loss, operands, create_graph=derivatives > 1, allow_unused=True)
        listed = lambda found: [tensor(of(found[varied.index(at)] if found[varied.index(at)] is not None else torch.zeros_like(xs[at])), dtypes[at]) if at in varied else None for at in range(len(xs))]
        along = lambda found: [(torch.conj(torch.tensor(tangents[at])) * part).sum().real for at, part in zip(varied, found) if part is not None and part.requires_grad]
        case['expect']['grads'] = listed(gradients)
        case['cotangents'] = [None if values is None else tensor(values, results[at]) for at, values in enumerate(cotangents)]
        case['tangents'] = [None if values is None else tensor(values, dtypes[at]) for at, values in enumerate(tangents)]
        if derivatives < 2:
            return
        # J·v as the derivative of u ↦ ⟨Jᵀu, v⟩.
        duals = [torch.zeros_like(ys[at]).requires_grad_(True) for at in smooth]
        pulled = torch.autograd.grad(sum((torch.conj(u) * ys[at]).sum().real for u, at in zip(duals, smooth)), operands, create_graph=True, allow_unused=True)
        if along(pulled):
            pushed = torch.autograd.grad(sum(along(pulled)), duals, allow_unused=True)
            zeros = {at: torch.zeros_like(ys[at]) for at in smooth}
            case['expect']['jvp'] = [tensor(of(pushed[smooth.index(at)] if pushed[smooth.index(at)] is not None else zeros[at]), results[at]) if at in smooth else None for at in range(len(ys))]
        if along(gradients):
            case['expect']['hvp'] = listed(torch.autograd.grad(sum(along(gradients)), operands, allow_unused=True))


def _operand(values, dtype):
    types = {'i32': torch.int32, 'i64': torch.int64, 'bool': torch.bool}
    return torch.tensor(np.asarray(values), dtype=types.get(dtype, torch.complex128 if dtype[0] == 'c' else torch.float64))


def _dtype_of(y, is_low):
    if y.dtype == torch.bool:
        return 'bool'
    if not (y.is_floating_point() or y.is_complex()):
        return 'i64' if y.dtype == torch.int64 else 'i32'
    return ('c64' if is_low else 'c128') if y.is_complex() else ('f32' if is_low else 'f64')


def _tolerance(is_low, rtol):
    if is_low:
        return {'mode': 'norm', 'rtol': rtol or 2e-6, 'atol': 1e-6, 'drtol': 2e-5, 'datol': 1e-5, 'hrtol': 1e-4}
    return {'mode': 'norm', 'rtol': rtol or 1e-12, 'atol': 1e-13, 'drtol': 1e-10, 'datol': 1e-11, 'hrtol': 1e-8}
