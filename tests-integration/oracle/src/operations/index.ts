import { elementwiseOperations } from './elementwise.ts';
import { familyOperations } from './families.ts';
import { type OperationTable } from './operation.ts';
import { reductionOperations } from './reductions.ts';
import { structureOperations } from './structure.ts';

/** Every operation of the oracle that tf has, by its name there. What is missing here is reported as unsupported. */
export const operations: OperationTable = new Map([...elementwiseOperations, ...reductionOperations, ...structureOperations, ...familyOperations]);
