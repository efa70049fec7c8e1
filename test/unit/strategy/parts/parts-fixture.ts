/** Intents and orders for tests of parts, short to write and to compare. */
import type { Observable } from 'rxjs';
import type { Context, Intent, OwnOrder, QuotedOrder } from '../../../../src/index.ts';
import { hostOf, lots, pluginOf, startMs, ticks } from '../host-fixture.ts';

type Run = (context: Context<unknown, unknown>) => Observable<unknown>;
export const pair = 'XBTZAR';

export const order = (level: string, side: QuotedOrder['side'], price: number): QuotedOrder => ({
  ...{ level, side, price: ticks(price), volume: lots(1) },
});
export const quote = (...orders: readonly QuotedOrder[]): Intent => ({
  ...{ kind: 'quote', pair, orders, reason: 'test' },
});
export const place = (key: string): Intent => ({
  ...{ kind: 'place', pair, key, reason: 'test' },
  terms: { side: 'BID', price: ticks(90), volume: lots(1) },
});
export const own = (key: string, level?: string): OwnOrder => ({
  ...{ key, terms: { side: 'BID', price: ticks(90), volume: lots(1) }, filled: lots(0) },
  ...{ state: 'open', cancelling: false, ...(level === undefined ? {} : { level }) },
});

/** A host whose strategy runs. */
export function started(run: Run, options: Parameters<typeof hostOf>[1] = {}) {
  const host = hostOf(pluginOf(run), options);
  host.start(startMs);
  return host;
}

/** Intents as short texts. */
export function texts(intents: readonly Intent[]): readonly string[] {
  return intents.map((intent) => {
    const of = 'part' in intent && intent.part !== undefined ? ` of ${intent.part}` : '';
    if (intent.kind === 'quote')
      return `quote${of}: ${intent.orders.map(({ level }) => level).join(' ')}`;
    if (intent.kind === 'place' || intent.kind === 'cancel')
      return `${intent.kind}${of} ${intent.key}`;
    if (intent.kind === 'remember') return `remember ${JSON.stringify(intent.state)}`;
    return `${intent.kind}${of} (${intent.reason})`;
  });
}
