/**
 * Two rules by which the exchange protects its callers, and the switches that break them: the time
 * to live of an order request, and the uniqueness of its client_order_id.
 *
 * They are broken on the way to the exchange and back: a request loses its time to live before it
 * is read; a repeated id gets a fresh one, and everything that comes back says ours.
 */
import type { Truth } from '../../src/venues/luno/simulator/world/truth.ts';

export const exchangeRules = ['ttl', 'uniqueness'] as const;
export type ExchangeRule = (typeof exchangeRules)[number];

type Parameters = Readonly<Record<string, unknown>>;

/** A fresh id is ours with a dot and a number, which no id of ours has. */
const freshIds = /(b1-[a-z0-9]+-[0-9a-z]+-[a-z2-7]{12})\.\d+/gu;

export class ExchangeRules {
  readonly #broken: ReadonlySet<ExchangeRule>;
  #copies = 0;

  constructor(broken: readonly ExchangeRule[]) {
    this.#broken = new Set(broken);
  }

  isBroken(rule: ExchangeRule): boolean {
    return this.#broken.has(rule);
  }

  /** Returns an order request as the exchange reads it. */
  asRead(parameters: Parameters): Parameters {
    if (!this.isBroken('ttl')) return parameters;
    const { timestamp: _, ttl: __, ...rest } = parameters;
    return rest;
  }

  /** Returns the request under another id, for an exchange that does not see the repetition. */
  underFreshId(parameters: Parameters): Parameters {
    this.#copies++;
    const id = `${String(parameters['client_order_id'])}.${this.#copies}`;
    return { ...parameters, client_order_id: id };
  }

  /** Returns what the exchange says, with our ids in it. */
  withOwnIds(text: string): string {
    return this.#copies === 0 ? text : text.replaceAll(freshIds, '$1');
  }

  /** Returns the exchange's own books, with our ids in them. */
  truthOf(truth: Truth): Truth {
    if (this.#copies === 0) return truth;
    const orders = truth.orders.map((order) => ({
      ...order,
      client_order_id: this.withOwnIds(order.client_order_id),
    }));
    return { ...truth, orders };
  }
}
