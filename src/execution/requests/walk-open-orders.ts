/**
 * Reads every open order of the account, page by page. A list that is not `complete` proves
 * nothing about an order that it does not show.
 */
import type { Failure, ListEnd, OrderView, WrongValue } from '../../venue/venue-reply.ts';
import { type CallPriority, call, type Procedure } from './procedure.ts';

/** No account has more open orders than these pages hold; a longer list repeats itself. */
const pagesMax = 20;

/** What a list shows, each order once. */
export type ListedOrders = {
  readonly views: readonly OrderView[];
  /** Open orders about which it says what cannot be true; only their ids are used. */
  readonly wrong: readonly WrongValue[];
};

/** `refused`: a page could not be read. */
export type OpenOrderWalk =
  | ({ readonly kind: ListEnd } & ListedOrders)
  | { readonly kind: 'refused'; readonly failure: Failure };

export type OpenOrderWalkOptions = {
  readonly priority: CallPriority;
  /** Asked before each page is requested; false ends the walk as `refused`. */
  readonly mayGoOn?: () => boolean;
  /** Called with each page when it arrives. */
  readonly onPage?: (page: ListedOrders) => void;
};

/** Walks to the end of the list. */
export function* walkOpenOrders(options: OpenOrderWalkOptions): Procedure<OpenOrderWalk> {
  const { priority, mayGoOn, onPage } = options;
  const views = new Map<string, OrderView>();
  const wrong: WrongValue[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const reply = yield* call({
      priority,
      request: () =>
        mayGoOn?.() === false ? undefined : { kind: 'orders', which: 'open', cursor },
    });
    if (reply.kind !== 'ok') return { kind: 'refused', failure: reply };
    const page = reply.value;
    for (const view of page.rows) views.set(view.orderId, view);
    wrong.push(...page.wrong);
    onPage?.({ views: page.rows, wrong: page.wrong });
    const end = page.end ?? (pages === pagesMax ? 'endless' : undefined);
    if (end !== undefined) return { kind: end, views: [...views.values()], wrong };
    cursor = page.next;
  }
}

/** Returns why a list that was read may lack orders, in words. */
export function describeIncomplete(end: Exclude<ListEnd, 'complete'>): string {
  return end === 'stalled'
    ? 'more open orders than a page of the list holds were created in one millisecond'
    : `the list of open orders does not end within ${pagesMax} pages`;
}
