/** Opens the named state of a strategy or of one of its parts. */
import type { z } from 'zod';
import type { Intent } from '../../domain/intent.ts';
import { storedName } from '../../domain/part-name.ts';
import { refuseArgument } from '../argument.ts';
import { keyPattern } from '../intents/intent-members.ts';
import { copyJson } from '../json-value.ts';
import { type StrategyState, slotsMax } from '../strategy-state.ts';
import type { Slot } from './slot.ts';

/** Opens a slot of `part`. Throws RangeError for an argument that {@link Context.slot} refuses. */
export function openSlot<T>(
  state: StrategyState,
  part: string,
  [name, schema, initial]: readonly [name: string, schema: z.ZodType<T>, initial: T],
): Slot<T> {
  const refuse = (argument: string, allowed: string, value: unknown): never =>
    refuseArgument(['context.slot', argument], allowed, value);
  if (typeof name !== 'string' || !keyPattern.test(name))
    refuse('name', '1 to 64 letters, digits, dots, colons, dashes or underscores', name);
  if (typeof schema?.safeParse !== 'function') refuse('schema', 'a zod schema', schema);
  const first = initialOf(schema, initial);
  const stored = storedName(part, name);
  if (state.hasSlot(stored)) refuse('name', 'one that is not open already', name);
  if (state.hasAllSlots) refuse('name', `one of at most ${slotsMax} open slots`, name);
  state.openSlot(stored, schema, first);
  const ofPart = part === '' ? {} : { part };
  return Object.freeze({
    get value(): T {
      return state.slotValue(stored) as T;
    },
    remember: (value: T): Intent => ({ kind: 'remember', ...ofPart, slot: name, state: value }),
  });
}

/** Returns a frozen copy of the initial value, as the schema makes it. */
function initialOf(schema: z.ZodType, initial: unknown): unknown {
  try {
    const result = schema.safeParse(copyJson(initial, 'initial'));
    if (result.success) return copyJson(result.data, 'initial');
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return refuseArgument(['context.slot', 'initial'], 'JSON that fits the schema', initial);
}
