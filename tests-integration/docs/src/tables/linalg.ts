/** Uses of linear algebra. */
import { AdContext, applyOperation, createCatalog, type Operand, type Operation, type Params, type Program, type TensorType, tensorType, type Var } from '@tf/core';
import { cholesky, choleskySolve, det, eig, eigh, eigvals, eigvalsh, fullPivLu, fullPivLuSolve, householderQr, linalgExtension, lu, matrixExp, matrixLog, matrixSqrt, pinv, qr, rankRevealingQr, schur, slogdet, solve, svd, svdFull, svdvals, sylvester, triangularSolve } from '@tf/linalg';
import { jvpProgram, programOf, vjpProgram } from '@tf/testkit';

type Use = (x: Operand) => Operand | readonly Operand[];

const square: TensorType = tensorType('float64', [3, 3]);
const complexSquare: TensorType = tensorType('complex128', [3, 3]);
const tall: TensorType = tensorType('float64', [3, 2]);

const ofSquares: readonly Use[] = [
  (x) => Object.values(eigh(x)) as readonly Operand[],
  (x) => Object.values(eigh(x, { onDegenerate: 'throw' })) as readonly Operand[],
  (x) => Object.values(eig(x)) as readonly Operand[],
  (x) => eigvals(x) as Operand,
  (x) => eigvalsh(x) as Operand,
  (x) => sylvester(x, x, x) as Operand,
  (x) => solve(x, x) as Operand,
  (x) => fullPivLuSolve(x, x) as Operand,
  (x) => triangularSolve(x, x) as Operand,
  (x) => choleskySolve(cholesky(x) as Operand, x) as Operand,
  (x) => det(x) as Operand,
  (x) => Object.values(slogdet(x)) as readonly Operand[],
  (x) => matrixExp(x) as Operand,
];

const ofRectangles: readonly Use[] = [
  (x) => Object.values(svd(x)) as readonly Operand[],
  (x) => svd(x, { vectors: 'left' }).u as Operand,
  (x) => svd(x, { vectors: 'right' }).vh as Operand,
  (x) => Object.values(svdFull(x)) as readonly Operand[],
  (x) => svdvals(x) as Operand,
  (x) => pinv(x) as Operand,
  (x) => Object.values(qr(x)) as readonly Operand[],
  (x) => qr(x, { mode: 'complete' }).q as Operand,
  (x) => householder(x),
  (x) => Object.values(lu(x)).slice(1, 3) as readonly Operand[],
  (x) => [fullPivLu(x).l as Operand, fullPivLu(x).u as Operand],
];

function householder(x: Operand): readonly Operand[] {
  const factored = householderQr(x);
  return [factored.r() as Operand, factored.qColumns() as Operand];
}

function programs(use: Use, type: TensorType): readonly Program[] {
  const program = programOf((x) => use(x as Operand) as Var | readonly Var[], [type]);
  const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
  return [program, vjpProgram(context, program, [0]), jvpProgram(context, program, [0])];
}

/** Without derivatives. */
const undifferentiated: readonly (readonly [Use, TensorType])[] = [
  [(x) => Object.values(schur(x)) as readonly Operand[], square],
  [(x) => Object.values(rankRevealingQr(x)) as readonly Operand[], tall],
];

/** An operation that others are lowered or pruned to. */
function applied(name: string, types: readonly TensorType[], params: Params): Program {
  const operation = linalgExtension.operations.find((own) => own.name === name) as Operation;
  return programOf((...inputs) => applyOperation(operation, inputs as readonly Operand[], params) as readonly Var[], types);
}

/** Programs, with their derivatives, in which every operation of the family occurs. */
export function linalgUses(): readonly Program[] {
  return [
    ...ofSquares.flatMap((use) => programs(use, square)),
    ...ofRectangles.flatMap((use) => programs(use, tall)),
    ...programs((x) => matrixSqrt(x) as Operand, complexSquare),
    ...programs((x) => matrixLog(x) as Operand, complexSquare),
    ...(['complex64', 'complex128'] as const).flatMap((dtype) => programs((x) => pinv(x) as Operand, tensorType(dtype, [3, 3]))),
    applied('qrUpper', [tall], {}),
    applied('householderApply', [tall, tensorType('float64', [2]), tall], { adjoint: false }),
    applied('triangularSylvester', [square, square, square], { adjoint: false }),
    ...undifferentiated.map(([use, type]) => programOf((x) => use(x as Operand) as readonly Var[], [type])),
  ];
}
