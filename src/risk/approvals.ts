/**
 * A person's approvals of single orders above the soft limit `limits.account.approveAbove`.
 *
 * Invariants: an approval is bound to all terms of the order; it is used at most once, and not
 * after it has expired. It lifts no other limit.
 */
import { createHash } from 'node:crypto';
import { formatLots, formatTicks, type Market } from '../domain/market.ts';
import type { Proposal } from './proposal.ts';

/** How long an approval is valid, in milliseconds. */
export const approvalValidMs = 600_000;

/** The number of orders needing approval that are remembered; the newest are kept. */
const askedMax = 100;

export class Approvals {
  readonly #expiresMs = new Map<string, number>();
  readonly #asked = new Map<string, string>();

  /** Remembers that an order was refused for lack of this approval; `order` is its terms. */
  noteAsked(token: string, order: string): void {
    this.#asked.delete(token);
    this.#asked.set(token, order);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > askedMax && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** Returns the terms of the order that needs this approval; undefined if none is known. */
  askedFor(token: string): string | undefined {
    return this.#asked.get(token);
  }

  add(token: string, expiresMs: number): void {
    this.#expiresMs.set(token, expiresMs);
  }

  get isEmpty(): boolean {
    return this.#expiresMs.size === 0;
  }

  isValid(token: string, nowMs: number): boolean {
    const expiresMs = this.#expiresMs.get(token);
    return expiresMs !== undefined && nowMs < expiresMs;
  }

  /** Removes an approval; returns whether there was one. */
  use(token: string): boolean {
    return this.#expiresMs.delete(token);
  }
}

/** Returns the token of this order's approval: 16 hexadecimal digits, a hash of its terms. */
export function approvalTokenOf(proposal: Proposal, market: Market): string {
  const { strategyId, pair, side, timeInForce, postOnly, stop, pays } = proposal;
  // What a market order counts for moves with the market.
  const size =
    pays === undefined
      ? [formatTicks(proposal.price, market), formatLots(proposal.volume, market)]
      : ['market', pays];
  const terms = [
    ...[strategyId, pair, side, ...size],
    ...[timeInForce, postOnly, proposal.baseAccountId, proposal.counterAccountId],
    ...(proposal.reduceOnly ? ['reduceOnly'] : []),
    ...(stop === undefined ? [] : [stop.direction, formatTicks(stop.price, market)]),
  ];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16);
}
