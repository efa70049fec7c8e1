/**
 * Measures how long the exchange's reads lag behind what it has accepted. The allowance is five
 * times the longest measured lag, within the bounds that the venue has; the fence of an unknown
 * order includes it.
 *
 * Some accepted orders are probed: read by our own id until the exchange finds them. Only a
 * well-formed "not found" proves a lag; an order that the first read finds has no lag. With so few
 * samples, their 99.9th percentile is the longest.
 *
 * Invariants: at most one order is probed at a time; a lag that needs a longer allowance halts the
 * bot, because reads can then no longer be trusted.
 */

import type { VenueProperties } from '../../venue/venue-properties.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import type { ExecutionContext } from './execution-context.ts';
import { call, type Procedure, wait } from './procedure.ts';

const safetyFactor = 5;
const samplesMax = 256;
/** The first accepted orders of a run are all probed, and then one in `probedEvery`. */
const probedAtFirst = 5;
const probedEvery = 50;
const probePaceMs = 500;
/** A probe whose reads all fail ends after this many. */
const readsMax = 20;

export class ReadLag {
  readonly #context: ExecutionContext;
  readonly #allowanceMs: VenueProperties['reads']['lagMs'];
  /** A longer lag halts the bot. */
  readonly #lagMsMax: number;
  /** The last lags, in milliseconds; a ring. */
  readonly #samplesMs: number[] = [];
  #next = 0;
  #accepted = 0;
  #isProbing = false;
  #isReported = false;

  constructor(context: ExecutionContext, allowanceMs: VenueProperties['reads']['lagMs']) {
    this.#context = context;
    this.#allowanceMs = allowanceMs;
    this.#lagMsMax = allowanceMs.max / safetyFactor;
  }

  /** How long after its acceptance reads may not show an order, in milliseconds. */
  get allowanceMs(): number {
    const measuredMs = safetyFactor * Math.max(0, ...this.#samplesMs);
    const { min, max } = this.#allowanceMs;
    return Math.min(max, Math.max(min, measuredMs));
  }

  /** Call for each order that the exchange has just accepted; probes some of them. */
  noteAccepted(order: TrackedOrder): void {
    const { min, max } = this.#allowanceMs;
    if (min === max || this.#isProbing) return;
    this.#accepted++;
    if (this.#accepted > probedAtFirst && this.#accepted % probedEvery !== 0) return;
    this.#isProbing = true;
    this.#context.spawn(this.#probe(order));
  }

  *#probe(order: TrackedOrder): Procedure {
    const acceptedMs = this.#context.nowMs;
    let lagMs = 0;
    for (let read = 0; read < readsMax; read++) {
      let sentMs = acceptedMs;
      const reply = yield* call({
        priority: 'read',
        request: () => {
          sentMs = this.#context.nowMs;
          return { kind: 'order', clientOrderId: order.clientOrderId };
        },
      });
      if (reply.kind === 'ok') {
        this.#add(lagMs);
        break;
      }
      // Not found when the read was sent; it may be visible by the next read.
      if (reply.kind === 'refused' && reply.reason === 'not-found')
        lagMs = sentMs - acceptedMs + probePaceMs;
      if (lagMs > this.#lagMsMax) {
        this.#add(lagMs);
        this.#halt(order, lagMs);
        break;
      }
      yield* wait(probePaceMs);
    }
    this.#isProbing = false;
  }

  #add(lagMs: number): void {
    this.#samplesMs[this.#next] = lagMs;
    this.#next = (this.#next + 1) % samplesMax;
  }

  #halt(order: TrackedOrder, lagMs: number): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const text = `order ${order.clientOrderId} was accepted, but cannot be read ${lagMs} ms later; at most ${this.#lagMsMax} ms are allowed`;
    this.#context.incident('READS_LAG', text);
    this.#context.setTradingState('bot', 'HALTED', text);
  }
}
