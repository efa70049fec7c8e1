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

export class Approvals {
  readonly #expiresMs = new Map<string, number>();

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
  ];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16);
}
