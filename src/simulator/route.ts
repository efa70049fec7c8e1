/** Which operation a method and a path belong to. */
import { type OperationName, operations } from '../interface/operations.ts';

export type Route = {
  readonly name: OperationName;
  readonly pathValues: Readonly<Record<string, string>>;
};

type Pattern = {
  readonly name: OperationName;
  readonly method: string;
  readonly parts: readonly string[];
};

const patterns: readonly Pattern[] = Object.values(operations).map(({ name, method, path }) => ({
  name,
  method,
  parts: path.split('/'),
}));

/** Returns the route of a request, or undefined if no operation is there. */
export function routeOf(method: string, path: string): Route | undefined {
  const parts = path.split('/');
  for (const pattern of patterns) {
    if (pattern.method !== method || pattern.parts.length !== parts.length) continue;
    const pathValues = matchParts(pattern.parts, parts);
    if (pathValues !== undefined) return { name: pattern.name, pathValues };
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
