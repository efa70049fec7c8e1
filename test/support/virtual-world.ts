/**
 * The whole bot against the whole simulated exchange in virtual time, from one seed: every real
 * part in a storm of faults and crashes; then a calm, a stop and a verdict.
 */
import type { BotSettings } from '../../src/domain/bot-settings.ts';
import type { Restored, StoreRecord } from '../../src/domain/records.ts';
import { Driver } from '../../src/engine/driver.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import { encodeHeader } from '../../src/engine/journal.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import type { PreparedStrategy } from '../../src/strategy/loader.ts';
import { createSimulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import type { Truth } from '../../src/venues/luno/simulator/world/truth.ts';
import { MemoryStore } from './memory-store.ts';
import { SeededRandom } from './seeded-random.ts';
import { startMicros, testKeys } from './simulated-exchange.ts';
import {
  drawChoice,
  virtualGuard,
  virtualMarket,
  virtualSettings,
  virtualSimulator,
  virtualStart,
  virtualStrategies,
} from './virtual-bot.ts';
import { VirtualExchange } from './virtual-exchange.ts';
import { Faults, stormIncidents } from './virtual-faults.ts';
import { RunHash } from './virtual-hash.ts';
import { openVirtualJournal } from './virtual-journal.ts';
import { judge } from './virtual-judge.ts';
import { Outside } from './virtual-outside.ts';
import { ExchangeRules } from './virtual-rules.ts';
import type { Life, VirtualStore, WorldOptions, WorldResult } from './virtual-run.ts';
import { calmSecondsMax, holdMicros, stopSecondsMax, unsettledOf } from './virtual-settled.ts';
import { processTime, VirtualTime } from './virtual-time.ts';
import { Witness } from './virtual-witness.ts';

const stopCommand = { kind: 'operator', command: 'stop', reason: 'the end' } as const;

export class VirtualWorld {
  readonly time = new VirtualTime(startMicros);
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly simulator: ReturnType<typeof createSimulator>;
  readonly rules: ExchangeRules;
  readonly witness: Witness;
  readonly settings: BotSettings;
  readonly outside: Outside;
  /** Keeps the market stream from being opened. */
  isMarketAway = false;
  readonly #options: WorldOptions;
  readonly pluginsUsed: ReadonlyMap<string, PreparedStrategy>;
  readonly memory = new MemoryStore();
  readonly #hash = new RunHash();
  readonly journals: string[][] = [];
  #store: VirtualStore | undefined;
  #life: Life | undefined;
  #lives = 0;
  #isStopping = false;
  #commits = 0;
  #commitsAtStop: number | undefined;
  /** When the last order request that has left arrives at the exchange. */
  #lastArrivalMicros = 0;
  #stillUntilMicros = 0;
  /** With how many open orders the bot has stopped; undefined until it has. */
  stoppedWith: number | undefined;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.random = new SeededRandom(options.seed);
    const { random } = this;
    this.faults = new Faults(random, options.level ?? random.pick([0, 0.1, 0.3, 0.6, 1]), options);
    this.rules = new ExchangeRules(options.broken ?? []);
    const usual = virtualSettings(drawChoice(options, random), options.strategy, options.hasTwin);
    this.settings = { ...usual, limits: options.limits?.(usual.limits) ?? usual.limits };
    this.pluginsUsed = virtualStrategies(this.settings, options.strategy);
    this.simulator = createSimulator({
      settings: options.exchange ?? virtualSimulator,
      seed: options.seed,
      timeMicros: startMicros,
      keys: testKeys(virtualSimulator),
    });
    this.outside = new Outside({ time: this.time, random, simulator: this.simulator });
    this.witness = new Witness(this.settings, () => this.#truth(), !this.rules.isBroken('ttl'));
  }

  /** The exchange's own books, with the ids that we gave. */
  #truth(): Truth {
    return this.rules.truthOf(this.simulator.truth('desk'));
  }

  get engine(): Engine | undefined {
    return this.#life?.engine;
  }

  get reports(): StoreReports {
    return (this.#store ?? this.memory).reports;
  }

  /** Commits of all lives before the bot was asked to stop. */
  get commits(): number {
    return this.#commitsAtStop ?? this.#commits;
  }

  get lives(): number {
    return this.#lives;
  }

  /** Starts the exchange's time and the bot's first life. */
  begin(): void {
    this.#tick();
    this.start();
    this.#options.script?.(this);
  }

  /** Lets `seconds` pass. */
  pass(seconds: number): void {
    this.time.runUntil(this.time.nowMicros + seconds * 1_000_000);
  }

  /** Hands an event to the bot. */
  tell(event: EngineEvent): void {
    this.#life?.driver.accept(event);
  }

  /** Ends the bot's life; another one begins after a while. */
  kill(): void {
    if (this.#life !== undefined) this.#kill(this.#life, 'by the test');
  }

  /** Runs the whole story and judges it. */
  run(): WorldResult {
    const { time, random, faults } = this;
    const stormSeconds = this.#options.stormSeconds ?? random.integer(15, 60);
    this.begin();
    time.runUntil(startMicros + stormSeconds * 1_000_000);
    faults.isStorm = false;
    this.log('calm');
    time.runUntil(Math.max(startMicros + (stormSeconds + 8) * 1_000_000, this.#stillUntilMicros));
    if (this.#life === undefined) time.runUntil(time.nowMicros + 31_000_000);
    // A crash that the test orders may come as late as the calm, and is followed by its own.
    const calmSeconds = calmSecondsMax * (1 + (this.#options.crashAt?.length ?? 0));
    const endMicros = time.nowMicros + calmSeconds * 1_000_000;
    do {
      time.runUntil(endMicros, () => this.#unsettled() === undefined);
      // What the driver holds must be committed, since a crash at that commit undoes it.
      time.runUntil(time.nowMicros + holdMicros);
    } while (this.#unsettled() !== undefined && time.nowMicros < endMicros);
    const unsettled = this.#unsettled();
    if (unsettled !== undefined) this.witness.say(`I8 not settled: ${unsettled}`);
    this.stop();
    return this.#result();
  }

  /** Asks the bot to stop, waits until it has, and judges. */
  stop(): void {
    const { witness } = this;
    this.end();
    judge(this.#truth(), this.reports, this.engine?.fills.positions, witness);
    for (const fault of this.simulator.faults()) witness.say(`the exchange: ${fault}`);
    for (const { code, text } of witness.incidents)
      if (!stormIncidents.includes(code) || this.faults.isFaultless)
        witness.say(`incident ${code}: ${text}`);
  }

  /** Asks the bot to stop and waits until it has, and until nothing is on its way any more. */
  end(): void {
    const { time, witness } = this;
    this.#isStopping = true;
    this.#commitsAtStop = this.#commits;
    this.tell(stopCommand);
    const limitMicros = time.nowMicros + stopSecondsMax * 1_000_000;
    do {
      time.runUntil(limitMicros, () => this.stoppedWith !== undefined);
      // What was on its way when the bot stopped must find no door open.
      time.runUntil(Math.max(time.nowMicros, this.#lastArrivalMicros) + 1_000_000);
      // A bot that dies of what it stores last is started, and stops, once more.
    } while (this.stoppedWith === undefined && time.nowMicros < limitMicros);
    if (this.stoppedWith !== 0) witness.say(`I7 stopped with ${this.stoppedWith} open orders`);
  }

  /** A line that is costly to make is given as a function. */
  log(line: string | (() => string)): void {
    const { log } = this.#options;
    if (log === undefined) return;
    const seconds = ((this.time.nowMicros - startMicros) / 1e6).toFixed(3).padStart(8);
    log(`${seconds} ${typeof line === 'string' ? line : line()}`);
  }

  /** Stops the bot's process for `seconds`, as a closed laptop does; the exchange goes on. */
  standStill(seconds: number): void {
    this.log(() => `stands still for ${seconds} s`);
    this.#stillUntilMicros = this.time.nowMicros + seconds * 1_000_000;
  }

  /** Begins a life of the bot from what the store has. */
  start(): void {
    const opened = this.#open();
    if (opened !== undefined) this.#live(opened.store, opened.restored);
  }

  /** Opens the store and reads it; undefined if it cannot be, and then it is tried again. */
  #open(): { readonly store: VirtualStore; readonly restored: Restored } | undefined {
    try {
      const startedMs = Math.floor(this.outside.clockMicros / 1000);
      const store = this.#options.openStore?.(startedMs) ?? this.memory;
      this.#store = store;
      return { store, restored: store.restore(startedMs) };
    } catch (error) {
      if (this.#options.mayDieOf?.(error) !== true) throw error;
      this.log(`cannot start: ${String(error)}`);
      this.#store?.close();
      this.time.after(1_000, () => this.start());
      return undefined;
    }
  }

  #live(store: VirtualStore, restored: Restored): void {
    const { time, faults, random, witness } = this;
    const { crashAt, onNotice } = this.#options;
    this.#lives++;
    const lifeNumber = this.#lives;
    const { clock, timers, receive } = processTime({
      time,
      skewMicros: this.outside.skewMicros,
      steppedMicros: () => this.outside.steppedMicros,
      isAlive: () => life.isAlive,
      stillUntilMicros: () => this.#stillUntilMicros,
      soonMicros: () => {
        if (faults.fires('proc.pause')) this.standStill(random.pick([3, 6, 20, 60]));
        return random.integer(0, 400);
      },
    });
    const kill = (how: string): void => this.#kill(life, how);
    const crash = (how: string): never => {
      kill(how);
      throw new Error('crash');
    };
    this.#stillUntilMicros = 0;
    const startedMicros = clock.nowMicros();
    const start = virtualStart({
      settings: this.settings,
      restored,
      earlierCallsMs: this.outside.recentCallsMs(),
      startedMicros,
      seed: this.#options.seed * 1000 + lifeNumber,
    });
    const guard = virtualGuard(clock, start.restored);
    const exchange = new VirtualExchange(
      {
        time,
        random,
        faults,
        simulator: this.simulator,
        rules: this.rules,
        isAway: (pair) => (pair === undefined ? this.outside.isUserAway : this.isMarketAway),
        throttledUntilMicros: () => this.outside.throttledUntilMicros,
        hooks: this.#options,
        rewrite: this.#options.rewrite ?? ((_source, text) => text),
        receive,
        onLeave: (request) => {
          this.log(() => `→ ${request.operation} ${JSON.stringify(request.parameters)}`);
          witness.onLeave(request);
          this.outside.noteCall();
        },
        onTravel: (request, atMicros) => {
          if (request.operation === 'postorder')
            this.#lastArrivalMicros = Math.max(this.#lastArrivalMicros, atMicros);
        },
        onAnswer: (request, response) => {
          this.log(
            () => `← ${request.operation} ${response.status} ${response.body?.slice(0, 200)}`,
          );
          if (response.status === 429) witness.throttled++;
          if (request.operation === 'postorder' && response.status === 200)
            witness.onAccepted(request, Math.floor(this.simulator.timeMicros / 1000));
        },
      },
      virtualMarket,
      { guard, change: this.#options.changeRequest },
      () => {
        if (life.isAlive && faults.fires('crash.mid-release')) kill('in the middle of a release');
        return life.isAlive;
      },
    );
    const journal = openVirtualJournal(this.#options, this.#lives, this.journals);
    const append = (make: () => string): void => this.#hash.add(journal.append(make));
    const header = { run: String(lifeNumber), node: 'virtual', hashes: {}, protocol: 'luno' };
    append(() => encodeHeader({ ...header, start }));
    const engine = new Engine(start, this.pluginsUsed);
    const driver = new Driver({
      engine,
      store: {
        restore: () => store.restore(0),
        close: () => {},
        // A driver that is closed stores what it holds; that of a killed process must not.
        explain: (records) => void (life.isAlive ? store.explain(records) : crash('again')),
        commit: (records: readonly StoreRecord[]) => {
          if (!life.isAlive) crash('again');
          this.#commits++;
          const hit = crashAt?.find(({ commit }) => commit === this.#commits)?.where;
          if (faults.fires('crash.before-commit') || hit === 'before') crash('before a commit');
          store.commit(records, store.commitNumber + 1);
          witness.onCommit(records);
          for (const record of records)
            if (record.kind !== 'ledger-row')
              this.log(() => `= ${JSON.stringify(record).slice(0, 400)}`);
          if (faults.fires('crash.after-commit') || hit === 'after') crash('after a commit');
        },
      },
      clock,
      timers,
      exchange,
      onCommitted: (records) => guard.noteCommitted(records),
      journal: { append },
      onNotice: ({ level, text }) => {
        this.log(() => `! ${level} ${text}`);
        onNotice?.(`${level} ${text}`);
      },
      onOperated: (answer) => this.#options.onOperated?.(answer),
      onStopped: (openOrders) => {
        this.stoppedWith = openOrders;
      },
      onFatal: (error) => {
        if (!life.isAlive) return;
        if (this.#options.mayDieOf?.(error) !== true)
          witness.say(`the bot died: ${error instanceof Error ? error.stack : String(error)}`);
        kill(`of ${String(error)}`);
      },
    });
    const life: Life = { driver, engine, exchange, journal, isAlive: true };
    this.#life = life;
    this.log(`life ${lifeNumber} begins`);
    driver.start();
    if (this.#isStopping) driver.accept(stopCommand);
    if (faults.fires('crash.again'))
      time.after(random.integer(1, 3_000), () => kill('while it recovers'));
  }

  #kill(life: Life, how: string): void {
    if (!life.isAlive) return;
    life.isAlive = false;
    this.log(`killed ${how}`);
    life.driver.close();
    void life.exchange.close();
    life.journal.close();
    this.#store?.close();
    this.#life = undefined;
    this.stoppedWith = undefined;
    this.time.after(this.random.pick([50, 1_000, 5_000, 30_000]), () => this.start());
  }

  /** The exchange lives on; once a second the process may die of nothing in particular. */
  #tick(): void {
    const { time, faults, random } = this;
    this.simulator.advance(time.nowMicros);
    const life = this.#life;
    if (time.nowMicros % 1_000_000 < 100_000 && life !== undefined) {
      if (faults.fires('crash.any-time')) this.#kill(life, 'at any time');
      this.outside.happen(faults, random);
    }
    time.after(100, () => this.#tick());
  }

  #unsettled(): string | undefined {
    const engine = this.#life?.engine;
    if (engine === undefined) return 'no bot is running';
    return unsettledOf(engine, this.reports, Math.floor(this.outside.clockMicros / 1000));
  }

  #result(): WorldResult {
    const { witness, reports } = this;
    const truth = this.#truth();
    this.#hash.add(JSON.stringify(truth.orders));
    return {
      seed: this.#options.seed,
      violations: [...new Set(witness.violations)],
      incidents: witness.incidentCounts,
      hash: this.#hash.digest(),
      level: this.faults.level,
      lives: this.#lives,
      commits: this.#commits,
      orders: witness.orders.size,
      accepted: witness.accepted,
      fills: truth.trades.length,
      faults: this.faults.counts,
      states: reports.orderCounts(),
      calls: Object.fromEntries(witness.calls),
      throttled: witness.throttled,
      virtualSeconds: (this.time.nowMicros - startMicros) / 1e6,
      journals: this.journals,
    };
  }
}

/** Runs one seed. */
export function runWorld(options: WorldOptions): WorldResult {
  return new VirtualWorld(options).run();
}
