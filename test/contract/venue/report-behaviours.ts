/** What every adapter reports about orders and accounts without being asked. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf } from '../../../src/domain/amount.ts';
import type { BalanceReport, FillReport, VenueReport } from '../../../src/venue/venue-report.ts';
import { accountOf, movementsOf, tradesOf } from './account-behaviours.ts';
import { ask, bid } from './order-behaviours.ts';
import { placed, placing } from './trading-behaviours.ts';
import type { Behaviour, VenueWorld } from './venue-world.ts';

function ofOrder(reports: readonly VenueReport[], id: string) {
  return reports.filter((report) => 'orderId' in report && report.orderId === id);
}

const fillsIn = (reports: readonly VenueReport[]): readonly FillReport[] =>
  reports.filter((report) => report.kind === 'filled');

const balancesIn = (reports: readonly VenueReport[]): readonly BalanceReport[] =>
  reports.filter((report) => report.kind === 'balance');

/** Rests an order that is filled in three parts. */
async function filledInParts(world: VenueWorld): Promise<string> {
  const id = await placed(world, bid);
  for (const volume of ['0.004', '0.001', '0.005']) {
    world.advance(1_000);
    world.placeAsOther({ ...ask, volume });
  }
  return id;
}

export const reportBehaviours: readonly Behaviour[] = [
  {
    name: 'an account in which nothing happens is silent',
    check: async (world) => {
      world.advance(1_000);
      deepEqual(world.reports(), []);
    },
  },
  {
    name: 'an order is reported as accepted, filled and ended, in this order',
    check: async (world) => {
      const id = await filledInParts(world);
      deepEqual(
        ofOrder(world.reports(), id).map(({ kind }) => kind),
        ['accepted', 'filled', 'filled', 'filled', 'ended'],
      );
    },
  },
  {
    name: 'each report of an order has both ids and the market',
    check: async (world) => {
      const orderId = await filledInParts(world);
      const { pair } = world.market;
      for (const report of ofOrder(world.reports(), orderId)) {
        ok('clientOrderId' in report);
        deepEqual([report.clientOrderId, report.pair], ['mine', pair]);
      }
    },
  },
  {
    name: 'the filled volume of reports rises to that of the order',
    check: async (world) => {
      await filledInParts(world);
      deepEqual(
        fillsIn(world.reports()).map(({ filled }) => filled),
        ['0.004', '0.005', '0.01'].map(amountOf),
      );
    },
  },
  {
    name: 'each report of a fill has the sums of its trade',
    check: async (world) => {
      await filledInParts(world);
      const reported = fillsIn(world.reports()).map(({ sums }) => sums);
      deepEqual(
        reported,
        (await tradesOf(world)).map(({ sums }) => sums),
      );
      equal(reported.length, 3);
    },
  },
  {
    name: 'an order that takes is reported, too',
    check: async (world) => {
      world.placeAsOther({ ...ask, volume: '0.004' });
      const id = await placed(world, { ...bid, timeInForce: 'IOC' });
      deepEqual(
        ofOrder(world.reports(), id).map(({ kind }) => kind),
        ['accepted', 'filled', 'ended'],
      );
    },
  },
  {
    name: 'a cancelled order is reported as ended, once',
    check: async (world) => {
      const orderId = await placed(world, bid);
      await world.ask({ kind: 'cancel', orderId });
      await world.ask({ kind: 'cancel', orderId });
      deepEqual(
        ofOrder(world.reports(), orderId).map(({ kind }) => kind),
        ['accepted', 'ended'],
      );
    },
  },
  {
    name: 'nothing is reported of an order that was refused',
    check: async (world) => {
      await placing(world, { ...bid, volume: '90' });
      deepEqual(world.reports(), []);
    },
  },
  {
    name: 'orders of others are not reported',
    check: async (world) => {
      world.placeAsOther({ ...ask, clientOrderId: 'theirs' });
      deepEqual(world.reports(), []);
    },
  },
  {
    name: 'the times of reports are of the clock of the venue, and do not run backwards',
    check: async (world) => {
      const beforeMs = world.nowMs;
      await filledInParts(world);
      const times = world.reports().flatMap((report) => ('atMs' in report ? [report.atMs] : []));
      deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      ok(times.every((atMs) => atMs >= beforeMs && atMs <= world.nowMs));
    },
  },
  {
    name: 'each row of a ledger is reported once, as the ledger shows it',
    check: async (world) => {
      const { base, counter } = world.market;
      await filledInParts(world);
      const reports = balancesIn(world.reports());
      for (const currency of [base, counter]) {
        const account = await accountOf(world.reader, currency);
        // What was there before the first order is not reported.
        const rows = (await movementsOf(world.reader, currency)).slice(1);
        deepEqual(
          reports.filter((report) => report.account === account).map(figuresOf),
          rows.map(figuresOf),
        );
      }
    },
  },
];

type Figures = Pick<
  BalanceReport,
  'row' | 'atMs' | 'balance' | 'delta' | 'available' | 'availableDelta'
>;

function figuresOf({ row, atMs, balance, delta, available, availableDelta }: Figures): Figures {
  return { row, atMs, balance, delta, available, availableDelta };
}
