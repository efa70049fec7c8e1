/**
 * Converts parameters to wire text and back, as the operation declares them.
 *
 * Decoding accepts what real clients send: parameters in the query or the form, empty text or zero
 * for a missing optional parameter, `name[0]=` for lists, `True` for true. Strict decoding accepts
 * only what the documents describe. Undeclared names are ignored, as by the exchange.
 */
import type { ErrorCode } from './error-codes.ts';
import type { AnyParameter, Operation, ParametersOf, ParameterTable } from './operation.ts';
import { missingProblem, tableProblem, valueProblem } from './parameter-problem.ts';

export type Pairs = readonly (readonly [name: string, text: string])[];

/**
 * Returns the path with its parameters filled in, and the other parameters as names and texts.
 * Throws TypeError for a missing or unknown parameter, and RangeError for an invalid value.
 */
export function encodeParameters<O extends Operation>(
  operation: O,
  parameters: ParametersOf<O>,
): { readonly path: string; readonly pairs: Pairs } {
  const problem = tableProblem(operation, parameters);
  if (problem !== undefined) throw new TypeError(problem);
  const values = parameters as Readonly<Record<string, unknown>>;
  let path = operation.path;
  const pairs: [string, string][] = [];
  for (const [name, parameter] of entriesOf(operation.parameters)) {
    const value = values[name];
    if (value === undefined) {
      if (parameter.required) throw new TypeError(missingProblem(operation, name, parameter));
    } else if (parameter.repeated) {
      // A string would be iterated letter by letter; an empty list would mean no filter.
      if (!Array.isArray(value) || value.length === 0)
        throw new TypeError(valueProblem(operation, name, parameter, value));
      for (const one of value) pairs.push([name, checkedText(operation, name, parameter, one)]);
    } else {
      const text = checkedText(operation, name, parameter, value);
      if (parameter.in === 'path') path = path.replace(`:${name}`, encodeURIComponent(text));
      else pairs.push([name, text]);
    }
  }
  return { path, pairs };
}

type Entries = readonly (readonly [name: string, parameter: AnyParameter])[];

/** The parameters of each declaration as a list, made at its first call. */
const entriesByTable = new WeakMap<ParameterTable, Entries>();

function entriesOf(table: ParameterTable): Entries {
  const known = entriesByTable.get(table);
  if (known !== undefined) return known;
  const entries = Object.entries(table);
  entriesByTable.set(table, entries);
  return entries;
}

/** Returns the wire text of one value. Throws RangeError if it cannot be sent. */
function checkedText(
  operation: Operation,
  name: string,
  parameter: AnyParameter,
  value: unknown,
): string {
  const text = textOf(parameter, value);
  if (text === undefined) throw new RangeError(valueProblem(operation, name, parameter, value));
  const objection = parameter.objection?.(value as never);
  if (objection !== undefined)
    throw new RangeError(`${operation.name}: ${name} cannot be "${text}": ${objection}`);
  return text;
}

/**
 * Returns the wire text of one value, or undefined if the value has the wrong type. Checks at run
 * time what the types forbid: a number for text may be money in a float, and a string or number for
 * a flag may be read as another value.
 */
function textOf({ format, parse }: AnyParameter, value: unknown): string | undefined {
  const text: unknown = format(value as never);
  if (typeof text !== 'string') return undefined;
  return typeof parse(text) === typeof value ? text : undefined;
}

export type DecodedParameters<O extends Operation> =
  | { readonly kind: 'valid'; readonly values: ParametersOf<O> }
  | {
      readonly kind: 'invalid';
      readonly errorCode: ErrorCode;
      readonly fields: readonly string[];
      readonly message: string;
    };

/** Decodes the parameters of a request; a refusal names the missing and wrong fields. */
export function decodeParameters<O extends Operation>(
  operation: O,
  pathValues: Readonly<Record<string, string>>,
  pairs: Pairs,
  isStrict = false,
): DecodedParameters<O> {
  const values: Record<string, unknown> = {};
  const textsByName = textsByNameOf(pairs, isStrict);
  const wrong: { field: string; code: ErrorCode; message: string }[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const inPath = pathValues[name];
    const given = inPath === undefined ? (textsByName.get(name) ?? []) : [inPath];
    const texts = isStrict ? given : given.filter((text) => !parameter.absent(text));
    if (texts.length === 0) {
      const code = parameter.missingErrorCode ?? 'ErrInvalidArguments';
      if (parameter.required || (isStrict && parameter.isRequiredByDocument === true))
        wrong.push({ field: name, code, message: `${name} is required` });
      continue;
    }
    const parsed = texts.map((text) => decodedText(parameter, text, isStrict));
    const bad = parsed.indexOf(undefined);
    if (bad !== -1)
      wrong.push({
        field: name,
        code: (texts[bad] === '' && parameter.missingErrorCode) || parameter.errorCode,
        message: `Invalid value provided for ${name}`,
      });
    else values[name] = parameter.repeated ? parsed : parsed[0];
  }
  const first = wrong.find((one) => one.code !== 'ErrInvalidArguments') ?? wrong[0];
  if (first === undefined) return { kind: 'valid', values: values as ParametersOf<O> };
  return {
    kind: 'invalid',
    errorCode: first.code,
    fields: wrong.map((one) => one.field),
    message:
      first.code === 'ErrInvalidArguments'
        ? `One or more arguments are invalid: ${wrong.map((one) => one.message).join(', ')}`
        : first.message,
  };
}

/** Returns the value of a text, or undefined. Strictly, only the form that we write counts. */
function decodedText(parameter: AnyParameter, text: string, isStrict: boolean): unknown {
  const value = parameter.parse(text);
  const isOther = isStrict && value !== undefined && parameter.format(value as never) !== text;
  return isOther ? undefined : value;
}

/** Groups the texts by name; `name[0]` and `name[]` belong to `name`, but not strictly. */
function textsByNameOf(pairs: Pairs, isStrict: boolean): ReadonlyMap<string, string[]> {
  const textsByName = new Map<string, string[]>();
  for (const [key, text] of pairs) {
    const name = key.endsWith(']') && !isStrict ? key.replace(/\[\d*\]$/u, '') : key;
    const texts = textsByName.get(name);
    if (texts === undefined) textsByName.set(name, [text]);
    else texts.push(text);
  }
  return textsByName;
}
