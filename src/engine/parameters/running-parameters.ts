/**
 * The parameters that hold while strategies run: those of the settings file, and what an operator
 * has set since. What was set lasts until the next start, where the file holds again and a notice
 * names both values.
 *
 * Invariants: of a command all values hold or none; a change is stored in the step that makes it;
 * a value is one that the plugin's code allows, which is what an approval covers.
 */
import type { ParameterState, StrategyParameters } from '../../domain/bot-status.ts';
import { ConfigError } from '../../domain/errors.ts';
import { formatLots, type Market, parseLots } from '../../domain/market.ts';
import type { ParameterTexts } from '../../domain/parameter-texts.ts';
import type { GateLimits } from '../../risk/gate-limits.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import {
  type ChangedParameters,
  changeParameters,
  shownParameter,
} from '../../strategy/parameters/change-parameters.ts';
import { paramsOf, rangeText } from '../../strategy/parameters/param.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineMarket } from '../engine-market.ts';
import type { EngineStart } from '../engine-start.ts';
import type { RunnerStrategy } from '../strategy-runner.ts';

export type RunningParametersOptions = {
  readonly context: EngineContext;
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, Pick<PreparedStrategy, 'strategy'>>;
  readonly strategies: readonly RunnerStrategy[];
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly limits: Pick<GateLimits, 'approved'>;
};

export type SetCommand = {
  readonly strategyId: string;
  readonly values: ParameterTexts;
  readonly reason: string;
  /** Who asks; empty if that is not known. */
  readonly by: string;
};

export type SetAnswer = { readonly isRefused: boolean; readonly text: string };

/** The values that were set, by name. */
type StoredChanges = Readonly<
  Record<string, NonNullable<ParameterState['changed']> & { readonly value: string }>
>;

type Running = RunnerStrategy & {
  readonly plugin: PreparedStrategy['strategy'];
  readonly about: ReturnType<typeof paramsOf>;
  /** What is given now, as the settings would have it. */
  given: Readonly<Record<string, unknown>>;
  changes: StoredChanges;
  /** When the last changes were made. */
  timesMs: readonly number[];
};

const namePrefix = 'parameters ';
/** Each change may move every quote of its strategy. */
const changesPerMinuteMax = 20;
const minuteMs = 60_000;

export class RunningParameters {
  readonly #options: RunningParametersOptions;
  readonly #running: readonly Running[];

