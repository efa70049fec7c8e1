/**
 * What the proxy sees of reactions, by one clock: when a frame that raises the best bid is written
 * to the program, and when the last byte of each order that answers it has arrived. An order names
 * by its price which change it answers. A line delay is added each way.
 */
import type { FaultHooks } from '../network/fault.ts';
import type { HttpExchange } from '../network/http-exchange.ts';
import type { StreamLine } from '../network/stream-line.ts';
import { ticksBelow } from './bot-settings-text.ts';
import { monotonicMicros } from './monotonic.ts';

/** One order that answers a change. */
export type ReactionTimes = { readonly frameMicros: number; readonly orderMicros: number };

export class ReactionWatch {
  /** Calls of the program so far. */
  calls = 0;
  /** Calls that are not answered. */
  open = 0;
  /** When a call was last made or answered. */
  lastMicros = 0;
  readonly #lineDelayMs: number;
  readonly #countOf: (operation: string) => number;
  /** When the frame left that raised the best bid to this price. */
  readonly #frameMicros = new Map<number, number>();
  readonly #times = new Map<number, ReactionTimes[]>();
  /** The price whose frame is awaited, and the frames of its burst that are kept for it. */
  #awaited: number | undefined;
  #keeps = false;
  readonly #kept: string[] = [];

  constructor(parts: {
    readonly lineDelayMs: number;
    readonly countOf: (operation: string) => number;
  }) {
    this.#lineDelayMs = parts.lineDelayMs;
    this.#countOf = parts.countOf;
  }

  /** For the proxy. */
  readonly hooks: FaultHooks = {
    frame: (line, text) => {
      this.#frame(line, text);
      return true;
    },
    http: (exchange) => {
      this.#later(() => void this.#call(exchange));
      return true;
    },
  };

  /** Awaits the frame that raises the best bid to `price`; a burst leaves at once, with it. */
  await(price: number, isBurst: boolean): void {
    this.#awaited = price;
    this.#keeps = isBurst;
  }

  /** When the frame left that raised the best bid to `price`; undefined before. */
  frameOf(price: number): number | undefined {
    return this.#frameMicros.get(price);
  }

  /** The orders that answered the change to `price` so far. */
  ordersOf(price: number): readonly ReactionTimes[] {
    return this.#times.get(price) ?? [];
  }

  #frame(line: StreamLine, text: string): void {
    if (line.name === 'user' || this.#awaited === undefined) {
      this.#later(() => line.deliver(text));
      return;
    }
    const price = this.#awaited;
    const isCause = raisedTo(text) === price;
    if (this.#keeps && !isCause) {
      this.#kept.push(text);
      return;
    }
    const before = this.#kept.splice(0);
    if (isCause) this.#awaited = undefined;
    this.#later(() => {
      for (const one of before) line.deliver(one);
      if (isCause) this.#frameMicros.set(price, monotonicMicros());
      line.deliver(text);
    });
  }

  async #call(exchange: HttpExchange): Promise<void> {
    const nowMicros = monotonicMicros();
    this.calls += this.#countOf(exchange.operation);
    this.lastMicros = nowMicros;
    this.open++;
    if (exchange.operation === 'postorder') this.#order(exchange, nowMicros);
    // What has arrived as well is stamped before this process works for the exchange.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const answer = await exchange.forward();
      this.#later(() => exchange.reply(answer));
    } catch {
      exchange.reset();
    }
    this.open--;
    this.lastMicros = monotonicMicros();
  }

  #order(exchange: HttpExchange, orderMicros: number): void {
    const price = Number(exchange.parameter('price')) + ticksBelow;
    const frameMicros = this.#frameMicros.get(price);
    if (frameMicros === undefined) return;
    const times = this.#times.get(price) ?? [];
    times.push({ frameMicros, orderMicros });
    this.#times.set(price, times);
  }

  #later(act: () => void): void {
    if (this.#lineDelayMs === 0) act();
    else setTimeout(act, this.#lineDelayMs);
  }
}

/** The price of the bid that a frame creates; undefined if it creates none. */
function raisedTo(text: string): number | undefined {
  const { create_update: created } = JSON.parse(text) as {
    readonly create_update?: { readonly type: string; readonly price: string } | null;
  };
  return created?.type === 'BID' ? Number(created.price) : undefined;
}
