/**
 * Whether an order is filled, and whether it is filled too far.
 *
 * The volume of a market buy is only the most that it may buy. The exchange fills it at once or
 * refuses it, so it is whole when it has traded at all, and too far when it has spent too much.
 */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import { spendOf } from '../../domain/market-order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Whether `base`, the filled volume, is all that the order could fill. */
export function isWhole({ terms, volume }: TrackedOrder, base: Amount): boolean {
  return spendOf(terms) === undefined ? base >= volume : base > 0n;
}

/** Returns by how much our fills exceed the order, as text; undefined if they do not. */
export function overfillOf({ booked, terms, volume }: TrackedOrder): string | undefined {
  const spend = spendOf(terms);
  if (spend === undefined)
    return booked.base > volume
      ? `of ${formatAmount(volume)} is filled with ${formatAmount(booked.base)}`
      : undefined;
  return booked.counter > spend
    ? `to spend ${formatAmount(spend)} has spent ${formatAmount(booked.counter)}`
    : undefined;
}
