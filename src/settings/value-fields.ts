/** Readers of single values without a unit: text, choices, amounts, whole numbers, instants. */
import { isMap, isScalar } from 'yaml';
import { decimalOf, isPlainDecimal } from '../domain/money.ts';
import { isQuoted, refuse, sourceOf, type ValueField, valueField } from './field.ts';
import { nearestWord } from './nearest-word.ts';

const amountPattern = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?$/u;

/** Reads text that matches `pattern`; `allowed` describes it in words. */
export function text(pattern: RegExp, allowed: string): ValueField<string> {
  const schema = { type: 'string', pattern: pattern.source };
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node) || node.value === null) return refuse(cursor, allowed);
    if (typeof node.value === 'string' && pattern.test(node.value)) return node.value;
    const source = sourceOf(node);
    // YAML reads an unquoted 12 as a number and an unquoted true as a boolean.
    if (typeof node.value !== 'string' && pattern.test(source))
      return refuse(cursor, `${allowed}, in quotes`, `"${source}"`);
    const cased = [source.toLowerCase(), source.toUpperCase()].find((near) => pattern.test(near));
    return refuse(cursor, allowed, cased === undefined ? undefined : `"${cased}"`);
  });
}

/** Reads an id in quotes, because a number cannot hold every id exactly. */
export function id(allowed: string): ValueField<string> {
  return text(/^[1-9]\d{0,18}$/u, allowed);
}

export function choice<const C extends string>(choices: readonly C[]): ValueField<C> {
  return valueField({ allowed: choices.join(', '), schema: { enum: choices } }, (cursor) => {
    const { node } = cursor;
    const found = choices.find((candidate) => isScalar(node) && node.value === candidate);
    if (found !== undefined) return found;
    const near = isScalar(node) ? nearestWord(sourceOf(node), choices) : undefined;
    return refuse(cursor, choices.join(', '), near);
  });
}

/** Reads an amount: a plain decimal in quotes, because YAML would make a float of it. */
export function amount({ zero }: { readonly zero: boolean }): ValueField<string> {
  const allowed = `a decimal in quotes, ${zero ? '0 or more' : 'above 0'}, such as "0.02"`;
  const shorter = allowed.replace(
    ', such',
    ', with at most 12 digits before the point and 18 after it, such',
  );
  const above = zero ? {} : { not: { pattern: '^[0.]*$' } };
  const schema = { type: 'string', pattern: amountPattern.source, ...above };
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const isAmount = amountPattern.test(source) && (zero || !decimalOf(source).isZero());
    if (!isQuoted(node)) return refuse(cursor, allowed, isAmount ? `"${source}"` : undefined);
    const isLong = isPlainDecimal(source) && !amountPattern.test(source) && !source.startsWith('-');
    return isAmount ? source : refuse(cursor, isLong ? shorter : allowed);
  });
}

/** Reads a whole number without quotes. */
export function wholeNumber(limits: {
  readonly min: number;
  readonly max: number;
}): ValueField<number> {
  const { min, max } = limits;
  const allowed =
    min === max ? `${min}, without quotes` : `a whole number without quotes, ${min} to ${max}`;
  const schema = { type: 'integer', minimum: min, maximum: max };
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const isWhole = /^(?:0|[1-9]\d{0,14})$/u.test(source);
    const value = isWhole ? Number.parseInt(source, 10) : undefined;
    const inRange = value !== undefined && value >= min && value <= max;
    if (!inRange) return refuse(cursor, allowed);
    return isQuoted(node) ? refuse(cursor, allowed, source) : value;
  });
}

/** Reads an instant with its zone, as milliseconds since 1970 UTC. */
export function instant(): ValueField<number> {
  const allowed = 'a date and time with its zone, such as "2023-02-07T09:30:00+08:00"';
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/u;
  const schema = { type: 'string', pattern: pattern.source };
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node) || typeof node.value !== 'string') return refuse(cursor, allowed);
    const timeMs = pattern.test(node.value) ? Date.parse(node.value) : Number.NaN;
    // Date.parse reads 30 February as 2 March.
    const [day] = node.value.split('T');
    const isDay = Number.isSafeInteger(timeMs) && dayOf(Date.parse(`${day}T00:00:00Z`)) === day;
    return isDay ? timeMs : refuse(cursor, allowed);
  });
}

function dayOf(timeMs: number): string | undefined {
  return new Date(timeMs).toISOString().split('T')[0];
}

/** Reads a map as plain values, for a plugin's schema to check. */
export function plainMap(): ValueField<Readonly<Record<string, unknown>>> {
  const allowed = 'a map of parameters, such as { size: "0.01" }';
  return valueField({ allowed, schema: { type: 'object' } }, (cursor) => {
    const { reader, node } = cursor;
    if (!isMap(node)) return refuse(cursor, allowed);
    return reader.source.plain(node) as Record<string, unknown>;
  });
}
