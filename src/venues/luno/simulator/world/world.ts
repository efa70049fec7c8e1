/**
 * The durable part of the simulator: the exchange, its participants and time, driven by commands.
 *
 * Invariants: advancing to a time in one step or in many gives the same state; the state is a
 * function of a snapshot and the commands after it. So a restart that replays the log and advances
 * to the horizon produces everything that was ever published.
 */
import { deserialize, serialize } from 'node:v8';
import { assert, StoreError } from '../../../../domain/errors.ts';
import { Exchange, type ExchangeListener } from '../core/exchange.ts';
import type { ExchangeState } from '../core/exchange-state.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import { createExchangeState, type Genesis } from '../core/genesis.ts';
import { dropOldMessages } from '../core/user-feed.ts';
import { deposit } from '../money/deposit.ts';
import { applyMoneyControl } from '../money/money-controls.ts';
import { runParticipants } from '../participants/participants.ts';
import { replayNextAction } from '../participants/replay-flow.ts';
import { setTradingState } from '../trading/trading-controls.ts';
import { applyWalletControl } from '../wallet/wallet-control.ts';
import { planOf } from './calls.ts';
import { runDue } from './run-due.ts';
import type { Command, Mark } from './world-command.ts';

/** A market sends an empty message after this time without any other. */
const quietMicros = 300_000_000;
/** Ledger rows of format 2 contain the texts of their trades, which are returned unchanged. */
const formatVersion = 3;
const formatVersionMin = 2;

type Snapshot = {
  readonly formatVersion: number;
  readonly horizonMicros: number;
  readonly state: ExchangeState;
};

export class World {
  readonly exchange: Exchange;
  readonly flow: FlowRecording | undefined;
  #horizonMicros: number;

  /** Throws {@link StoreError} if the state belongs to another recording than `flow`. */
  constructor(
    state: ExchangeState,
    horizonMicros: number,
    listener: ExchangeListener,
    flow: FlowRecording | undefined,
  ) {
    checkFlow(state, flow);
    this.flow = flow;
    this.exchange = new Exchange(state, listener);
    this.#horizonMicros = horizonMicros;
  }

  /** Until when the world may advance without another horizon command. */
  get horizonMicros(): number {
    return this.#horizonMicros;
  }

  get timeMicros(): number {
    return this.exchange.state.timeMicros;
  }

  /** Executes everything due until `timeMicros`. An earlier time changes nothing. */
  advance(timeMicros: number): void {
    const { state } = this.exchange;
    for (;;) {
      const due = this.#nextDue();
      if (due === undefined || due.micros > timeMicros) break;
      state.timeMicros = Math.max(state.timeMicros, due.micros);
      due.run();
    }
    state.timeMicros = Math.max(state.timeMicros, timeMicros);
    this.#dropOldMessages();
  }

  /**
   * Advances to the command's time and executes it. Returns the answer of a call, undefined for any
   * other command.
   */
  apply(command: Command): unknown {
    this.advance(command.timeMicros);
    if (command.kind === 'call') return this.#call(command);
    this.#execute(command);
    return undefined;
  }

  /** Returns counters that show whether a replay leads to the same state as the first run. */
  mark(): Mark {
    const { state } = this.exchange;
    // Everything due now is executed before any command of this time.
    this.advance(state.timeMicros);
    let rowCount = 0;
    for (const account of state.accounts.values()) rowCount += account.rowCount;
    return {
      orderCount: state.orderCount,
      rowCount,
      tradeSequences: [...state.markets.values()].map(({ tradeSequence }) =>
        tradeSequence.toString(),
      ),
    };
  }

  /** Returns the whole state as bytes for {@link restoreWorld}. */
  snapshot(): Uint8Array {
    this.#dropOldMessages();
    const snapshot: Snapshot = {
      formatVersion,
      horizonMicros: this.#horizonMicros,
      state: this.exchange.state,
    };
    return serialize(snapshot);
  }

