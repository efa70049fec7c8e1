/**
 * Luno's adapter with the simulator behind it: requests are written as the client writes them, and
 * answers are read by the client's own reader.
 */
import type { MarketStatus } from '../../../src/domain/market.ts';
import type { VenueReader } from '../../../src/venue/venue-reader.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';
import type { VenueReport } from '../../../src/venue/venue-report.ts';
import type { VenueRequest } from '../../../src/venue/venue-request.ts';
import { venueReplyOf, wireRequestOf } from '../../../src/venues/luno/adapter/codec.ts';
import { createLunoReader, type WireCall } from '../../../src/venues/luno/adapter/reader.ts';
import { type OperationName, operations } from '../../../src/venues/luno/api/operations.ts';
import { userStreamPath } from '../../../src/venues/luno/api/user-messages.ts';
import type { HttpOutcome } from '../../../src/venues/luno/client/http-exchange.ts';
import { readReply } from '../../../src/venues/luno/client/read-reply.ts';
import { createRequestWriter } from '../../../src/venues/luno/client/request-writer.ts';
import type { SimulatorResponse } from '../../../src/venues/luno/simulator/core/simulator-request.ts';
import { simulatorRequestOf } from '../../../src/venues/luno/simulator/server/http-request.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  simulatorFor,
  startMicros,
} from '../../support/simulated-exchange.ts';
import { reportIn } from '../../support/user-frames.ts';
import type { PlacedOrder, ReaderFault, VenueUnderTest, VenueWorld } from './venue-world.ts';

/** Calls are this far apart, so that the venue's limit of calls is not in the way. */
const paceMicros = 250_000;

export const lunoUnderTest: VenueUnderTest = {
  name: 'luno',
  lacks: [],
  open: () => new LunoWorld(),
};

class LunoWorld implements VenueWorld {
  readonly market = quietSettings.markets[0] as (typeof quietSettings.markets)[number];
  readonly #simulator = simulatorFor(quietSettings);
  #timeMicros = startMicros;
  readonly #call = this.#callOf(botKey, (call) => call());
  readonly reader = createLunoReader(this.#call);
  #reports: VenueReport[] = [];

  constructor() {
    const session = this.#simulator.openSession(
      userStreamPath,
      (output) => {
        const report = output.kind === 'close' ? undefined : reportIn(output.text);
        if (report !== undefined) this.#reports.push(report);
      },
      this.#timeMicros,
    );
    const greeting = { api_key_id: botKey.id, api_key_secret: botKey.secret };
    session?.receive(JSON.stringify(greeting), this.#timeMicros);
  }

  get nowMs(): number {
    return Math.floor(this.#timeMicros / 1000);
  }

  async ask<Request extends VenueRequest>(request: Request): Promise<VenueReply<Request['kind']>> {
    const { operation, parameters } = wireRequestOf(request, () => this.market);
    return venueReplyOf(request, await this.#call(operation, parameters as never));
  }

  reports(): readonly VenueReport[] {
    const reports = this.#reports;
    this.#reports = [];
    return reports;
  }

  place(order: PlacedOrder): string {
    return this.#place(botKey, order);
  }

  placeAsOther(order: PlacedOrder): string {
    return this.#place(otherKey, order);
  }

  tradeOfOthers(price: string): void {
    for (const side of ['ASK', 'BID'] as const)
      this.#place(otherKey, { side, price, volume: '0.001' });
  }

  cancel(orderId: string): void {
    this.#caller(botKey).post('/api/1/stoporder', { order_id: orderId });
  }

  advance(ms: number): void {
    this.#timeMicros += ms * 1000;
    this.#simulator.advance(this.#timeMicros);
  }

  setStatus(status: MarketStatus): void {
    const { pair } = this.market;
    this.#simulator.control({ kind: 'set-status', pair, status }, this.#timeMicros);
  }

  failingReader(fault: ReaderFault): VenueReader {
    switch (fault) {
      case 'unknown-key':
        return this.#readerOf({ id: 'sim_bot', secret: 'not the secret' }, (call) => call());
      case 'throttled':
        return this.#readerOf(botKey, () => failed(429, 'ErrTooManyRequests'));
      case 'failing':
        return this.#readerOf(botKey, () => failed(500, 'ErrInternal'));
      case 'page':
        return this.#readerOf(botKey, () => failed(404));
      case 'unreachable':
        return this.#readerOf(botKey, () => ({ kind: 'not-sent', reason: 'ECONNREFUSED' }));
    }
  }

  #place(key: typeof botKey, order: PlacedOrder): string {
    const { side, price, volume, clientOrderId, timeInForce } = order;
    const placed = this.#caller(key).post('/api/1/postorder', {
      ...{ pair: this.market.pair, type: side, price, volume },
      ...(clientOrderId === undefined ? {} : { client_order_id: clientOrderId }),
      ...(timeInForce === undefined ? {} : { time_in_force: timeInForce }),
    });
    const { order_id: id } = placed;
    if (id === undefined) throw new Error(`it was refused: ${JSON.stringify(placed)}`);
    return id;
  }

  #caller(key: typeof botKey): Caller {
    return new Caller(this.#simulator, key, this.#timeMicros);
  }

  #readerOf(key: typeof botKey, answer: (call: () => HttpOutcome) => HttpOutcome): VenueReader {
    return createLunoReader(this.#callOf(key, answer));
  }

  /** `answer` may put an outcome in the place of the venue's. */
  #callOf(key: typeof botKey, answer: (call: () => HttpOutcome) => HttpOutcome): WireCall {
    const authorization = `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`;
    const write = createRequestWriter({
      authorization: () => authorization,
      wallet: undefined,
      paths: {},
      allow: Object.keys(operations) as OperationName[],
    });
    return async (name, parameters) => {
      const written = write(name, parameters);
      if ('refusal' in written) return { kind: 'not-sent', reason: written.refusal };
      this.#timeMicros += paceMicros;
      const outcome = answer(() =>
        outcomeOf(
          this.#simulator.handle(
            simulatorRequestOf({
              ...{ method: written.method, url: written.path, address: '127.0.0.1', headers: {} },
              ...{
                authorization:
                  operations[name].authentication === 'none' ? undefined : authorization,
              },
              body: written.body === undefined ? undefined : { kind: 'form', text: written.body },
            }),
            this.#timeMicros,
          ),
        ),
      );
      return readReply(outcome, operations[name].response, name, (text) => text) as never;
    };
  }
}

function outcomeOf({ status, headers, body = '' }: SimulatorResponse): HttpOutcome {
  return { kind: 'answer', status, headers, body: Buffer.from(body) };
}

function failed(status: number, code?: string): HttpOutcome {
  const body =
    code === undefined ? '<html>no such page</html>' : JSON.stringify({ error_code: code });
  return outcomeOf({ status, headers: {}, body });
}
