/** A bot's view of an exchange that keeps an account for it: what it asks, and what it is told. */
import { formatAmount } from '../../src/domain/amount.ts';
import { parseLots, parseTicks, type Side } from '../../src/domain/market.ts';
import { decimalOf, formatDecimal, type Lots, type Ticks } from '../../src/domain/money.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import type { VenueReport } from '../../src/venue/venue-report.ts';
import type { ResponseOf } from '../../src/venues/luno/api/operation.ts';
import type {
  OperationName,
  Operations,
  PostorderParameters,
} from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import {
  type AccountSubject,
  type CreateSubject,
  subjectAccounts,
  subjectMarket,
} from './account-subjects.ts';
import { ManualTime } from './manual-time.ts';

const secondMicros = 1_000_000;

/** An amount however it is written: "1.50" and "1.5" are one. */
export function plain(amount: string): string {
  return formatDecimal(decimalOf(amount));
}

/** Returns the sum of two amounts. */
export function sumOf(one: string, other: string): string {
  return formatDecimal(decimalOf(one).plus(decimalOf(other)));
}

const ticks = (price: string): Ticks => parseTicks(price, subjectMarket) as Ticks;
const lots = (volume: string): Lots => parseLots(volume, subjectMarket) as Lots;
const signed = (amount: string): string => `${amount.startsWith('-') ? '' : '+'}${plain(amount)}`;

export class AccountBench {
  readonly subject: AccountSubject;
  readonly time = new ManualTime();
  readonly #aliases = new Map<string, string>();
  #reports: VenueReport[] = [];

  constructor(create: CreateSubject) {
    this.subject = create(this.time);
    this.subject.port.open((event) => this.#take(event));
    this.wait();
  }

  /** Lets a second pass. */
  wait(): void {
    this.time.nowMicros += secondMicros;
    this.subject.run();
  }

  /** Somebody's order rests; prices and volumes as decimals. */
  rest(side: Side, price: string, volume: string): void {
    this.subject.rest(side, ticks(price), lots(volume));
    this.wait();
  }

  /** Somebody takes from orders of ours that rest at `price` or better. */
  take(side: Side, price: string, volume: string): void {
    this.subject.take(side, ticks(price), lots(volume));
    this.wait();
  }

  /** Sends a request of this second and returns the reply. */
  ask(operation: OperationName, parameters: object): Reply {
    const reply = this.subject.ask(operation, parameters as Readonly<Record<string, unknown>>);
    this.subject.run();
    this.wait();
    return reply;
  }

  /** As {@link ask}; throws unless the exchange does what it is asked. */
  body<Name extends OperationName>(operation: Name, parameters: object) {
    const reply = this.ask(operation, parameters);
    if (reply.kind !== 'ok') throw new Error(`${operation}: ${JSON.stringify(reply)}`);
    return reply.body as ResponseOf<Operations[Name]>;
  }

  /** As {@link ask}; returns the exchange's code, "ok" if it does what it is asked. */
  code(operation: OperationName, parameters: object): string {
    const reply = this.ask(operation, parameters);
    return reply.kind === 'refused' ? reply.code : reply.kind;
  }

  /** Places an order that is accepted and returns its id. */
  place(part: Partial<PostorderParameters>): string {
    return this.body('postorder', this.order(part)).order_id;
  }

  /** Returns an order to buy 2 at 1.00 but for `part`. */
  order(part: Partial<PostorderParameters>): PostorderParameters {
    return { ...{ pair: subjectMarket.pair, type: 'BID', price: '1.00', volume: '2' }, ...part };
  }

  /** Returns a short name of an order: o1, o2, … as they were first seen. */
  alias(orderId: string): string {
    const known = this.#aliases.get(orderId) ?? `o${this.#aliases.size + 1}`;
    this.#aliases.set(orderId, known);
    return known;
  }

  /** Returns what was reported since the last call. */
  reports(): readonly VenueReport[] {
    const reports = this.#reports;
    this.#reports = [];
    return reports;
  }

  /** Returns them in short. */
  told(): readonly string[] {
    return this.reports().map((report) => this.#shortOf(report));
  }

  #shortOf(report: VenueReport): string {
    switch (report.kind) {
      case 'accepted':
      case 'ended':
        return `${this.alias(report.orderId)} ${report.kind}`;
      case 'filled': {
        const { base, counter, feeBase, feeCounter } = report.sums;
        const fill = `${signed(formatAmount(base))} for ${signed(formatAmount(counter))}`;
        const fees = `${formatAmount(feeBase)} ${formatAmount(feeCounter)}`;
        return `${this.alias(report.orderId)} ${formatAmount(report.filled)}, ${fill}, fee ${fees}`;
      }
      case 'balance': {
        const currency = report.account === subjectAccounts.XBT ? 'XBT' : 'EUR';
        const [balance, delta] = [report.balance, report.delta].map(formatAmount);
        const [free, freed] = [report.available, report.availableDelta].map(formatAmount);
        return `${currency} ${report.row}: ${balance} ${signed(delta ?? '')}, available ${free} ${signed(freed ?? '')}`;
      }
      case 'unknown':
        throw new Error(`an exchange does not report ${report.what} here`);
    }
  }

  #take(event: EngineEvent): void {
    if (event.kind === 'report') this.#reports.push(event.report);
  }
}