  #dropOldMessages(): void {
    for (const user of this.exchange.state.users.values())
      dropOldMessages(user, this.exchange.timeMs);
  }

  #call({ userId, operation, parameters }: Extract<Command, { kind: 'call' }>): unknown {
    const { exchange } = this;
    const plan = planOf(operation, parameters, { exchange, user: exchange.userOf(userId) });
    assert(plan.kind === 'change', `a logged ${operation} must change something`);
    return plan.change();
  }

  #execute(command: Exclude<Command, { kind: 'call' }>): void {
    const { exchange } = this;
    const { state } = exchange;
    switch (command.kind) {
      case 'set-status':
        exchange.setStatus(command.pair, command.status, command.isUnderMaintenance);
        break;
      case 'open-account': {
        const { userId, currency, type } = command;
        const name = `${userId} ${currency} ${type}`;
        exchange.openAccount(exchange.userOf(userId), { currency, type, name });
        break;
      }
      case 'set-trading-state':
        setTradingState(exchange, command);
        break;
      case 'deposit':
        deposit(exchange, command.accountId, command.amount);
        break;
      case 'add-key': {
        const { keyId: id, userId, permissions } = command;
        const secretDigest = Uint8Array.from(Buffer.from(command.secretDigest, 'hex'));
        state.keys.set(id, { id, secretDigest, userId, permissions, isRevoked: false });
        break;
      }
      case 'revoke-key': {
        const key = state.keys.get(command.keyId);
        assert(key !== undefined, `key ${command.keyId} must exist to be revoked`);
        state.keys.set(key.id, { ...key, isRevoked: true });
        break;
      }
      case 'restrict':
      case 'crypto-deposit':
      case 'drop-crypto-deposits':
      case 'set-email':
      case 'link-user':
      case 'offer-grant':
        applyMoneyControl(exchange, command);
        break;
      case 'delegate':
      case 'fiat-deposit':
      case 'set-fiat-deposit-status':
        applyWalletControl(exchange, command);
        break;
      case 'fail-next':
        state.failures.push({ operation: command.operation, code: command.code });
        break;
      case 'failed': {
        const { failures } = state;
        const index = failures.findIndex(({ operation }) => operation === command.operation);
        assert(index !== -1, `${command.operation} must have a requested failure`);
        failures.splice(index, 1);
        break;
      }
      case 'horizon':
        this.#checkMark(command.mark);
        this.#horizonMicros = command.untilMicros;
        break;
      case 'pause':
        this.#pause(command.toMicros);
        break;
    }
  }

  #nextDue(): { readonly micros: number; readonly run: () => void } | undefined {
    const entry = this.exchange.state.agenda[0];
    let next: { readonly micros: number; readonly run: () => void } | undefined = entry && {
      micros: entry.micros,
      run: () => runDue(this.exchange),
    };
    for (const market of this.exchange.state.markets.values()) {
      const quiet = market.lastMessageMicros + quietMicros;
      if (next === undefined || quiet < next.micros)
        next = { micros: quiet, run: () => this.exchange.publishQuiet(market) };
      const { participants, flow } = market;
      const recording = this.flow;
      if (flow !== undefined && recording !== undefined && flow.nextMicros < next.micros)
        next = {
          micros: flow.nextMicros,
          run: () => replayNextAction(this.exchange, market, flow, recording),
        };
      if (participants !== undefined && participants.nextBeatMicros < next.micros)
        next = {
          micros: participants.nextBeatMicros,
          run: () => runParticipants(this.exchange, market, participants),
        };
    }
    return next;
  }

  #checkMark(mark: Mark): void {
    const own = this.mark();
    if (JSON.stringify(own) !== JSON.stringify(mark))
      throw new StoreError(
        `the replay leads to ${JSON.stringify(own)} instead of ${JSON.stringify(mark)}: the log was ` +
          'written by another version of the simulator; start a new exchange in another folder',
      );
  }

  #pause(toMicros: number): void {
    const { state } = this.exchange;
    const delay = toMicros - state.timeMicros;
    if (delay <= 0) return;
    for (const market of state.markets.values()) {
      market.lastMessageMicros += delay;
      if (market.participants !== undefined) market.participants.nextBeatMicros += delay;
      if (market.flow !== undefined) {
        market.flow.beginMicros += delay;
        market.flow.nextMicros += delay;
      }
    }
    for (const entry of state.agenda) entry.micros += delay;
    state.timeMicros = toMicros;
    this.#horizonMicros = Math.max(this.#horizonMicros, toMicros);
  }
}

/** Returns a new world; the participants have not acted yet. */
export function createWorld(genesis: Genesis, listener: ExchangeListener): World {
  return new World(createExchangeState(genesis), genesis.timeMicros, listener, genesis.flow);
}

/** Restores the world of a snapshot. Throws StoreError if the snapshot has an unknown format. */
export function restoreWorld(
  bytes: Uint8Array,
  listener: ExchangeListener,
  flow?: FlowRecording,
): World {
  const snapshot = deserialize(bytes) as Snapshot;
  const { formatVersion: format } = snapshot;
  if (!(format >= formatVersionMin && format <= formatVersion))
    throw new StoreError(
      `the simulator's snapshot must have format ${formatVersionMin} to ${formatVersion}, has ${format}`,
    );
  // Snapshots of earlier versions lack the sum.
  for (const user of snapshot.state.users.values())
    user.messageBytes ??= user.messages.reduce((sum, { frame }) => sum + frame.length, 0);
  return new World(snapshot.state, snapshot.horizonMicros, listener, flow);
}

function checkFlow({ markets }: ExchangeState, flow: FlowRecording | undefined): void {
  for (const { market, flow: state } of markets.values()) {
    if (state === undefined || state.digest === flow?.digest) continue;
    throw new StoreError(
      `${market.pair} replays the recorded order flow ${state.digest.slice(0, 16)}, but ` +
        `${flow === undefined ? 'none' : flow.digest.slice(0, 16)} was given; ` +
        'give the same --flow again, or start a new exchange in another --home',
    );
  }
  const isUsed = [...markets.values()].some((market) => market.flow !== undefined);
  if (flow !== undefined && !isUsed)
    throw new StoreError(
      'this exchange was created without recorded order flow; omit --flow, or start a new ' +
        'exchange in another --home',
    );
}
