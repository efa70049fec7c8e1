/** A bot's view of an exchange that keeps an account for it: what it asks, and what it is told. */
import { type Amount, formatAmount } from '../../src/domain/amount.ts';
import { parseLots, parseTicks, type Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import type { Answers, OrderView, VenueReply } from '../../src/venue/venue-reply.ts';
import type { VenueReport } from '../../src/venue/venue-report.ts';
import type { PlaceRequest, VenueRequest } from '../../src/venue/venue-request.ts';
import {
  type AccountSubject,
  type CreateSubject,
  subjectAccounts,
  subjectMarket,
} from './account-subjects.ts';
import { ManualTime } from './manual-time.ts';
import { type PlacePart, placing } from './replay-market.ts';

const secondMicros = 1_000_000;

const ticks = (price: string): Ticks => parseTicks(price, subjectMarket) as Ticks;
const lots = (volume: string): Lots => parseLots(volume, subjectMarket) as Lots;
const signed = (amount: Amount): string => `${amount < 0n ? '' : '+'}${formatAmount(amount)}`;

export class AccountBench {
  readonly subject: AccountSubject;
  readonly time = new ManualTime();
  readonly #aliases = new Map<string, string>();
  readonly #replies = new Map<number, VenueReply>();
  #reports: VenueReport[] = [];
  #requests = 0;
  #orders = 0;

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
  ask<Request extends VenueRequest>(call: Request): VenueReply<Request['kind']> {
    const request = ++this.#requests;
    this.subject.port.request({ kind: 'request', request, call, deadlineMs: 4_000 });
    this.subject.run();
    const reply = this.#replies.get(request);
    if (reply === undefined) throw new Error(`${call.kind} was not answered`);
    this.wait();
    // Of the kind that was asked.
    return reply as VenueReply<Request['kind']>;
  }

  /** As {@link ask}; throws unless the exchange does what it is asked. */
  value<Request extends VenueRequest>(call: Request): Answers[Request['kind']] {
    const reply = this.ask(call);
    if (reply.kind !== 'ok') throw new Error(`${call.kind}: ${JSON.stringify(reply)}`);
    return reply.value;
  }

  /** As {@link ask}; returns why the exchange refuses it, "ok" if it does what it is asked. */
  reason(call: VenueRequest): string {
    const reply = this.ask(call);
    return reply.kind === 'refused' ? reply.reason : reply.kind;
  }

  /** Places an order that is accepted and returns its id. */
  place(part: PlacePart): string {
    return this.value(this.order(part)).orderId;
  }

  cancel(orderId: string): string {
    return this.reason({ kind: 'cancel', orderId });
  }

  orderOf(orderId: string): OrderView {
    return this.value({ kind: 'order', orderId });
  }

  /** Returns an order of this second to buy 2 at 1.00 but for `part`. */
  order(part: PlacePart): PlaceRequest {
    const clientOrderId = `order-${++this.#orders}`;
    const timestampMs = Math.floor(this.time.nowMicros / 1000);
    return placing({ clientOrderId, timestampMs, ...part }, subjectMarket);
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
        const fill = `${signed(base)} for ${signed(counter)}`;
        const fees = `${formatAmount(feeBase)} ${formatAmount(feeCounter)}`;
        return `${this.alias(report.orderId)} ${formatAmount(report.filled)}, ${fill}, fee ${fees}`;
      }
      case 'balance': {
        const currency = report.account === subjectAccounts.XBT ? 'XBT' : 'EUR';
        const balance = `${formatAmount(report.balance)} ${signed(report.delta)}`;
        const available = `${formatAmount(report.available)} ${signed(report.availableDelta)}`;
        return `${currency} ${report.row}: ${balance}, available ${available}`;
      }
      case 'unknown':
        throw new Error(`an exchange does not report ${report.what} here`);
    }
  }

  #take(event: EngineEvent): void {
    if (event.kind === 'reply') this.#replies.set(event.request, event.reply);
    if (event.kind === 'report') this.#reports.push(event.report);
  }
}
