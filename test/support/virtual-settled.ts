/** When a simulated run has come to rest, and what others do to its accounts meanwhile. */
import type { BotSettings } from '../../src/domain/bot-settings.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Returns why a bot is not at rest yet, or undefined if it is. */
export function unsettledReason(
  engine: Engine | undefined,
  reports: StoreReports,
  nowMs: number,
): string | undefined {
  if (engine === undefined) return 'no bot is running';
  if (!engine.reconciler.isBalanced) return 'it does not balance';
  for (const order of engine.executor.tracker.live) {
    const sinceMs = nowMs - (order.cancelRequestedMs ?? order.createdMs);
    const isBusy = order.state !== 'open' || order.cancelRequestedMs !== undefined;
    // A full budget keeps an order waiting for up to ten seconds, and that is in order.
    if (order.state === 'unknown' || (isBusy && sinceMs > 30_000))
      return `order ${order.clientOrderId} is ${order.state} for ${sinceMs} ms`;
  }
  const bad = reports.tradingStates().find((one) => one.state !== 'ACTIVE');
  return bad === undefined ? undefined : `${bad.scope} is ${bad.state}: ${bad.reason}`;
}

/** Somebody pays something into one of the bot's accounts; returns what, in words. */
export function depositSomething(
  simulator: Simulator,
  settings: BotSettings,
  random: SeededRandom,
  nowMicros: number,
): string {
  const [currency, amount] = random.pick([
    ['XBT', '0.0123'],
    ['ZAR', '456.78'],
  ] as const);
  const accountId = settings.accounts[currency] ?? '';
  simulator.control({ kind: 'deposit', accountId, amount }, nowMicros);
  return `deposit of ${amount} ${currency}`;
}
