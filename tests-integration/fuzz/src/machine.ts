import { compileProgram, type DeviceBuffer, type Engine, type Executable, type Instruction, isLiteral, literalText, paramsKey, type Pass, type Program, tensorType, type Var } from '@tf/core';
import { extentsOf, type HostValue } from '@tf/testkit';
import { single, type Sizes, symbolOf, variablesOf } from './reference.ts';

/** Compiled single instructions that are kept. */
const maximumSingles = 4096;

/** Runs programs on an engine, whole or one instruction at a time, and gives every buffer back. */
export class Machine {
  readonly engine: Engine;
  readonly #singles = new Map<string, Executable>();
  #runs = 0;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** How many plans have been run. */
  get runs(): number {
    return this.#runs;
  }

  /** A program as a function of data; core's passes unless others are given. */
  load(program: Program, passes?: readonly Pass[]): (inputs: readonly HostValue[]) => readonly HostValue[] {
    const executable = this.engine.compile(compileProgram(program, passes === undefined ? {} : { passes }));
    return (inputs) => {
      this.#runs++;
      const buffers = executable.run(inputs.map((input) => ({ data: input.data, shape: extentsOf(input) })));
      return buffers.map((buffer) => this.#take(buffer));
    };
  }

  run(program: Program, inputs: readonly HostValue[]): readonly HostValue[] {
    return this.load(program)(inputs);
  }

  /** All values of a program, every instruction compiled by itself: no pass, no fusion and no arena can play a part. */
  runSingly(program: Program, inputs: readonly HostValue[]): ReadonlyMap<Var, HostValue> {
    const values = new Map<Var, HostValue>();
    const buffers = new Map<Var, DeviceBuffer>();
    try {
      program.inputs.forEach((input, at) => {
        const value = inputs[at] as HostValue;
        values.set(input, value);
        buffers.set(input, this.engine.upload(value.type.dtype, extentsOf(value), value.data));
      });
      const sizes = new Map<string, number>();
      for (const instruction of program.instructions) {
        const executable = this.#single(instruction, sizes);
        this.#runs++;
        executable.run(variablesOf(instruction).map((input) => buffers.get(input) as DeviceBuffer)).forEach((buffer, at) => {
          const output = instruction.outputs[at] as Var;
          buffers.set(output, buffer);
          values.set(output, { type: tensorType(buffer.dtype, buffer.shape), data: this.engine.read(buffer) });
        });
        const symbol = symbolOf(instruction);
        if (symbol !== undefined) sizes.set(symbol, Number((values.get(instruction.outputs[0] as Var) as HostValue).data[0]));
      }
      return values;
    } finally {
      for (const buffer of buffers.values()) buffer.dispose();
    }
  }

  #single(instruction: Instruction, sizes: Sizes): Executable {
    const own = single(instruction, sizes);
    const [{ inputs, params, operation }] = own.instructions as readonly [Instruction];
    const operands = inputs.map((input) => (isLiteral(input) ? literalText(input) : `%${own.inputs.indexOf(input)}:${input.type.key}`));
    const key = `${operation.id}{${paramsKey(params)}}(${operands.join()})`;
    let executable = this.#singles.get(key);
    if (executable === undefined) {
      if (this.#singles.size >= maximumSingles) this.#singles.clear();
      this.#singles.set(key, (executable = this.engine.compile(compileProgram(own))));
    }
    return executable;
  }

  #take(buffer: DeviceBuffer): HostValue {
    try {
      return { type: tensorType(buffer.dtype, buffer.shape), data: this.engine.read(buffer) };
    } finally {
      buffer.dispose();
    }
  }
}
