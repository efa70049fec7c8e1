/** What follows in the engine when execution or the context announces a change. */
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { ContextListener, EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import { reopenMarket } from './market-reopening.ts';
import type { OperatorCommands } from './operator-commands.ts';
import { describeOrder, isAnnounced } from './order-notice.ts';
import type { RiskEngine } from './risk-engine.ts';
import type { StrategyInbox } from './strategy-inbox.ts';
import { describeFill } from './strategy-order.ts';
import type { StrategyRunner } from './strategy-runner.ts';

export type ListenerParts = {
  readonly context: EngineContext;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly reconciler: Reconciler;
  readonly inbox: StrategyInbox;
  readonly risk: RiskEngine;
  readonly strategies: StrategyRunner;
  readonly operator: OperatorCommands;
};

/** Returns what the context calls. */
export function createListener(parts: ListenerParts): ContextListener {
  const { context, inbox, risk, strategies } = parts;
  return {
    orderChanged: (order, before) => {
      inbox.noteOrder(order, before);
      if (strategies.mayListen(order.strategyId, order.pair, 'order')) inbox.sendOrder(order);
      if (order.state === 'rejected' && before !== 'rejected') risk.noteRejected(order);
      if (context.tellsInfo && before !== order.state && isAnnounced(order))
        context.notice({ level: 'info', topic: 'order', text: describeOrder(order) });
    },
    orderFilled: (order, fill) => {
      if (fill.isNews && context.tellsInfo)
        context.notice({ level: 'info', topic: 'fill', text: describeFill(order, fill) });
      if (strategies.mayListen(order.strategyId, order.pair, 'fill')) inbox.sendFill(order, fill);
      if (fill.booked) risk.noteBooked(order);
    },
    halted: (scope, reason) => risk.withdrawUnsent(scope, reason),
    refusalsAgain: (order) => refusalsAgain(parts, order),
    marketClosed: (pair, reason) => closeMarket(parts, pair, reason),
  };
}

/** An order is sent again for a strategy that runs, by a bot that does not stop. */
function refusalsAgain(
  { operator, strategies, risk }: ListenerParts,
  order: TrackedOrder,
): readonly string[] {
  const isWanted = !operator.isStopping && strategies.isRunning(order.strategyId);
  return isWanted ? risk.refusalsAgain(order) : ['STOPPED'];
}

function closeMarket(
  { context, markets, reconciler, inbox }: ListenerParts,
  pair: string,
  reason: string,
): void {
  const market = markets.get(pair);
  if (market === undefined || market.isClosed) return;
  market.close();
  context.notice({ level: 'warn', topic: 'state', text: `${pair} takes no orders: ${reason}` });
  const opened = (): void => {
    context.notice({ level: 'info', topic: 'state', text: `${pair} takes orders again` });
    reconciler.request();
    inbox.planAll();
  };
  context.spawn(reopenMarket(market, opened));
}
