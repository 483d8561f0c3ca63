"""Runs exported StableHLO modules through XLA by JAX: the only requirement is `pip install jax`.

    python run_stablehlo.py REQUEST.json
    python run_stablehlo.py -

REQUEST.json: {"device": "cpu", "modules": [{"module": "m.mlir", "inputs": [{"file", "dtype", "shape"}], "outputs": "prefix"}]}; file names
are relative to it. With `-`, one module is read from each line of the standard input, until it ends; file names are then absolute.
Result i of a module is written to `prefix` + i + ".bin" as little-endian bytes in row-major order. One line of JSON is printed per
module: {"outputs": [{"file", "dtype", "shape"}]} or {"error": "..."}.
"""

import json
import os
import sys

import jax
import numpy as np

DTYPES = {
    "float32": np.float32,
    "float64": np.float64,
    "complex64": np.complex64,
    "complex128": np.complex128,
    "int32": np.int32,
    "int64": np.int64,
    "bool": np.bool_,
}


def read_value(folder, spec):
    """The array that a file holds."""
    data = np.fromfile(os.path.join(folder, spec["file"]), dtype=DTYPES[spec["dtype"]])
    return data.reshape(spec["shape"])


def load_lapack():
    """JAX finds LAPACK's functions when it first lowers a call of one."""
    jax.jit(jax.lax.linalg.lu).lower(np.eye(2, dtype=np.float32))


def compile_module(text, device):
    """An executable for one device."""
    if "@lapack_" in text:
        load_lapack()
    return device.client.compile_and_load(text, [device])


def run_module(folder, spec, device):
    """Compiles and runs one module; gives what its outputs are and where they lie."""
    with open(os.path.join(folder, spec["module"]), encoding="utf-8") as file:
        text = file.read()
    executable = compile_module(text, device)
    inputs = [jax.device_put(read_value(folder, each), device) for each in spec["inputs"]]
    results = executable.execute_sharded(inputs).disassemble_into_single_device_arrays()
    written = []
    for at, (result,) in enumerate(results):
        array = np.ascontiguousarray(result)
        file = f"{spec['outputs']}{at}.bin"
        array.tofile(os.path.join(folder, file))
        written.append({"file": file, "dtype": array.dtype.name, "shape": list(np.shape(result))})
    return {"outputs": written}


def requests(path):
    """The folder of each module, and what it is."""
    if path == "-":
        for line in sys.stdin:
            yield "", json.loads(line), None
        return
    with open(path, encoding="utf-8") as file:
        request = json.load(file)
    for spec in request["modules"]:
        yield os.path.dirname(os.path.abspath(path)), spec, request.get("device")


def main(path):
    # float64 stays float64.
    jax.config.update("jax_enable_x64", True)
    for folder, spec, platform in requests(path):
        try:
            device = jax.devices(platform)[0]
            answer = run_module(folder, spec, device)
        except Exception as error:  # One module that fails leaves the others.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
