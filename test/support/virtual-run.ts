/** What a simulated run is given and what comes out of it. */
import type { Limits } from '../../src/domain/declared-limits.ts';
import type { Store } from '../../src/domain/records.ts';
import type { Driver } from '../../src/engine/driver.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Effect } from '../../src/engine/event.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import type { OperationName } from '../../src/venues/luno/api/operations.ts';
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import type { SimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import type { VirtualExchange } from './virtual-exchange.ts';
import type { FaultOptions } from './virtual-faults.ts';
import type { VirtualJournal } from './virtual-journal.ts';
import type { ExchangeRule } from './virtual-rules.ts';
import type { VirtualWorld } from './virtual-world.ts';
import type { WireEffect } from './wire-effect.ts';

/** A store that outlives the process; `commitNumber` is that of its last commit. */
export type VirtualStore = Store & {
  readonly reports: StoreReports;
  readonly commitNumber: number;
};

/** `source` is the operation whose answer it is, or the stream. */
export type Rewrite = (source: OperationName | 'market' | 'user', text: string) => string;

/** A request as it leaves the bot. */
export type SentRequest = {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/**
 * What becomes of a request on its way: it is lost, or a proxy gives it up at once and lets it
 * arrive so many milliseconds later; undefined for nothing.
 */
export type Fate = (request: SentRequest, isStorm: boolean) => 'lost' | number | undefined;

/** One life of the bot. */
export type Life = {
  readonly driver: Driver;
  readonly engine: Engine;
  readonly exchange: VirtualExchange;
  readonly journal: { close(): void };
  isAlive: boolean;
};

/** Changes one answer of the exchange on its way to the bot; undefined loses it. */
export type Tamper = (
  request: SentRequest,
  response: SimulatorResponse,
  isStorm: boolean,
) => SimulatorResponse | undefined;

export type WorldOptions = FaultOptions & {
  readonly seed: number;
  /** 0 to 1; drawn from the seed unless given. */
  readonly level?: number;
  readonly stormSeconds?: number;
  /** Rules that this exchange does not keep. */
  readonly broken?: readonly ExchangeRule[];
  /** Changes the text of answers and frames on their way. */
  readonly rewrite?: Rewrite;
  readonly withChaos?: boolean;
  /** A strategy of the test's own, alone, instead of the two. */
  readonly strategy?: AnyStrategy;
  /** It runs twice, as `own` and as `twin`. */
  readonly hasTwin?: boolean;
  /** Limits and budgets that hundreds of orders fit into. */
  readonly isRoomy?: boolean;
  readonly onRestart?: 'adopt' | 'cancel';
  /** `cancel` unless given. */
  readonly onStop?: 'cancel' | 'leave';
  /** Drawn unless given. */
  readonly onMove?: 'overlap' | 'cancel';
  /** Other limits than the usual ones. */
  readonly limits?: (usual: Limits) => Limits;
  /** How often the market maker thinks again. */
  readonly refresh?: string;
  /** How far from the mid the market maker quotes, as a plugin parameter. */
  readonly halfSpread?: string;
  /** Kills the process at exactly these commits of the run, besides what the storm does. */
  readonly crashAt?: readonly { readonly commit: number; readonly where: 'before' | 'after' }[];
  /** Changes a request between the commit and the wire; what the egress guard is for. */
  readonly changeRequest?: (request: WireEffect) => WireEffect;
  /** Opens the store of a new life; one in memory unless given. */
  readonly openStore?: (nowMs: number) => VirtualStore;
  /** Whether a life may end by this error; every other one is a violation. */
  readonly mayDieOf?: (error: unknown) => boolean;
  /** The exchange's markets and users; a market with few participants unless given. */
  readonly exchange?: SimulatorSettings;
  /** Opens the journal of a new life, besides what {@link keepJournals} keeps. */
  readonly openJournal?: (life: number) => VirtualJournal;
  readonly tamper?: Tamper;
  readonly fate?: Fate;
  /** What the test does in the world, when the first life has begun. */
  readonly script?: (world: VirtualWorld) => void;
  /** Keeps the journals, for a replay. */
  readonly keepJournals?: boolean;
  /** Hears what became of an operator's command that had a ticket. */
  readonly onOperated?: (answer: Extract<Effect, { kind: 'operated' }>) => void;
  /** Hears the level and text of what the bot would write into its log. */
  readonly onNotice?: (line: string) => void;
  /** Hears what happens, for a failing seed. */
  readonly log?: (line: string) => void;
};

export type WorldResult = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly incidents: Readonly<Record<string, number>>;
  readonly hash: string;
  readonly level: number;
  readonly lives: number;
  readonly commits: number;
  readonly orders: number;
  readonly accepted: number;
  readonly fills: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  readonly calls: Readonly<Record<string, number>>;
  readonly throttled: number;
  readonly virtualSeconds: number;
  /** Lines of each life's journal, if they were asked for. */
  readonly journals: readonly (readonly string[])[];
};
