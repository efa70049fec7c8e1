/**
 * How long the exchange's reads may lag behind what it has accepted: five times the longest lag
 * that was seen, and no less than 5 s, which is what the fence of an unknown order allows for.
 *
 * After some of the plain acceptances the order is read with our own id until it is found. Only a
 * well-formed "not found" proves a lag; an order that the first read finds had none. The samples
 * are so few that their 99.9th percentile is their longest.
 *
 * Invariants: at most one order is being probed; a lag for which the fence would have to be longer
 * than 30 s halts the bot, because nothing that a read says can be trusted then.
 */

import { isOrderNotFound } from '../orders/place-outcome.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import type { ExecutionContext } from './execution-context.ts';
import { call, type Procedure, wait } from './procedure.ts';

const allowanceMsMin = 5_000;
const allowanceMsMax = 30_000;
const safetyFactor = 5;
/** The lag from which on the bot is halted. */
const lagMsMax = allowanceMsMax / safetyFactor;
const samplesMax = 256;
/** The first acceptances of a run are all probed, later ones now and then. */
const probedAtFirst = 5;
const probedEvery = 25;
const probePaceMs = 500;
/** A probe that is answered by nothing but errors ends after this many reads. */
const readsMax = 20;

export class ReadLag {
  readonly #context: ExecutionContext;
  readonly #isMeasuring: boolean;
  /** The last lags, in milliseconds; a ring. */
  readonly #samplesMs: number[] = [];
  #next = 0;
  #accepted = 0;
  #isProbing = false;
  #isReported = false;

  constructor(context: ExecutionContext, isMeasuring: boolean) {
    this.#context = context;
    this.#isMeasuring = isMeasuring;
  }

  /** How long after it was accepted an order may still be invisible, in milliseconds. */
  get allowanceMs(): number {
    const measuredMs = safetyFactor * Math.max(0, ...this.#samplesMs);
    return Math.min(allowanceMsMax, Math.max(allowanceMsMin, measuredMs));
  }

  /** How many lags were measured. */
  get sampleCount(): number {
    return this.#samplesMs.length;
  }

  /** Hears of each order that the exchange has just accepted, and probes some of them. */
  noteAccepted(order: TrackedOrder): void {
    if (!this.#isMeasuring || this.#isProbing) return;
    this.#accepted++;
    if (this.#accepted > probedAtFirst && this.#accepted % probedEvery !== 0) return;
    this.#isProbing = true;
    this.#context.spawn(this.#probe(order));
  }

  *#probe(order: TrackedOrder): Procedure {
    const acceptedMs = this.#context.nowMs;
    let lagMs = 0;
    for (let read = 0; read < readsMax; read++) {
      let askedMs = acceptedMs;
      const reply = yield* call({
        lane: 'read',
        operation: 'getOrderV3',
        parameters: () => {
          askedMs = this.#context.nowMs;
          return { client_order_id: order.clientOrderId };
        },
      });
      if (reply.kind === 'ok') {
        this.#add(lagMs);
        break;
      }
      // Not to be found when it was asked for; it may have been at the next look.
      if (isOrderNotFound(reply)) lagMs = askedMs - acceptedMs + probePaceMs;
      if (lagMs > lagMsMax) {
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
    const text = `order ${order.clientOrderId} was accepted and cannot be read ${lagMs} ms later, at most ${lagMsMax} ms are allowed`;
    this.#context.incident('READS_LAG', text);
    this.#context.setTradingState('bot', 'HALTED', text);
  }
}
