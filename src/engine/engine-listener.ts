/** How the engine reacts when execution or the context reports a change. */
import type { Top } from '../domain/market-view.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { FillHistory } from './account/fill-history.ts';
import type { ContextListener, EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import { reopenMarket } from './market-reopening.ts';
import type { OperatorCommands } from './operator-commands.ts';
import { idsOf, OrderNotices } from './order-notice.ts';
import type { RiskEngine } from './risk-engine.ts';
import type { StrategyInbox } from './strategy-inbox.ts';
import { describeFill, strategyFillOf } from './strategy-order.ts';
import type { StrategyRunner } from './strategy-runner.ts';

export type ListenerParts = {
  readonly context: EngineContext;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly reconciler: Reconciler;
  readonly inbox: StrategyInbox;
  readonly risk: RiskEngine;
  readonly strategies: StrategyRunner;
  readonly operator: OperatorCommands;
  readonly history: FillHistory;
};

/** Returns the listener of the context. */
export function createListener(parts: ListenerParts): ContextListener {
  const { context, inbox, risk, strategies, history } = parts;
  const notices = new OrderNotices();
  const tell = (topic: 'order' | 'fill', said: ReturnType<OrderNotices['changed']>): void => {
    if (said !== undefined) context.notice({ level: 'info', topic, ...said });
  };
  return {
    orderChanged: (order, before, proof) => {
      inbox.noteOrder(order, before);
      if (strategies.mayListen(order.strategyId, order.pair, 'order')) inbox.sendOrder(order);
      if (order.state === 'rejected' && before !== 'rejected') risk.noteRejected(order);
      if (context.reportsInfo && proof !== undefined && before !== order.state)
        tell('order', notices.changed(order, proof));
    },
    orderTriggered: (order) => {
      inbox.noteOrder(order, undefined);
      if (strategies.mayListen(order.strategyId, order.pair, 'order')) inbox.sendOrder(order);
      if (context.reportsInfo) tell('order', notices.triggered(order));
    },
    orderFilled: (order, fill) => {
      if (fill.isFirstReport && context.reportsInfo) {
        tell('order', notices.beforeFill(order));
        tell('fill', { text: describeFill(order, fill), detail: idsOf(order) });
      }
      const { strategyId, pair } = order;
      const isHeard = strategies.mayListen(strategyId, pair, 'fill');
      if (fill.booked || isHeard) {
        const seen = strategyFillOf(order, fill);
        if (fill.booked) history.addFill(order, seen, fill.sequence, context.nowMs);
        if (isHeard) inbox.send(strategyId, { kind: 'fill', pair, fill: seen });
      }
      if (fill.booked) risk.noteBooked(order);
    },
    cancelRefused: (order, why) => {
      if (context.reportsInfo) tell('order', notices.cancelRefused(order, why));
    },
    halted: (scope, reason) => risk.withdrawUnsent(scope, reason),
    resendRefusals: (order) => resendRefusals(parts, order),
    wouldTrade: ({ pair, terms }) => isReached(terms, parts.markets.get(pair)?.top),
    marketClosed: (pair, reason) => closeMarket(parts, pair, reason),
  };
}

/** Only orders of running strategies are sent late or again, and none while the bot is stopping. */
function resendRefusals(
  { operator, strategies, risk }: ListenerParts,
  order: TrackedOrder,
): readonly string[] {
  const isWanted = !operator.isStopping && strategies.isRunning(order.strategyId);
  return isWanted ? risk.resendRefusals(order) : ['STOPPED'];
}

/** Whether the other side of the book is at the order's price or beyond it. */
function isReached({ side, price }: TrackedOrder['terms'], top: Top | undefined): boolean {
  const best = side === 'BID' ? top?.ask : top?.bid;
  if (best === undefined) return false;
  return side === 'BID' ? best <= price : best >= price;
}

function closeMarket(
  { context, markets, reconciler, inbox }: ListenerParts,
  pair: string,
  reason: string,
): void {
  const market = markets.get(pair);
  if (market === undefined || market.isClosed) return;
  market.close();
  const text = `no orders are placed on ${pair} until the exchange lists it as ACTIVE: ${reason}`;
  context.notice({ level: 'warn', topic: 'state', text });
  const opened = (): void => {
    const text = `the exchange lists ${pair} as ACTIVE: orders are placed again`;
    context.notice({ level: 'info', topic: 'state', text });
    reconciler.request();
    inbox.planAll();
  };
  context.spawn(reopenMarket(market, opened));
}
