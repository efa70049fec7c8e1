/**
 * Reads every open order of the account, page by page. A list that is not `complete` proves
 * nothing about an order that it does not show.
 */
import type { OrderRecord } from '../../venues/luno/api/operations/order-operations.ts';
import { OrderPages, type WalkEnd } from '../../venues/luno/api/order-pages.ts';
import type { Failure } from '../../venues/luno/api/reply.ts';
import { type CallPriority, call, type Procedure } from './procedure.ts';

/** No account has more open orders than these pages hold; a longer list repeats itself. */
const pagesMax = 20;

/** See {@link OrderPages}; `refused`: a page could not be read. */
export type OpenOrderWalk =
  | { readonly kind: WalkEnd; readonly records: readonly OrderRecord[] }
  | { readonly kind: 'refused'; readonly reply: Failure };

export type OpenOrderWalkOptions = {
  readonly priority: CallPriority;
  /** Asked before each page is requested; false ends the walk as `refused`. */
  readonly mayGoOn?: () => boolean;
  /** Called with each page when it arrives. */
  readonly onPage?: (page: readonly OrderRecord[]) => void;
};

/** Walks to the end of the list. */
export function* walkOpenOrders(options: OpenOrderWalkOptions): Procedure<OpenOrderWalk> {
  const { priority, mayGoOn, onPage } = options;
  const pages = new OrderPages({ pagesMax });
  for (;;) {
    const reply = yield* call({
      priority,
      operation: 'listOrdersV2',
      parameters: () => (mayGoOn?.() === false ? undefined : pages.next),
    });
    if (reply.kind !== 'ok') return { kind: 'refused', reply };
    const { orders: page } = reply.body;
    pages.take(page);
    onPage?.(page);
    if (pages.end !== undefined) return { kind: pages.end, records: pages.records };
  }
}

/** Returns why a list that was read may lack orders, in words. */
export function describeIncomplete(end: Exclude<WalkEnd, 'complete'>): string {
  return end === 'stalled'
    ? 'more than 1000 open orders were created in one millisecond'
    : `the list of open orders does not end within ${pagesMax} pages`;
}
