/**
 * The bot's two kinds of stream in virtual time: connections that are lost and come back, frames
 * that are late, lost or told twice.
 *
 * Invariant: frames of one connection arrive in the order in which they were sent, unless a knob
 * says that the exchange sent them in another one.
 */

import { DecodeError } from '../../src/domain/errors.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import { decodeMarketFrame } from '../../src/venues/luno/api/market-messages.ts';
import { userStreamPath } from '../../src/venues/luno/api/user-messages.ts';
import type { Simulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import type { StreamSession } from '../../src/venues/luno/simulator/world/stream-sessions.ts';
import type { SeededRandom } from './seeded-random.ts';
import { botKey } from './simulated-exchange.ts';
import { reportIn } from './user-frames.ts';
import { damages } from './virtual-distortion.ts';
import type { Faults } from './virtual-faults.ts';
import type { ExchangeRules } from './virtual-rules.ts';
import type { Rewrite } from './virtual-run.ts';
import type { VirtualTime } from './virtual-time.ts';

const silentMs = 60_000;
const delaysMicros = [500_000, 2_500_000, 6_000_000] as const;

export type StreamWorld = {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly simulator: Simulator;
  readonly rules: ExchangeRules;
  readonly rewrite: Rewrite;
  /** While this is true, the stream of this market, or the user stream, cannot be opened. */
  readonly isAway: (pair: string | undefined) => boolean;
};

/** One stream of one life of the bot; it reconnects until it is closed. */
export class VirtualStream {
  readonly #world: StreamWorld;
  readonly #pair: string | undefined;
  readonly #sink: (event: EngineEvent) => void;
  #session: StreamSession | undefined;
  /** Counts connections, so that frames of an old one are not delivered. */
  #connection = 0;
  #deliveredMicros = 0;
  #isClosed = false;
  #isFrozen = false;

  /** `pair` for its market stream, undefined for the user stream. */
  constructor(world: StreamWorld, pair: string | undefined, sink: (event: EngineEvent) => void) {
    this.#world = world;
    this.#pair = pair;
    this.#sink = sink;
    this.#connectAfter(world.random.integer(2, 60));
  }

  /** Ends the connection and opens another one later. */
  lose(reason: string): void {
    if (this.#session === undefined || this.#isClosed) return;
    this.#endSession();
    const { pair } = { pair: this.#pair };
    this.#sink(
      pair === undefined
        ? { kind: 'user-closed', reason }
        : { kind: 'market-closed', pair, reason },
    );
    const { faults, random } = this.#world;
    const awayMs = faults.fires('ws.away')
      ? random.pick([20_000, 40_000, 299_000, 300_000, 301_000])
      : random.integer(20, 3_000);
    this.#connectAfter(awayMs);
  }

  /** The process is gone. */
  close(): void {
    this.#isClosed = true;
    this.#endSession();
  }

  #endSession(): void {
    const session = this.#session;
    this.#session = undefined;
    this.#connection++;
    session?.close(this.#world.time.nowMicros);
  }

  #connectAfter(milliseconds: number): void {
    const { time, faults, random } = this.#world;
    time.after(milliseconds, () => {
      if (this.#isClosed || this.#session !== undefined) return;
      const isAway = this.#world.isAway(this.#pair);
      if (isAway || faults.fires('ws.refuse')) this.#connectAfter(random.integer(50, 4_000));
      else this.#connect();
    });
  }

  #connect(): void {
    const { time, simulator, faults, rules } = this.#world;
    const pair = this.#pair;
    const connection = ++this.#connection;
    this.#isFrozen = false;
    const path = pair === undefined ? userStreamPath : `/api/1/stream/${pair}`;
    const isForgotten = pair === undefined && faults.fires('user.forget');
    let isGreeting = true;
    this.#sink(pair === undefined ? { kind: 'user-opened' } : { kind: 'market-opened', pair });
    this.#session = simulator.openSession(
      path,
      (output) => {
        if (output.kind === 'close') return;
        // What the exchange repeats after a reconnect is exactly what it says while greeting.
        if (!(isGreeting && isForgotten)) this.#transmit(connection, rules.withOwnIds(output.text));
      },
      time.nowMicros,
    );
    this.#session?.receive(
      JSON.stringify({ api_key_id: botKey.id, api_key_secret: botKey.secret }),
      time.nowMicros,
    );
    isGreeting = false;
  }

  #transmit(connection: number, sent: string): void {
    const { time, faults, random, rewrite } = this.#world;
    const kind = this.#pair === undefined ? 'user' : 'market';
    const text = rewrite(kind, sent);
    if (this.#pair === undefined && this.#world.isAway(undefined)) {
      this.lose('away');
      return;
    }
    if (faults.fires(`${kind}.drop`)) return;
    if (this.#isFrozen) return;
    const isOurs = (): boolean => connection === this.#connection && !this.#isClosed;
    if (faults.fires('ws.freeze')) {
      // The line is dead and nobody says so; the client finds out by its own pings.
      this.#isFrozen = true;
      time.after(silentMs, () => {
        if (isOurs()) this.lose('nothing heard');
      });
      return;
    }
    const copies = faults.fires(`${kind}.dup`) ? 2 : 1;
    const latencyMicros = random.integer(300, 15_000);
    if (faults.fires(`${kind}.reorder`)) {
      time.after(random.integer(20, 2_000), () => {
        if (isOurs()) this.#deliver(text);
      });
      return;
    }
    // A line that is slow makes everything behind it late too.
    if (faults.fires('ws.delay'))
      this.#deliveredMicros = time.nowMicros + random.pick(delaysMicros);
    if (faults.fires(`${kind}.bomb`)) {
      const bomb = random.pick(damages)(text);
      time.at(Math.max(this.#deliveredMicros, time.nowMicros + latencyMicros), () => {
        if (isOurs()) this.#deliver(bomb);
      });
    }
    for (let copy = 0; copy < copies; copy++) {
      this.#deliveredMicros = Math.max(this.#deliveredMicros, time.nowMicros + latencyMicros);
      time.at(this.#deliveredMicros, () => {
        if (isOurs()) this.#deliver(text);
      });
    }
    if (faults.fires(`${kind}.cut`))
      time.at(this.#deliveredMicros + 1, () => {
        if (connection === this.#connection) this.lose('cut');
      });
  }

  #deliver(text: string): void {
    const pair = this.#pair;
    try {
      if (pair === undefined) {
        const report = reportIn(text);
        if (report !== undefined) this.#sink({ kind: 'report', report });
        return;
      }
      const message = decodeMarketFrame(text);
      // The stream client drops them, too.
      if (message.kind === 'keep-alive') return;
      if (message.kind === 'error') this.lose(message.message);
      else this.#sink({ kind: 'market-frame', pair, text, message });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (pair === undefined) this.#sink({ kind: 'user-malformed', reason: error.message });
      else this.lose(error.message);
    }
  }
}
