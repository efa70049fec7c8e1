/**
 * The network between one life of the bot and the simulated exchange: requests travel, are lost,
 * late, or answered wrongly; answers are read by the client's own reader.
 */

import type { Scales } from '../../src/domain/market.ts';
import type { Effect, EngineEvent } from '../../src/engine/event.ts';
import type { ExchangePort } from '../../src/engine/exchange-port.ts';
import { venueReplyOf } from '../../src/venues/luno/adapter/codec.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import { parseWireJson, stringifyWireJson } from '../../src/venues/luno/api/wire-json.ts';
import type { EgressGuard } from '../../src/venues/luno/client/egress-guard.ts';
import { readReply } from '../../src/venues/luno/client/read-reply.ts';
import { createRequestWriter } from '../../src/venues/luno/client/request-writer.ts';
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import { simulatorRequestOf } from '../../src/venues/luno/simulator/server/http-request.ts';
import { botKey } from './simulated-exchange.ts';
import { Distortion } from './virtual-distortion.ts';
import type { Tamper, WorldOptions } from './virtual-run.ts';
import { type StreamWorld, VirtualStream } from './virtual-streams.ts';
import { type RequestEffect, type WireEffect, wireEffectOf } from './wire-effect.ts';

type Request = WireEffect;
/** The last look of the bot's own transport; with it a test can also change what leaves. */
export type Transport = {
  readonly guard: Pick<EgressGuard, 'inspect'>;
  readonly change?: ((request: Request) => Request) | undefined;
};
type Row = { readonly timestamp: number; readonly creation_timestamp: number };

/** Reads may lag behind by less than what the bot allows for, never by more. */
const lagMsMax = 4_500;
/** When a proxy repeats a request, after it left; the bot gives one up after two minutes. */
const againMs = [500, 1_500, 2_010, 8_000, 119_000] as const;
/**
 * An exchange that does not see a repetition is protected by the time to live alone, so only a
 * repetition after it is one that a caller can be protected from.
 */
const againAfterTtlMs = [2_010, 8_000, 119_000] as const;

export type ExchangeWorld = StreamWorld & {
  /** Hands to the bot's process what has come for it. */
  readonly receive: (run: () => void) => void;
  /** Hears of every request as it leaves. */
  readonly onLeave: (request: Request) => void;
  /** Until when the exchange refuses every call for the rate. */
  readonly throttledUntilMicros: () => number;
  /** What a test does to single requests and answers. */
  readonly hooks: Pick<WorldOptions, 'tamper' | 'fate'>;
  /** Hears when a request, or a repetition of it, will arrive. */
  readonly onTravel: (request: Request, atMicros: number) => void;
  /** Hears of every answer of the exchange, as it makes it. */
  readonly onAnswer: (request: Request, response: SimulatorResponse) => void;
};

const keep: Tamper = (_request, response) => response;

const authorization = `Basic ${Buffer.from(`${botKey.id}:${botKey.secret}`).toString('base64')}`;
const write = createRequestWriter({
  authorization: () => authorization,
  wallet: undefined,
  paths: {},
  allow: Object.keys(operations) as OperationName[],
});

function writtenOf({ operation, parameters }: Pick<Request, 'operation' | 'parameters'>) {
  const written = write(operation, parameters as never);
  if ('refusal' in written) throw new Error(`the client would not send it: ${written.refusal}`);
  return written;
}

export class VirtualExchange implements ExchangePort {
  readonly #world: ExchangeWorld;
  readonly #market: Scales & { readonly pair: string };
  /** Asked before each request leaves; false kills the process instead. */
  readonly #mayLeave: () => boolean;
  readonly #distortion: Distortion;
  readonly #streams: VirtualStream[] = [];
  #sink: (event: EngineEvent) => void = () => {};
  /** Last body of each recent read, oldest first, to be told again by a replica that lags. */
  readonly #past = new Map<
    string,
    { readonly atMs: number; readonly response: SimulatorResponse }
  >();

