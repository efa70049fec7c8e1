/** Checks, copies and freezes JSON values from a strategy, so that nothing stays shared with it. */
import { Decimal } from '../domain/money.ts';

const depthMax = 32;

/** The largest state that can be remembered, in bytes of UTF-8 text. */
export const stateBytesMax = 256 * 1024;

/** Returns a frozen copy of `value`. Throws RangeError, with the path, if a part is not JSON. */
export function copyJson(value: unknown, at = 'state', depth = 0): unknown {
  if (depth > depthMax) throw new RangeError(`${at} is nested deeper than ${depthMax}`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return Object.is(value, -0) ? 0 : value;
    throw new RangeError(`${at} must be finite, was ${value}`);
  }
  if (Array.isArray(value)) {
    return Object.freeze(
      Array.from(value, (item: unknown, index) => copyJson(item, `${at}[${index}]`, depth + 1)),
    );
  }
  if (!isPlainObject(value)) throw new RangeError(`${at} must be JSON, was ${describe(value)}`);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new RangeError(`${at} has a key "__proto__"`);
    const member = value[key];
    // Undefined members are left out, as JSON.stringify does.
    if (member !== undefined) copy[key] = copyJson(member, `${at}.${key}`, depth + 1);
  }
  return Object.freeze(copy);
}

/** Returns whether `value` is a plain object, not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns a short description of `value` for a message. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (value instanceof Promise) return 'a promise';
  if (Decimal.isDecimal(value)) return `the Decimal ${value}`;
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

/** Freezes `value` deeply and returns it. Only for data: plain objects and lists. */
export function freezeDeep<T>(value: T): T {
  if (Array.isArray(value) || isPlainObject(value)) {
    for (const member of Object.values(value)) freezeDeep(member);
    Object.freeze(value);
  }
  return value;
}