  constructor(options: RunningParametersOptions) {
    this.#options = options;
    this.#running = options.strategies.flatMap((strategy) => {
      const plugin = options.plugins.get(strategy.settings.id)?.strategy;
      if (plugin === undefined) return [];
      const { parameters: given } = strategy.settings;
      const about = paramsOf(plugin.parameters);
      return [{ ...strategy, plugin, about, given, changes: {}, timesMs: [] }];
    });
  }

  /** Says which values of an earlier run no longer hold, once. */
  begin(): void {
    const { context, start } = this.#options;
    for (const running of this.#running) {
      const { id } = running.settings;
      const name = `${namePrefix}${id}`;
      const stored = start.restored.riskStates.find((one) => one.name === name)?.state ?? '{}';
      const changes = JSON.parse(stored) as StoredChanges;
      if (Object.keys(changes).length === 0) continue;
      context.keepRiskState(name, '{}');
      for (const state of parameterStatesOf(running)) {
        const change = changes[state.name];
        if (change === undefined || change.value === state.value) continue;
        const { value, reason } = change;
        const text =
          `${id}: ${state.name} is ${state.value} as in the settings file; the ${value} that was set ` +
          `${whoAndWhen(change)} (${reason}) ended with that run: set it again, or write it into the file`;
        context.notice({ level: 'warn', topic: 'state', text });
      }
    }
  }

  /** Changes parameters of a strategy, or says why not. */
  set({ strategyId, values, reason, by }: SetCommand): SetAnswer {
    const { context } = this.#options;
    const { nowMs } = context;
    const running = this.#running.find(({ settings }) => settings.id === strategyId);
    const problem =
      running === undefined
        ? `this bot has no strategy ${strategyId}; it has ${this.#running.map(({ settings }) => settings.id).join(', ')}`
        : this.#blockOf(running);
    if (running === undefined || problem !== undefined)
      return { isRefused: true, text: String(problem) };
    const changed = this.#changedBy(running, values);
    if (typeof changed === 'string') return { isRefused: true, text: changed };
    const { changes, fitted, given } = changed;
    if (changes.length === 0)
      return { isRefused: false, text: `${strategyId} has these values already` };
    const before = new Map(parameterStatesOf(running).map((state) => [state.name, state]));
    const stored = changes.map(({ name, is }): [string, StoredChanges[string]] => {
      const { value = '', changed: earlier } = before.get(name) ?? {};
      return [name, { value: is, was: earlier?.was ?? value, atMs: nowMs, by, reason }];
    });
    running.given = given;
    running.changes = { ...running.changes, ...Object.fromEntries(stored) };
    running.timesMs = [...running.timesMs, nowMs].slice(-changesPerMinuteMax);
    context.keepRiskState(`${namePrefix}${strategyId}`, JSON.stringify(running.changes));
    const said = changes.map(({ name, was, is }) => `${name} is ${is}, was ${was}`).join('; ');
    const who = by === '' ? '' : `, by ${by}`;
    const text = `${strategyId}: ${said}`;
    context.notice({ level: 'info', topic: 'state', text: `${text} (${reason}${who})` });
    running.host.setParameters(nowMs, fitted.parameters);
    const isAsInFile = stored.every(([, one]) => one.value === one.was);
    const advice = isAsInFile
      ? ''
      : '; to keep it beyond the next start, write it into the settings file';
    return { isRefused: false, text: `${text}${advice}` };
  }

  /** Returns the parameters of every strategy as they are now. */
  states(): readonly StrategyParameters[] {
    return this.#running.map((running) => ({
      strategyId: running.settings.id,
      parameters: parameterStatesOf(running),
    }));
  }

  /** Why a strategy's parameters cannot be set now. */
  #blockOf({ settings: { id }, host, timesMs }: Running): string | undefined {
    const { context, limits, start } = this.#options;
    const { mode } = start.settings;
    const code = context.facts.strategyHashes.get(id) ?? '';
    const approved = limits.approved?.strategies;
    if (approved === undefined ? mode === 'live' : !approved.includes(code))
      return (
        `the code of ${id} is not an approved version, so nothing says in which ranges its ` +
        'parameters may be set; the hashes that millrace checks prints belong into approved'
      );
    if (host.status === 'stopped') return `${id} has stopped: ${host.stopReason ?? ''}`;
    const oldestMs = timesMs.length < changesPerMinuteMax ? undefined : timesMs[0];
    const waitMs = oldestMs === undefined ? 0 : oldestMs + minuteMs - context.nowMs;
    return waitMs <= 0
      ? undefined
      : `${id} was changed ${changesPerMinuteMax} times within a minute: wait ${Math.ceil(waitMs / 1000)} s`;
  }

  #changedBy(running: Running, values: ParameterTexts): ChangedParameters | string {
    const { settings, plugin, given } = running;
    try {
      const changed = changeParameters(plugin, { ...settings, parameters: given }, values);
      return this.#sizeProblem(settings.pairs, changed.fitted.needs?.size) ?? changed;
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  }

  /** An order of a size that the market refuses would be all that the strategy asks for. */
  #sizeProblem(pairs: readonly string[], size: string | undefined): string | undefined {
    if (size === undefined) return undefined;
    for (const pair of pairs) {
      const market = this.#options.markets.get(pair)?.market;
      if (market === undefined || fits(size, market)) continue;
      const { base, volumeMin, volumeMax, volumeScale } = market;
      return (
        `orders would have a size of ${size}: ${pair} takes ${formatLots(volumeMin, market)} to ` +
        `${formatLots(volumeMax, market)} ${base} with at most ${volumeScale} decimals`
      );
    }
    return undefined;
  }
}

function fits(size: string, market: Market): boolean {
  const lots = parseLots(size, market);
  return lots !== undefined && lots >= market.volumeMin && lots <= market.volumeMax;
}

function parameterStatesOf({ about, given, changes }: Running): readonly ParameterState[] {
  return about.map(([name, one]): ParameterState => {
    const { description = '', unit, from, to, mayChange = false } = one ?? {};
    return {
      ...{ name, value: shownParameter(given[name] ?? one?.default), description, mayChange },
      unit: unit ?? null,
      range: from === undefined && to === undefined ? null : rangeText(from, to),
      changed: changedOf(changes[name]),
    };
  });
}

function changedOf(change: StoredChanges[string] | undefined): ParameterState['changed'] {
  // A value that was set back to that of the file is no change.
  if (change === undefined || change.value === change.was) return null;
  const { was, atMs, by, reason } = change;
  return { was, atMs, by, reason };
}

function whoAndWhen({ by, atMs }: { readonly by: string; readonly atMs: number }): string {
  const when = `at ${new Date(atMs).toISOString().slice(0, 19)}Z`;
  return by === '' ? when : `by ${by} ${when}`;
}
