/**
 * JSON bodies of requests, as declared: text and flags, as in the wallet document. A number instead
 * of text is refused: it may be money in a float, or an id that lost digits.
 */
import type { Operation } from '../operation.ts';
import type { Pairs } from '../request-parameters.ts';

const isFlag = (operation: Operation, name: string): boolean =>
  operation.parameters[name]?.schema['type'] === 'boolean';

/** Returns the body with `pairs`, the parameters that are not in the path. */
export function encodeJsonBody(operation: Operation, pairs: Pairs): string {
  const members = pairs.map(([name, text]) => [
    name,
    isFlag(operation, name) ? text === 'true' : text,
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

export type DecodedJsonBody =
  | { readonly kind: 'valid'; readonly pairs: Pairs }
  /** The text is not a JSON object. */
  | { readonly kind: 'malformed' }
  /** These members do not have their declared type. */
  | { readonly kind: 'invalid'; readonly fields: readonly string[] };

/** Decodes a body. Undeclared members are ignored; null means "not given". */
export function decodeJsonBody(operation: Operation, text: string): DecodedJsonBody {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { kind: 'malformed' };
  const pairs: [string, string][] = [];
  const fields: string[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    if (parameter.in === 'path' || !Object.hasOwn(body, name)) continue;
    const value = (body as Readonly<Record<string, unknown>>)[name];
    if (value === null) continue;
    if (typeof value === (isFlag(operation, name) ? 'boolean' : 'string'))
      pairs.push([name, String(value)]);
    else fields.push(name);
  }
  return fields.length === 0 ? { kind: 'valid', pairs } : { kind: 'invalid', fields };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
