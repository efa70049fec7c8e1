/** Finds the operation of a request by its method and path. */

import { apiRoot } from '../api/api-operation.ts';
import { apiOperations, type OperationName } from '../api/api-operations.ts';

export type Route = {
  readonly name: OperationName;
  /** The values of the parameters in the path. */
  readonly parameters: Readonly<Record<string, string>>;
};

type Pattern = { readonly name: OperationName; readonly method: string; readonly path: RegExp };

const patterns: readonly Pattern[] = Object.entries(apiOperations).map(([name, operation]) => {
  const path = operation.path.replaceAll('.', String.raw`\.`);
  const named = path.replaceAll(/\{(\w+)\}/gu, '(?<$1>[\\w.-]{1,200})');
  return {
    name: name as OperationName,
    method: operation.method,
    path: new RegExp(`^${apiRoot}${named}$`, 'u'),
  };
});

/** Returns the route; `other` if the path exists with another method; undefined if it does not. */
export function routeOf(method: string, path: string): Route | 'other' | undefined {
  const found = patterns.flatMap((pattern) => {
    const match = pattern.path.exec(path);
    return match === null ? [] : [{ pattern, parameters: { ...match.groups } }];
  });
  const right = found.find(({ pattern }) => pattern.method === method);
  if (right === undefined) return found.length === 0 ? undefined : 'other';
  return { name: right.pattern.name, parameters: right.parameters };
}
