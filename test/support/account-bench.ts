/** A bot's view of an exchange that keeps an account for it: what it asks, and what it is told. */
import { parseLots, parseTicks, type Side } from '../../src/domain/market.ts';
import { decimalOf, formatDecimal, type Lots, type Ticks } from '../../src/domain/money.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import type { ResponseOf } from '../../src/venues/luno/api/operation.ts';
import type {
  OperationName,
  Operations,
  PostorderParameters,
} from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import type { UserMessage } from '../../src/venues/luno/api/user-messages.ts';
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
  readonly #replies = new Map<number, Reply>();
  readonly #aliases = new Map<string, string>();
  #messages: UserMessage[] = [];
  #requests = 0;

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
    const request = ++this.#requests;
    this.subject.port.request({
      ...{ kind: 'request', request, operation, deadlineMs: 4_000 },
      parameters: parameters as Readonly<Record<string, unknown>>,
    });
    this.subject.run();
    const reply = this.#replies.get(request);
    if (reply === undefined) throw new Error(`${operation} was not answered`);
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

  /** Returns the messages of the user stream since the last call. */
  messages(): readonly UserMessage[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /** Returns them in short. */
  told(): readonly string[] {
    return this.messages().map((message) => this.#shortOf(message));
  }

  #shortOf(message: UserMessage): string {
    switch (message.kind) {
      case 'order-status':
        return `${this.alias(message.update.order_id)} ${message.update.status}`;
      case 'order-fill': {
        const fill = message.update;
        const sums = `${plain(fill.base_fill)} for ${plain(fill.counter_fill)}`;
        const deltas = `${signed(fill.base_delta)} for ${signed(fill.counter_delta)}`;
        const fees = [fill.base_fee_delta, fill.counter_fee_delta].map(plain).join(' ');
        return `${this.alias(fill.order_id)} ${sums}, ${deltas}, fee ${fees}`;
      }
      case 'balance': {
        const figures = message.update;
        const { account_id: id, row_index: row } = figures;
        const currency = id === subjectAccounts.XBT ? 'XBT' : 'EUR';
        const balance = `${plain(figures.balance)} ${signed(figures.balance_delta)}`;
        const available = `${plain(figures.available)} ${signed(figures.available_delta)}`;
        return `${currency} ${row}: ${balance}, available ${available}`;
      }
      default:
        throw new Error(`an exchange does not say ${JSON.stringify(message)} here`);
    }
  }

  #take(event: EngineEvent): void {
    if (event.kind === 'reply') this.#replies.set(event.request, event.reply);
    // A keep-alive says nothing of the account.
    if (event.kind === 'user-frame' && event.message.kind !== 'keep-alive')
      this.#messages.push(event.message);
  }
}
