/** Adapters that deviate from the port in one way each. */
import { opposite } from '../../src/domain/market.ts';
import type { VenueReader } from '../../src/venue/venue-reader.ts';
import type { Answers, OrderView, Reason, VenueReply } from '../../src/venue/venue-reply.ts';
import type { VenueReport } from '../../src/venue/venue-report.ts';
import type { RequestKind, RequestOf, VenueRequest } from '../../src/venue/venue-request.ts';
import type { Deviation } from '../contract/venue/behaviours.ts';
import type { Ability } from '../contract/venue/venue-world.ts';

export type PlantedDeviation = {
  readonly breaks: string;
  /** A venue that lacks it cannot deviate in this way. */
  readonly needs?: Ability;
  readonly deviate: Deviation;
};

/** Changes each answer to requests of `kind`. */
function answering<Kind extends RequestKind>(
  kind: Kind,
  change: (value: Answers[Kind], request: RequestOf<Kind>) => Answers[Kind],
): Deviation {
  return replying((reply, request) => {
    if (reply.kind !== 'ok' || request.kind !== kind) return reply;
    // Of this kind, as was asked before.
    const value = change(reply.value as Answers[Kind], request as RequestOf<Kind>);
    return { ...reply, value };
  });
}

/** Changes each reply, also of readers that the venue fails. */
function replying(change: (reply: VenueReply, request: VenueRequest) => VenueReply): Deviation {
  return (world) => {
    const deviating = (reader: VenueReader): VenueReader => ({
      ...reader,
      ask: async (request) => change(await reader.ask(request), request) as never,
    });
    const ask = world.ask.bind(world);
    const failing = world.failingReader.bind(world);
    return Object.assign(world, {
      ask: async (request: VenueRequest) => change(await ask(request), request),
      reader: deviating(world.reader),
      failingReader: (fault: Parameters<typeof failing>[0]) => deviating(failing(fault)),
    });
  };
}

/** Gives refusals with one reason another. */
function confusing(reason: Reason, other: Reason): Deviation {
  return replying((reply) =>
    reply.kind === 'refused' && reply.reason === reason ? { ...reply, reason: other } : reply,
  );
}

/** Changes what is reported. */
function reporting(change: (reports: readonly VenueReport[]) => readonly VenueReport[]): Deviation {
  return (world) => {
    const reports = world.reports.bind(world);
    return Object.assign(world, { reports: () => change(reports()) });
  };
}

/** Shows the sums that an order had when it was read before. */
function oneReadBehind(): Deviation {
  return (world) => {
    const seen = new Map<string, OrderView>();
    return answering('orders', (page) => ({
      ...page,
      rows: page.rows.map((order) => {
        const { sums } = seen.get(order.orderId) ?? order;
        seen.set(order.orderId, order);
        return { ...order, sums };
      }),
    }))(world);
  };
}

