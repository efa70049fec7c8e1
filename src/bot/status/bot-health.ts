/** Whether a bot can trade: for the status, and for the service manager. */
import type { Engine } from '../../engine/engine.ts';

export type BotHealth = {
  readonly isReconciled: boolean;
  readonly areBooksUsable: boolean;
  /** How long the oldest event has been waiting. */
  readonly waitingMs: number;
  /** The same, with the orders, in one line. */
  readonly text: string;
};

export function healthOf({
  engine,
  waitingMs,
}: {
  readonly engine: Pick<Engine, 'orders' | 'markets' | 'reconciler' | 'waits'>;
  readonly waitingMs: () => number;
}): BotHealth {
  const { tracker } = engine.orders;
  const lost = [...engine.markets.values()].filter((market) => !market.isUsable);
  const books = lost.map(({ market }) => market.pair).join(', ');
  const isReconciled = engine.reconciler.isBalanced;
  const waits = engine.waits.all().length;
  const facts = [
    isReconciled ? 'reconciled' : 'not reconciled',
    lost.length === 0 ? 'every book is usable' : `no usable book of ${books}`,
    `${tracker.liveCount} live orders, ${tracker.count('unknown')} unknown`,
    ...(waits === 0 ? [] : [`${waits} waiting for calls or the order rate`]),
  ];
  return {
    isReconciled,
    areBooksUsable: lost.length === 0,
    waitingMs: waitingMs(),
    text: facts.join('; '),
  };
}
