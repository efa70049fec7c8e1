/**
 * Moves the market of one exchange: the best bid climbs by a tick each time, and now and then there
 * is a trade. It calls the exchange directly, not through the proxy.
 */
import { Client } from 'undici';
import { moverKeys } from './mover-keys.ts';

export const pair = 'XBTZAR';
const startPrice = 1_000_000;
/** The only ask; the best bid stays below it. */
const askPrice = startPrice + 20_000;
/** Where the other frames of a burst change the book, below the orders of the programs. */
const deepPrice = startPrice - 30_000;
const volume = '0.001';

type Key = { readonly id: string; readonly secret: string };
type Values = Readonly<Record<string, string>>;

export class MarketMover {
  /** The best bid; 0 before {@link open}. */
  best = 0;
  readonly #client: Client;
  #bidId = '';

  constructor(port: number) {
    this.#client = new Client(`http://127.0.0.1:${port}`, { pipelining: 64 });
  }

  /** Places both sides and makes a first trade. */
  async open(): Promise<void> {
    await this.#post({ type: 'ASK', price: String(askPrice), volume: '100' });
    this.best = startPrice;
    this.#bidId = await this.#post({ type: 'BID', price: String(startPrice), volume });
    await this.trade();
  }

  /** Raises the best bid by a tick after `others` changes far below; returns how to clean up. */
  async raise(others: number): Promise<() => Promise<void>> {
    const old = this.#bidId;
    this.best++;
    const deep = Array.from({ length: others }, (_, place) =>
      this.#post({ type: 'BID', price: String(deepPrice - place), volume }),
    );
    this.#bidId = await this.#post({ type: 'BID', price: String(this.best), volume });
    const ids = [old, ...(await Promise.all(deep))];
    return async () => {
      await Promise.all(ids.map((id) => this.#call('stoporder', { order_id: id })));
    };
  }

  /** Gives the market a trade, which leaves the best bid as it is. */
  async trade(): Promise<void> {
    const terms = { type: 'BID', price: String(askPrice), volume, time_in_force: 'IOC' };
    await this.#post(terms, moverKeys.taker);
  }

  async close(): Promise<void> {
    await this.#client.destroy();
  }

  async #post(terms: Values, key?: Key): Promise<string> {
    const answer = await this.#call('postorder', { pair, ...terms }, key);
    return (JSON.parse(answer) as { readonly order_id: string }).order_id;
  }

  /** Requests of one connection are answered in their order. */
  async #call(operation: string, values: Values, key: Key = moverKeys.quoter): Promise<string> {
    const { statusCode, body } = await this.#client.request({
      ...{ method: 'POST', path: `/api/1/${operation}`, idempotent: true },
      headers: {
        authorization: `Basic ${btoa(`${key.id}:${key.secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(values).toString(),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${operation} answered ${statusCode}: ${text}`);
    return text;
  }
}