export const portsPlants: Readonly<Record<string, PlantedDeviation>> = {
  'stale-fills': {
    breaks: 'a view of an order has the sums of the read before',
    deviate: oneReadBehind(),
  },
  'border-row': {
    breaks: 'an order is lost where a list goes on',
    deviate: answering('orders', (page, { cursor }) =>
      // The first row was the last one of the page before.
      cursor === undefined ? page : { ...page, rows: page.rows.toSpliced(1, 1) },
    ),
  },
  'cut-page': {
    breaks: 'a page that goes on says that the list is complete',
    deviate: answering('orders', ({ rows, wrong }) => ({ rows, wrong, end: 'complete' })),
  },
  'stop-lost': {
    breaks: 'a stop order is shown as a limit order',
    deviate: answering('order', ({ stop: _, ...view }) => ({
      ...view,
      type: view.type === 'stop-limit' ? 'limit' : view.type,
    })),
  },
  'stop-direction': {
    breaks: 'every stop is shown to wait for a rise',
    deviate: answering('order', (view) =>
      view.stop === undefined ? view : { ...view, stop: { ...view.stop, direction: 'ABOVE' } },
    ),
  },
  'market-lost': {
    breaks: 'a market order is shown as a limit order',
    deviate: answering('order', (view) => ({
      ...view,
      type: view.type === 'market' ? 'limit' : view.type,
    })),
  },
  'market-unspent': {
    breaks: 'a market buy is shown to have spent a hundredth less than it has',
    deviate: answering('order', (view) =>
      view.type === 'market'
        ? { ...view, sums: { ...view.sums, counter: (view.sums.counter * 99n) / 100n } }
        : view,
    ),
  },
  'market-open': {
    breaks: 'a market order is shown as if it rested',
    deviate: answering('order', (view) =>
      view.type === 'market' ? { ...view, isEnded: false } : view,
    ),
  },
  'never-awaiting': {
    breaks: 'a stop order is shown as if it were triggered',
    deviate: answering('order', (view) => ({ ...view, isAwaiting: false })),
  },
  'trigger-unreported': {
    breaks: 'the trigger of a stop order is reported as if it still waited',
    deviate: reporting((reports) =>
      reports.map((one) => (one.kind === 'accepted' ? { ...one, isAwaiting: true } : one)),
    ),
  },
  'since-excluded': {
    breaks: 'trades since a time begin after it',
    deviate: answering('own-trades', (page, { sinceMs }) => ({
      ...page,
      rows: page.rows.filter(({ atMs }) => atMs !== sinceMs),
    })),
  },
  'sequence-excluded': {
    breaks: 'trades from a sequence begin after it',
    deviate: answering('own-trades', (page, { from }) => ({
      ...page,
      rows: page.rows.filter(({ sequence }) => sequence !== from),
    })),
  },
  'taker-side': {
    breaks: "a trade has the taker's side instead of ours",
    deviate: answering('own-trades', (page) => ({
      ...page,
      rows: page.rows.map((trade) => ({
        ...trade,
        side: trade.isMaker ? opposite(trade.side) : trade.side,
      })),
    })),
  },
  'movement-gap': {
    breaks: 'a row of the ledger is missing',
    deviate: answering('movements', (page) => ({ ...page, rows: page.rows.toSpliced(1, 1) })),
  },
  'open-when-closed': {
    breaks: 'every market is active',
    deviate: answering('markets', (page) => ({
      ...page,
      rows: page.rows.map((market) => ({ ...market, status: 'ACTIVE' as const })),
    })),
  },
  'no-answer-is-not-sent': {
    breaks: 'a request without an answer counts as one that was not sent',
    needs: 'calls',
    deviate: replying((reply) =>
      reply.kind === 'no-answer' ? { kind: 'not-sent', why: reply.why } : reply,
    ),
  },
  'throttled-is-rejected': {
    breaks: 'a refusal for the rate says that nothing was done',
    needs: 'calls',
    deviate: confusing('throttled', 'rejected'),
  },
  'exists-is-rejected': {
    breaks: 'a second order with an id is refused as if none had been placed',
    deviate: confusing('exists', 'rejected'),
  },
  'expired-is-rejected': {
    breaks: 'an order after its time to live is refused as if it were wrong',
    deviate: confusing('expired', 'rejected'),
  },
  'ended-is-cancelled': {
    breaks: 'the cancel of an order that has ended is taken',
    deviate: replying((reply) =>
      reply.kind === 'refused' && reply.reason === 'not-open'
        ? { kind: 'ok', value: 'taken' }
        : reply,
    ),
  },
  'all-available': {
    breaks: 'what orders may cost is shown as available',
    deviate: answering('balances', (balances) =>
      balances.map((one) => ({ ...one, available: one.balance })),
    ),
  },
  'fill-unreported': {
    breaks: 'the last fill of an order is not reported',
    deviate: reporting((reports) =>
      reports.toSpliced(
        reports.findLastIndex(({ kind }) => kind === 'filled'),
        1,
      ),
    ),
  },
  'end-before-fill': {
    breaks: 'the end of an order is reported before its fills',
    deviate: reporting((reports) => [
      ...reports.filter(({ kind }) => kind === 'ended'),
      ...reports.filter(({ kind }) => kind !== 'ended'),
    ]),
  },
  'row-reported-twice': {
    breaks: 'a movement of money is reported twice',
    deviate: reporting((reports) =>
      reports.flatMap((one): VenueReport[] => (one.kind === 'balance' ? [one, one] : [one])),
    ),
  },
};
