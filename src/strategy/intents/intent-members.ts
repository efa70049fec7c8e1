/** Checks of the members that intents have in common. Each throws {@link Invalid}. */
import { storedName } from '../../domain/part-name.ts';
import { pairProblem, type StrategyPairs } from '../market/strategy-pairs.ts';
import { Invalid, refuse } from './validate-terms.ts';

/** The maximum number of characters of a reason. */
export const reasonLengthMax = 1_000;

/** What keys, levels and tags are made of. */
export const keyPattern = /^[A-Za-z0-9._:-]{1,64}$/u;

/** Where an intent may come from and what it may be about. */
export type IntentScope<Parts extends OpenParts = OpenParts> = {
  readonly pairs: StrategyPairs;
  readonly parts: Parts;
};

type OpenParts = {
  /** Whether a part is open. */
  has(part: string): boolean;
};

export function pairOf(pair: unknown, { pairs }: IntentScope): string {
  if (typeof pair === 'string' && pairs.traded.has(pair)) return pair;
  throw new Invalid(pairProblem(pair, pairs));
}

/** Returns the part that asks; empty for the strategy itself. */
export function partNameOf(part: unknown, { parts }: IntentScope): string {
  if (part === undefined) return '';
  if (typeof part === 'string' && parts.has(part)) return part;
  return refuse('part', 'a part that is open, as context.part makes it', part);
}

/** Returns a tag, which may be left out. */
export function tagOf(value: unknown): string | undefined {
  return value === undefined ? undefined : keyOf(value, 'tag');
}

export function keyOf(key: unknown, name: string): string {
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  return refuse(name, '1 to 64 letters, digits, dots, colons, dashes or underscores', key);
}

/** Returns the key or level of a part as it is stored. `before` is the stored one that it was. */
export function storedKeyOf(part: string, key: unknown, name: string, before?: string): string {
  // The level is usually known, and then it need not be checked again.
  if (before !== undefined && isStoredAs(before, part, key)) return before;
  return storedName(part, keyOf(key, name));
}

/** Whether `stored` is what `key` of `part` is stored as. */
export function isStoredAs(stored: string, part: string, key: unknown): boolean {
  if (part === '') return stored === key;
  return typeof key === 'string' && stored === `${part}/${key}`;
}

export function reasonOf(reason: unknown): string {
  if (typeof reason !== 'string') return refuse('reason', 'a text', reason);
  if (reason === '') throw new Invalid('reason must not be empty: say why');
  if (reason.length > reasonLengthMax) {
    throw new Invalid(`reason must be at most ${reasonLengthMax} characters, was ${reason.length}`);
  }
  return reason;
}
