/**
 * What happens around the bot in a simulated run, of itself or by a test's will: the exchange
 * refuses calls for their rate, closes its market, or somebody sets the clock of the machine or
 * pays into an account.
 */
import type { Simulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import type { SeededRandom } from './seeded-random.ts';
import { virtualMarket, virtualSimulator } from './virtual-bot.ts';
import type { Faults } from './virtual-faults.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The bot trades while its clock is within two seconds of the exchange's. */
const aheadMicrosMax = 900_000;

export class Outside {
  /** How far our clock is ahead at the beginning. */
  readonly skewMicros: number;
  /** How far the machine's clock was set forward since. */
  steppedMicros = 0;
  /** Ends the user stream at its next message, and keeps it from being opened. */
  isUserAway = false;
  /** Until when the exchange refuses every call for the rate. */
  throttledUntilMicros = 0;
  readonly #time: VirtualTime;
  readonly #simulator: Simulator;
  readonly #callsMicros: number[] = [];

  constructor(options: {
    readonly time: VirtualTime;
    readonly random: SeededRandom;
    readonly simulator: Simulator;
  }) {
    this.#time = options.time;
    this.#simulator = options.simulator;
    this.skewMicros = options.random.integer(-900_000, 900_000);
  }

  /** What the machine's clock says. */
  get clockMicros(): number {
    return this.#time.nowMicros + this.skewMicros + this.steppedMicros;
  }

  /** Counts a call that leaves. */
  noteCall(): void {
    this.#callsMicros.push(this.#time.nowMicros);
  }

  /** When the calls of the last minute left, in milliseconds of the machine's clock. */
  recentCallsMs(): readonly number[] {
    const { nowMicros } = this.#time;
    const old = this.#callsMicros.findIndex((micros) => micros > nowMicros - 60_000_000);
    this.#callsMicros.splice(0, old === -1 ? this.#callsMicros.length : old);
    const offsetMicros = this.clockMicros - nowMicros;
    return this.#callsMicros.map((micros) => Math.floor((micros + offsetMicros) / 1000));
  }

  /** Refuses every call for the rate for some seconds. */
  throttle(seconds: number): void {
    this.throttledUntilMicros = this.#time.nowMicros + seconds * 1_000_000;
  }

  /** Gives the market another status for some seconds. */
  closeMarket(status: 'POST_ONLY' | 'SUSPENDED', seconds: number): void {
    const set = (one: 'ACTIVE' | 'POST_ONLY' | 'SUSPENDED'): void => {
      const command = { kind: 'set-status', pair: virtualMarket.pair, status: one } as const;
      this.#simulator.control(command, this.#time.nowMicros);
    };
    set(status);
    this.#time.after(seconds * 1000, () => set('ACTIVE'));
  }

  /** Sets the clock of the bot's machine forward. */
  stepClock(milliseconds: number): void {
    this.steppedMicros += milliseconds * 1000;
  }

  /** Pays something into one of the bot's accounts. */
  deposit(currency: string, amount: string): void {
    const accountId = virtualSimulator.users[0]?.accountIds?.[currency] ?? '';
    this.#simulator.control({ kind: 'deposit', accountId, amount }, this.#time.nowMicros);
  }

  /** What may happen in any second. */
  happen(faults: Faults, random: SeededRandom): void {
    const isBehind = this.skewMicros + this.steppedMicros < aheadMicrosMax;
    if (faults.fires('clock.step') && isBehind) this.stepClock(random.integer(550, 900));
    if (faults.fires('limit.rate')) this.throttle(random.integer(2, 6));
    if (faults.fires('ledger.externalRow')) this.deposit(random.pick(['XBT', 'ZAR']), '12.3456');
    if (faults.fires('market.status'))
      this.closeMarket(random.pick(['POST_ONLY', 'SUSPENDED'] as const), random.integer(1, 6));
  }
}
