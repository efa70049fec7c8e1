/** Lists all operations in the order of the reference: by document, then as registered. */
import type { Operation } from '../api/operation.ts';
import { operations } from '../api/operations.ts';

const all = Object.values<Operation>(operations);

export const declaredOperations: readonly Operation[] = [
  ...all.filter((operation) => operation.document === 'exchange'),
  ...all.filter((operation) => operation.document === 'wallet'),
];
