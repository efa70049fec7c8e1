/**
 * A person's approvals of single orders above the soft limit.
 *
 * Invariants: an approval is bound to everything that the order says; it is used at most once, and
 * not after it has expired. It lifts no other limit.
 */
import { createHash } from 'node:crypto';
import { formatLots, formatTicks, type Market } from '../domain/market.ts';
import type { Proposal } from './proposal.ts';

/** How long a person's word holds. */
export const approvalValidMs = 600_000;

/** So many orders that asked for approval are remembered, the newest. */
const askedMax = 100;

export class Approvals {
  readonly #expiresMs = new Map<string, number>();
  readonly #asked = new Map<string, string>();

  /** Remembers that an order was refused for want of this approval; `order` is its terms. */
  noteAsked(token: string, order: string): void {
    this.#asked.delete(token);
    this.#asked.set(token, order);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > askedMax && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** The terms of the order that asked for this approval; undefined if none did. */
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

  /** Takes an approval away; returns whether there was one. */
  use(token: string): boolean {
    return this.#expiresMs.delete(token);
  }
}

/** Returns what an approval of this order is bound to: 16 hexadecimal digits. */
export function approvalTokenOf(proposal: Proposal, market: Market): string {
  const { strategyId, pair, side, price, volume, timeInForce, postOnly } = proposal;
  const terms = [
    ...[strategyId, pair, side, formatTicks(price, market), formatLots(volume, market)],
    ...[timeInForce, postOnly, proposal.baseAccountId, proposal.counterAccountId],
    ...(proposal.reduceOnly ? ['reduceOnly'] : []),
  ];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16);
}