  readonly #transport: Transport;

  constructor(
    world: ExchangeWorld,
    market: Scales & { readonly pair: string },
    transport: Transport,
    mayLeave: () => boolean,
  ) {
    this.#world = world;
    this.#distortion = new Distortion(world.faults, world.random);
    this.#market = market;
    this.#transport = transport;
    this.#mayLeave = mayLeave;
  }

  open(sink: (event: EngineEvent) => void): void {
    this.#sink = (event) => this.#world.receive(() => sink(event));
    this.#streams.push(
      new VirtualStream(this.#world, this.#market.pair, (event) => this.#sink(event)),
    );
    this.#streams.push(new VirtualStream(this.#world, undefined, (event) => this.#sink(event)));
  }

  reconnect(effect: Extract<Effect, { kind: 'reconnect' }>): void {
    this.#streams[effect.stream === 'market' ? 0 : 1]?.lose(effect.reason);
  }

  /** The process dies: nothing is delivered any more, but what has left goes on travelling. */
  async close(): Promise<void> {
    this.#sink = () => {};
    for (const stream of this.#streams) stream.close();
  }

  request(effect: RequestEffect): void {
    if (!this.#mayLeave()) return;
    const asked = wireEffectOf(effect, this.#market);
    const request = this.#transport.change?.(asked) ?? asked;
    const { time, random, faults, onLeave, onTravel, hooks } = this.#world;
    const { tamper = keep, fate } = hooks;
    let isAnswered = false;
    const reply = (value: Reply, afterMs: number): void => {
      time.after(afterMs, () => {
        if (isAnswered) return;
        isAnswered = true;
        const answer = venueReplyOf(effect.call, value);
        this.#sink({ kind: 'reply', request: request.request, reply: answer });
      });
    };
    const latencyMs = (): number => random.integer(200, 20_000) / 1000;
    const objection = this.#transport.guard.inspect(writtenOf(request));
    if (objection !== undefined) {
      reply({ kind: 'not-sent', reason: `egress guard: ${objection}`, isBlocked: true }, 0);
      return;
    }
    if (faults.fires('req.refused')) {
      reply({ kind: 'not-sent', reason: 'ECONNREFUSED' }, latencyMs());
      return;
    }
    onLeave(request);
    reply({ kind: 'no-answer', reason: 'no answer in time' }, request.deadlineMs);
    const leftMicros = time.nowMicros;
    // A proxy that got no answer may send the request a second time, whenever it likes.
    const sendAgain = (): void => {
      if (!faults.fires('req.again')) return;
      const afterMs = random.pick(
        this.#world.rules.isBroken('uniqueness') ? againAfterTtlMs : againMs,
      );
      const atMicros = leftMicros + afterMs * 1000;
      if (atMicros <= time.nowMicros) return;
      onTravel(request, atMicros);
      time.at(atMicros, () => arrive(() => {}, true));
    };
    const arrive = (onLost: () => void, isRepetition = false): void => {
      const made = this.#process(request, isRepetition);
      const response = made === undefined ? undefined : tamper(request, made, faults.isStorm);
      if (response === undefined) return;
      if (faults.fires('res.drop')) {
        onLost();
        return;
      }
      if (faults.fires('res.reset'))
        reply({ kind: 'no-answer', reason: 'ECONNRESET' }, latencyMs());
      const isCut = faults.fires('res.truncate');
      const text = this.#world.rewrite(request.operation, response.body ?? '');
      const body = Buffer.from(isCut ? text.slice(0, random.integer(0, text.length)) : text);
      const schema = operations[request.operation].response;
      const { status, headers } = response;
      const outcome = { kind: 'answer', status, headers, body } as const;
      const slowMs = faults.fires('res.slow') ? random.integer(100, 5_000) : 0;
      reply(
        readReply(outcome, schema, request.operation, (shown) => shown),
        latencyMs() + slowMs,
      );
    };
    const fated = fate?.(request, faults.isStorm);
    if (fated === 'lost') return;
    if (faults.fires('req.drop')) {
      sendAgain();
      return;
    }
    // A proxy may give the connection up although the request is still on its way behind it.
    const isGivenUp = faults.fires('req.delay.reset') || fated !== undefined;
    const isLate = faults.fires('req.delay') || isGivenUp;
    const lateMs = fated ?? (isLate ? random.pick([500, 1_500, 2_010, 8_000, 119_000]) : 0);
    if (isGivenUp) reply({ kind: 'no-answer', reason: 'ECONNRESET' }, latencyMs());
    const afterMs = latencyMs() + lateMs;
    onTravel(request, time.nowMicros + afterMs * 1000);
    time.after(afterMs, () => arrive(sendAgain));
  }

  /** What comes back; undefined for nothing. `isRepetition`: a proxy sent it, not the bot. */
  #process(request: Request, isRepetition: boolean): SimulatorResponse | undefined {
    const { time, faults, random, onAnswer, throttledUntilMicros } = this.#world;
    const failed = (status: number, code = ''): SimulatorResponse => ({
      status,
      headers: { date: new Date(Math.floor(time.nowMicros / 1000)).toUTCString() },
      body:
        code === ''
          ? '<html>no such page</html>'
          : JSON.stringify({ error_code: code, error: code }),
    });
    if (time.nowMicros < throttledUntilMicros()) {
      const refused = failed(429, 'ErrTooManyRequests');
      return { ...refused, headers: { ...refused.headers, 'retry-after': '2' } };
    }
    if (faults.fires('redirect')) {
      const moved = failed(random.pick([301, 302, 307, 308]));
      return { ...moved, headers: { ...moved.headers, location: 'https://evil.example/' } };
    }
    if (faults.fires('status.before.5xx'))
      return failed(random.pick([500, 502, 503, 504]), random.pick(['', 'ErrInternal']));
    if (faults.fires('status.before.429')) return failed(429, 'ErrTooManyRequests');
    if (faults.fires('status.before.html404')) return failed(404);

    const made = this.#ask(request);
    onAnswer(request, made);
    if (faults.fires('status.after.429')) return failed(429, 'ErrTooManyRequests');
    if (faults.fires('status.after.5xx'))
      return failed(random.pick([500, 503]), random.pick(['', 'ErrInternal']));
    if (request.operation === 'postorder' && faults.fires('status.after.deadline'))
      return failed(400, 'ErrDeadlineExceeded');
    // Nobody shows the order of its checks: the money may be looked at first. Of a repetition that
    // the bot does not know of, such an answer would be a lie that no caller could see.
    const isRefused = /ErrDuplicateClientOrderID|ErrDeadlineExceeded/u.test(made.body ?? '');
    if (isRefused && !isRepetition && faults.fires('checks.order'))
      return failed(400, 'ErrInsufficientBalance');
    const told = made.status === 200 ? this.#readAs(request, made) : made;
    return this.#dated(faults.fires('res.mutate') ? { ...told, body: this.#mutated(told) } : told);
  }

  /** What a read tells, from a replica that lags or worse. */
  #readAs(request: Request, made: SimulatorResponse): SimulatorResponse {
    const { operation, parameters } = request;
    return this.#distortion.of(operation, parameters, this.#lagging(request, made));
  }

  /** A body that its operation does not declare. */
  #mutated({ body = '' }: SimulatorResponse): string {
    return this.#world.random.pick([
      '',
      '{}',
      'null',
      '[]',
      '<html>200</html>',
      '{"order_id":12}',
      '{"order_id":""}',
      `{"order_id":"${'x'.repeat(10_000)}"}`,
      `\u0000${body}`,
      `${body}}`,
    ]);
  }

  /** The clock of an answer may be missing, or be that of an older one which an edge has kept. */
  #dated(response: SimulatorResponse): SimulatorResponse {
    const { time, faults, random } = this.#world;
    if (faults.fires('clock.noDate')) {
      const { date: _, ...headers } = response.headers;
      return { ...response, headers };
    }
    if (!faults.fires('clock.staleDate')) return response;
    const pastMs = Math.floor(time.nowMicros / 1000) - random.integer(1_000, 30_000);
    return { ...response, headers: { ...response.headers, date: new Date(pastMs).toUTCString() } };
  }

  /** The exchange's own answer, by the rules that it keeps. */
  #ask({ operation, parameters }: Request): SimulatorResponse {
    const { time, simulator, rules } = this.#world;
    const ask = (asked: Request['parameters']): SimulatorResponse => {
      const written = writtenOf({ operation, parameters: asked });
      return simulator.handle(
        simulatorRequestOf({
          method: written.method,
          url: written.path,
          address: '127.0.0.1',
          headers: {},
          authorization,
          body: written.body === undefined ? undefined : { kind: 'form', text: written.body },
        }),
        time.nowMicros,
      );
    };
    const isOrder = operation === 'postorder';
    const read = isOrder ? rules.asRead(parameters) : parameters;
    const made = ask(read);
    const isRepeated = isOrder && made.body?.includes('ErrDuplicateClientOrderID') === true;
    const given = isRepeated && rules.isBroken('uniqueness') ? ask(rules.underFreshId(read)) : made;
    return given.body === undefined ? given : { ...given, body: rules.withOwnIds(given.body) };
  }

  /** What a replica that lags behind would say instead. */
  #lagging(request: Request, made: SimulatorResponse): SimulatorResponse {
    const { time, faults, random } = this.#world;
    const nowMs = Math.floor(time.nowMicros / 1000);
    const isRecent = (timeMs: number): boolean => nowMs - timeMs < lagMsMax;
    const { operation } = request;
    const key = `${operation} ${JSON.stringify(request.parameters)}`;
    const past = this.#past.get(key);
    const again = past !== undefined && isRecent(past.atMs) ? past.response : made;
    const rewritten = (value: unknown): SimulatorResponse => ({
      ...made,
      body: stringifyWireJson(value),
    });
    const read = (): Record<string, Row[]> =>
      parseWireJson(made.body ?? '{}') as Record<string, Row[]>;
    switch (operation) {
      case 'getOrderV3': {
        if (!faults.fires('lag.get')) break;
        const record = read() as unknown as Row;
        if (!isRecent(record.creation_timestamp) || random.fraction() < 0.3) return again;
        const body = JSON.stringify({ error_code: 'ErrOrderNotFound', error: 'not found' });
        return { ...made, status: 404, body };
      }
      case 'listOrdersV2':
        if (faults.fires('lag.list')) return again;
        break;
      case 'balance':
        if (faults.fires('lag.balance')) return again;
        break;
      case 'listtrades': {
        if (!faults.fires('lag.trades')) break;
        const trades = (read()['trades'] ?? []).filter(
          (trade) => !isRecent(trade.timestamp) || random.fraction() < 0.5,
        );
        return rewritten({ trades });
      }
      case 'transactions': {
        if (!faults.fires('lag.ledger')) break;
        const body = read();
        const rows = body['transactions'] ?? [];
        const cut = rows.findIndex((row) => isRecent(row.timestamp));
        const kept = cut === -1 ? rows : rows.slice(0, random.integer(cut, rows.length));
        return rewritten({ ...body, transactions: kept });
      }
      default:
        return made;
    }
    this.#past.delete(key);
    this.#past.set(key, { atMs: nowMs, response: made });
    for (const [oldest, { atMs }] of this.#past) {
      if (isRecent(atMs)) break;
      this.#past.delete(oldest);
    }
    return made;
  }
}
