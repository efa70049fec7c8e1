/** Finds the operation for a method and a path. */
import type { Operation } from '../../api/operation.ts';
import { type OperationName, operations } from '../../api/operations.ts';

export type Route = {
  readonly name: OperationName;
  readonly pathValues: Readonly<Record<string, string>>;
  /** The earlier path of the operation that the request used, as declared. */
  readonly earlierPath?: string;
};

type Pattern = {
  readonly name: OperationName;
  readonly method: string;
  readonly parts: readonly string[];
  readonly earlierPath?: string;
};

const declared = Object.values<Operation>(operations);
// The earlier paths come last, because a present path may also fit the pattern of an earlier one.
const endpoints = [
  ...declared.flatMap(({ name, method, path, aliases }) =>
    [path, ...aliases].map((each) => ({ name: name as OperationName, method, path: each })),
  ),
  ...declared.flatMap(({ name, method, earlierPaths }) =>
    earlierPaths.map((path) => ({ name: name as OperationName, method, path, earlierPath: path })),
  ),
];

/** Operations whose path has no parameters, as most have, are found with one lookup. */
const plain: ReadonlyMap<string, Route> = new Map(
  endpoints
    .filter(({ path }) => !path.includes(':'))
    .map(({ method, path, name, ...rest }) => [
      `${method} ${path}`,
      { name, pathValues: {}, ...rest },
    ]),
);

const patterns: readonly Pattern[] = endpoints
  .filter(({ path }) => path.includes(':'))
  .map(({ path, ...rest }) => ({ ...rest, parts: path.split('/') }));

/** Returns the route of a request, or undefined if no operation has this method and path. */
export function routeOf(method: string, path: string): Route | undefined {
  const found = plain.get(`${method} ${path}`);
  if (found !== undefined) return found;
  const parts = path.split('/');
  for (const pattern of patterns) {
    if (pattern.method !== method || pattern.parts.length !== parts.length) continue;
    const pathValues = matchParts(pattern.parts, parts);
    if (pathValues === undefined) continue;
    const { name, earlierPath } = pattern;
    return { name, pathValues, ...(earlierPath === undefined ? {} : { earlierPath }) };
  }
  return undefined;
}

function matchParts(
  pattern: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] as string;
    if (wanted.startsWith(':')) {
      const value = decodePart(part);
      if (value === undefined || value === '') return undefined;
      values[wanted.slice(1)] = value;
    } else if (wanted !== part) {
      return undefined;
    }
  }
  return values;
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
