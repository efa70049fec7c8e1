/** Rows of a database as the API answers them: orders, stories, incidents, refusals. */
import { decisionText, orderStoryOf } from '../../audit/order-story.ts';
import type { OrderRow } from '../../domain/records.ts';
import type { StoreHistory } from '../../store/store-history.ts';
import type {
  CommandsAnswer,
  IncidentsAnswer,
  OrderListRow,
  OrdersAnswer,
  RefusalsAnswer,
  StoryAnswer,
} from '../api/history-answers.ts';
import { fillStates } from './fill-states.ts';

const dayMs = 86_400_000;
/** The story of an order with more fills than that is shown without the oldest. */
const storyEventsMax = 2_000;

export function ordersAnswerOf(
  history: StoreHistory,
  { limit, ...filter }: { readonly limit: number } & Parameters<StoreHistory['orders']>[0],
): OrdersAnswer {
  const orders = history.orders(filter, limit).map(orderRowOf);
  return { orders, next: nextOf(orders.length === limit, orders.at(-1)?.intentId) };
}

export function storyAnswerOf(history: StoreHistory, intentId: number): StoryAnswer | undefined {
  const story = orderStoryOf(history.reports, intentId);
  if (story === undefined) return undefined;
  const { order, sums, timeline, fills } = story;
  return {
    order: orderRowOf(order),
    sums,
    timeline: timeline.slice(-storyEventsMax).map(({ details, ...event }) => ({
      ...event,
      ...(details === undefined ? {} : { details: [...details] }),
    })),
    fills: fillStates(history.reports, fills.slice(-storyEventsMax)),
  };
}

export function incidentsAnswerOf(
  history: StoreHistory,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): IncidentsAnswer {
  const incidents = [...history.incidents(before, limit)];
  return { incidents, next: nextOf(incidents.length === limit, incidents.at(-1)?.id) };
}

export function commandsAnswerOf(
  history: StoreHistory,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): CommandsAnswer {
  const commands = history.reports.operatorCommands(limit, before).map((row) => {
    const { id, atMs, askedBy, command, reason, outcome, text } = row;
    return { id, atMs, by: askedBy, command, scope: row.scope ?? null, reason, outcome, text };
  });
  return { commands, next: nextOf(commands.length === limit, commands.at(-1)?.id) };
}

export function refusalsAnswerOf(
  { reports }: StoreHistory,
  { since, limit }: { readonly since?: number | undefined; readonly limit: number },
  nowMs: number,
): RefusalsAnswer {
  const sinceMs = since ?? nowMs - dayMs;
  return {
    sinceMs,
    counts: [...reports.refusalCounts(sinceMs)],
    newest: reports.refused(sinceMs, limit).map((decision) => {
      const { atMs, strategyId, pair, refusals } = decision;
      const codes = (JSON.parse(refusals) as { readonly code: string }[]).map(({ code }) => code);
      return { atMs, strategyId, pair, codes, text: decisionText(decision) };
    }),
  };
}

function nextOf(isFull: boolean, last: number | undefined): number | null {
  return isFull ? (last ?? null) : null;
}

export function orderRowOf(order: OrderRow): OrderListRow {
  const { intentId, strategyId, pair, side, price, volume, timeInForce, state } = order;
  return {
    ...{ intentId, strategyId, pair, side, price, volume, timeInForce, state },
    filled: order.base,
    isPostOnly: order.postOnly,
    reason: order.reason,
    level: order.level ?? null,
    key: order.level === undefined ? order.key : null,
    stop:
      order.stopDirection === undefined || order.stopPrice === undefined
        ? null
        : { direction: order.stopDirection, price: order.stopPrice },
    expiresMs: order.expiresMs ?? null,
    tag: order.tag ?? null,
    createdMs: order.createdMs,
    completedMs: order.completedMs ?? null,
    orderId: order.orderId ?? null,
    clientOrderId: order.clientOrderId,
  };
}
