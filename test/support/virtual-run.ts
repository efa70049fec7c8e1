/** What a simulated run is given and what comes out of it. */
import type { Limits } from '../../src/domain/bot-settings.ts';
import type { Store } from '../../src/domain/records.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import type { Knob } from './virtual-faults.ts';
import type { ExchangeRule } from './virtual-rules.ts';

/** A store that outlives the process; `commitNumber` is that of its last commit. */
export type VirtualStore = Store & {
  readonly reports: StoreReports;
  readonly commitNumber: number;
};

export type WorldOptions = {
  readonly seed: number;
  /** 0 to 1; drawn from the seed unless given. */
  readonly level?: number;
  readonly stormSeconds?: number;
  /** Knobs that never fire, besides those that the seed switches off. */
  readonly without?: readonly Knob[];
  /** Rates at storm level 1 instead of the usual ones; such a knob is not switched off. */
  readonly rates?: Readonly<Partial<Record<Knob, number>>>;
  /** Rules that this exchange does not keep. */
  readonly broken?: readonly ExchangeRule[];
  readonly withChaos?: boolean;
  /** A strategy of the test's own, alone, instead of the two. */
  readonly strategy?: AnyStrategy;
  readonly onRestart?: 'adopt' | 'cancel';
  /** `cancel` unless given. */
  readonly onStop?: 'cancel' | 'leave';
  /** Other limits than the usual ones. */
  readonly limits?: (usual: Limits) => Limits;
  /** How often the market maker thinks again. */
  readonly refresh?: string;
  /** How far from the mid the market maker quotes, as a plugin parameter. */
  readonly halfSpread?: string;
  /** Kills the process at exactly this commit of the run, besides what the storm does. */
  readonly crashAt?: { readonly commit: number; readonly where: 'before' | 'after' };
  /** Opens the store of a new life; one in memory unless given. */
  readonly openStore?: () => VirtualStore;
  /** Keeps the journals, for a replay. */
  readonly keepJournals?: boolean;
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
