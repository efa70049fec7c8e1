/**
 * The whole bot on an exchange of which a share of all answers and frames is not what was said: it
 * does not die, and an account that it only watches gets no order.
 */
import { NEVER } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { VirtualWorld } from '../support/virtual-world.ts';
import { mutate } from '../support/wire-mutants.ts';

const quiet = defineStrategy({
  name: 'own',
  parameters: z.strictObject({}),
  pairs: 1,
  run: () => NEVER,
}) as unknown as AnyStrategy;

/** Rules that hold whatever the exchange says: nothing leaves unstored, late, or too much. */
const stillTrue = /^(?:I2|I9|K1|the bot died)/u;

export type WorldInputs = {
  readonly bodies: number;
  readonly frames: number;
  /** Orders of a bot that only watches. */
  readonly ordersSent: number;
  readonly violations: readonly string[];
  /** What was said by the exchange before it was changed, by source. */
  readonly samples: ReadonlyMap<string, readonly string[]>;
};

const samplesMax = 40;

/** Runs one bot that watches and one that trades, each for `seconds`, changing `share` of all. */
export function runHostile(seed: number, seconds: number, share: number): WorldInputs {
  const samples = new Map<string, string[]>();
  let bodies = 0;
  let frames = 0;
  let ordersSent = 0;
  const violations: string[] = [];
  for (const isQuiet of [true, false]) {
    const random = new SeededRandom(seed);
    const world = new VirtualWorld({
      seed,
      level: 0,
      ...(isQuiet ? { strategy: quiet } : {}),
      rewrite: (source, text) => {
        const known = samples.get(source) ?? [];
        if (known.length < samplesMax) samples.set(source, [...known, text]);
        if (random.fraction() >= share) return text;
        if (source === 'market' || source === 'user') frames++;
        else bodies++;
        return mutate(text, random);
      },
    });
    world.begin();
    world.pass(seconds);
    if (isQuiet) ordersSent += world.witness.calls.get('postorder') ?? 0;
    violations.push(...world.witness.violations.filter((said) => stillTrue.test(said)));
  }
  return { bodies, frames, ordersSent, violations, samples };
}
