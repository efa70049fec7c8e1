/**
 * What goes wrong in a simulated run: knobs with rates, drawn from the run's one generator, and
 * counted.
 *
 * A storm has a level from 0 to 1 and each seed switches some knobs off, so that every fault is
 * also met alone. In the calm phase nothing fires.
 */
import type { SeededRandom } from './seeded-random.ts';

/** Incidents that a storm may make; every other one is a violation. */
export const stormIncidents = ['DOES_NOT_BALANCE', 'ORDER_MISSING', 'EXTERNAL_FLOW'];

/** Rate of each knob at storm level 1. */
const rates = {
  // One request
  'req.refused': 0.08,
  'req.drop': 0.12,
  'req.again': 0.3,
  'req.delay': 0.12,
  'req.delay.reset': 0.15,
  'status.before.5xx': 0.08,
  'status.before.429': 0.04,
  'status.before.html404': 0.05,
  'status.after.5xx': 0.1,
  'status.after.429': 0.03,
  'status.after.deadline': 0.1,
  'res.drop': 0.12,
  'res.reset': 0.08,
  'res.truncate': 0.06,
  'res.slow': 0.1,
  redirect: 0.03,
  'checks.order': 1,
  'clock.noDate': 0.2,
  'clock.staleDate': 0.1,
  // One answer of a read
  'lag.get': 0.3,
  'lag.list': 0.3,
  'lag.trades': 0.3,
  'lag.ledger': 0.3,
  'lag.balance': 0.3,
  'reads.backwards': 0.3,
  'reads.partialPage': 0.2,
  'res.mutate': 0.06,
  // One frame
  'user.drop': 0.3,
  'user.dup': 0.2,
  'user.cut': 0.02,
  'user.reorder': 0.2,
  'user.bomb': 0.03,
  'market.drop': 0.01,
  'market.dup': 0.005,
  'market.cut': 0.005,
  'market.reorder': 0.005,
  'market.bomb': 0.003,
  'ws.delay': 0.01,
  'ws.freeze': 0.004,
  // One connection
  'user.forget': 0.4,
  'ws.refuse': 0.4,
  'ws.away': 0.15,
  // One batch of the driver
  'crash.before-commit': 0.01,
  'crash.after-commit': 0.02,
  'crash.mid-release': 0.03,
  'proc.pause': 0.01,
  // One second
  'crash.any-time': 0.03,
  'ledger.externalRow': 0.05,
  'clock.step': 0.02,
  'limit.rate': 0.008,
  'market.status': 0.02,
  // One restart
  'crash.again': 0.3,
} as const;

export type Knob = keyof typeof rates;
export const knobs = Object.keys(rates) as Knob[];

export type FaultOptions = {
  /** Knobs that never fire by their rate. */
  readonly without?: readonly Knob[];
  /** Rates at storm level 1 instead of the usual ones; such a knob is not switched off. */
  readonly rates?: Readonly<Partial<Record<Knob, number>>>;
  /** Occasions at which a knob fires whatever its rate: the n-th time that it could, from 1. */
  readonly once?: Readonly<Partial<Record<Knob, readonly number[]>>>;
};

export class Faults {
  /** Nothing fires while this is false. */
  isStorm = true;
  readonly level: number;
  readonly #random: SeededRandom;
  readonly #rates: Readonly<Record<Knob, number>>;
  /** How often each knob could have fired. */
  readonly #asked = new Map<Knob, number>();
  readonly #once: NonNullable<FaultOptions['once']>;
  readonly counts: Partial<Record<Knob, number>> = {};

  constructor(random: SeededRandom, level: number, options: FaultOptions = {}) {
    this.#random = random;
    this.#once = options.once ?? {};
    this.level = level;
    const offShare = random.pick([0, 0, 0.3, 0.6, 0.9]);
    const chosen: Record<Knob, number> = { ...rates };
    for (const knob of knobs) if (random.fraction() < offShare) chosen[knob] = 0;
    Object.assign(chosen, options.rates);
    for (const knob of options.without ?? []) chosen[knob] = 0;
    this.#rates = chosen;
  }

  /** Whether nothing has fired. */
  get isFaultless(): boolean {
    return Object.keys(this.counts).length === 0;
  }

  /** Whether the knob fires now. */
  fires(knob: Knob): boolean {
    // Drawn also when it cannot fire, so that switching a knob off changes nothing else at first.
    const drawn = this.#random.fraction();
    const asked = (this.#asked.get(knob) ?? 0) + 1;
    this.#asked.set(knob, asked);
    const isForced = this.#once[knob]?.includes(asked) === true;
    const isDrawn = this.isStorm && drawn < this.#rates[knob] * this.level;
    if (!isForced && !isDrawn) return false;
    this.counts[knob] = (this.counts[knob] ?? 0) + 1;
    return true;
  }
}
