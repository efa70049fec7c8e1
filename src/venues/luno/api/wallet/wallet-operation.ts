/** The common parts of all operations of the wallet document. */
import type * as z from 'zod';
import { type Operation, operation, type ParameterTable } from '../operation.ts';
import { optional } from '../parameter.ts';
import { pageIndex, pageSize, timestamp } from './scalars.ts';

/** Every path of the wallet document begins with this. */
export const walletPathPrefix = '/api/wallet/';

type Chosen<Name extends string, P extends ParameterTable, R extends z.ZodType> = Pick<
  Operation<Name, P, R>,
  | 'name'
  | 'method'
  | 'path'
  | 'permission'
  | 'repeat'
  | 'parameters'
  | 'errors'
  | 'response'
  | 'description'
>;

/**
 * Declares an operation of the wallet document. The document gives no path, method or permission,
 * so these are our own. Bodies are JSON and requests are signed.
 */
export function walletOperation<
  const Name extends string,
  const P extends ParameterTable,
  R extends z.ZodType,
>(chosen: Chosen<Name, P, R>): Operation<Name, P, R> {
  return operation({
    document: 'wallet',
    source: 'ours',
    encoding: 'json',
    authentication: 'signed',
    ...chosen,
  });
}

/** Parameters for paging through a list, newest entries first. */
export const page = {
  pageIndex: optional(pageIndex, 'page, the first is 0; at most 100; default 0'),
  pageSize: optional(pageSize, 'entries a page, 1 to 1000; default 100'),
};

/** Parameters for a time range. */
export const range = {
  from: optional(timestamp, 'only entries at this time or later, ms'),
  to: optional(timestamp, 'only entries before this time, ms'),
};

/** Error codes for an invalid {@link range}. */
export const rangeErrors = [
  'ErrInvalidDateRange',
  'ErrLessThanMinFromBound',
  'ErrLessThanMinToBound',
] as const;
