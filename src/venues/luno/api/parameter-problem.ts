/**
 * Error messages for the parameters of a call: operation, parameter, value, what is allowed and the
 * likely fix. They are for programmers; the request is not sent.
 */
import type { AnyParameter, Operation } from './operation.ts';

const shownLengthMax = 100;

/** Returns what is wrong with the type or the names of the parameters, or undefined. */
export function tableProblem({ name, parameters }: Operation, given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `${name} takes one object of parameters, was ${shown(given)}; ${all(parameters)}`;
  for (const key of Object.keys(given))
    if (!Object.hasOwn(parameters, key))
      return `${name} has no parameter ${key}; ${all(parameters)}`;
  return undefined;
}

function all(parameters: Operation['parameters']): string {
  const names = Object.keys(parameters).join(', ');
  return names === '' ? 'it has none' : `it has ${names}`;
}

/** Returns the message for a missing required parameter. */
export function missingProblem({ name }: Operation, parameter: string, declared: AnyParameter) {
  return `${name} needs ${parameter} (${declared.description}): ${allowedBy(declared)}`;
}

/** Returns the message for an invalid value of a parameter. */
export function valueProblem(
  { name }: Operation,
  parameter: string,
  declared: AnyParameter,
  value: unknown,
): string {
  const allowed = `${declared.repeated ? 'a list of values, each ' : ''}${allowedBy(declared)}`;
  return `${name}: ${parameter} cannot be ${shown(value)}; it must be ${allowed}${fixOf(declared, value)}`;
}

/** Returns `value` as source text, shortened to one line. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return `${value}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return value instanceof Date ? 'a Date' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const isLong = text.length > shownLengthMax;
  const cut = isLong ? `${text.slice(0, shownLengthMax)}… (${text.length} characters)` : text;
  return typeof value === 'string' ? cut : `${cut} (${typeof value})`;
}

function allowedBy({ schema }: AnyParameter): string {
  const { type, format, pattern, minimum, maximum, maxLength } = schema;
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) return values.length === 1 ? `${values[0]}` : oneOf(values);
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (format === 'amount')
    return 'decimal text such as "0.25": up to 12 digits, up to 18 decimals, no sign, no exponent';
  if (format === 'int64') return 'text of digits such as "42", a 64-bit integer';
  const length = maxLength === undefined ? '' : ` of 1 to ${maxLength} characters`;
  return pattern === undefined ? `text${length}` : `text${length} that matches ${pattern}`;
}

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.join(', ')}`;
}

/** Returns the likely fix as the end of the sentence; empty if there is none. */
function fixOf({ schema, repeated }: AnyParameter, value: unknown): string {
  if (repeated && typeof value === 'string') return `: write ${JSON.stringify([value])}`;
  if (repeated && Array.isArray(value)) return '; leave it out for all values';
  if (value instanceof Date && schema['type'] === 'integer') return ': write its getTime()';
  const isText = schema['type'] === 'string';
  if (isText && (typeof value === 'number' || typeof value === 'bigint'))
    return `: write it as text, ${JSON.stringify(String(value))}, because a number can lose digits`;
  return !isText && typeof value === 'string' ? ': write it without quotes' : '';
}
