/**
 * What one strategy gives out for people with `log`, `metric` and `plot`, until the engine takes
 * it.
 *
 * Invariants: what is refused never throws: a line says why, once a minute for each argument; every
 * text, the number of series and the rate of lines and values are bounded, and what is left out is
 * counted; nothing depends on a clock, so a replay gives the same.
 */
import { Decimal, formatDecimal } from '../../domain/money.ts';
import type { LineFields, SeriesName, SeriesPoint } from '../../domain/strategy-output.ts';
import { describe, isPlainObject } from '../json-value.ts';
import { type PrintedLine, PrintedLines } from '../printed-lines.ts';

/** The maximum number of characters of a line. */
const textLengthMax = 1_000;
const fieldsMax = 16;
const fieldLengthMax = 200;
/** The maximum number of metrics and plots of a strategy. */
const seriesMax = 50;
/** Values of a series that are kept in one second of the engine's clock. */
const perSecondMax = 10;
const secondMs = 1_000;
const minuteMs = 60_000;

const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._:%/()+-]{0,38}[\p{L}\p{N}._%)+-])?$/u;
const nameText =
  '1 to 40 letters, digits, spaces and . _ : % / ( ) + -, beginning with a letter or digit';
const fieldPattern = /^[A-Za-z_]\w{0,39}$/u;
const fieldText = `text of at most ${fieldLengthMax} characters, a finite number, a Decimal, true or false`;

/** Thrown and caught only in this file. */
class Refused extends Error {
  readonly argument: string;

  constructor(argument: string, allowed: string, was: string) {
    super(`${argument} must be ${allowed}, was ${was}`);
    this.argument = argument;
  }
}

type Series = {
  readonly name: SeriesName;
  /** The second of the newest value, and how many values it had. */
  second: number;
  count: number;
  leftOut: number;
  /** Whether it has a value of the current event, which a later one of that event replaces. */
  isWaiting: boolean;
  value: number;
};

export type OutputsOptions = {
  readonly strategyId: string;
  readonly nowMs: () => number;
  /** Whether code of the strategy runs in an event, so that a replay repeats the call. */
  readonly isInEvent: () => boolean;
  /** Takes a line that a replay need not repeat. */
  readonly print: (line: string) => void;
};

export class StrategyOutputs {
  readonly #options: OutputsOptions;
  readonly #lines = new PrintedLines();
  /** By name; those of one name differ in kind, pair or pane. */
  readonly #series = new Map<string, Series[]>();
  #seriesCount = 0;
  #waiting: Series[] = [];
  /** The minute in which each refusal was last told, by call and argument. */
  readonly #toldMinutes = new Map<string, number>();
  #toldOutside = false;

  constructor(options: OutputsOptions) {
    this.#options = options;
  }

  /** Whether nothing was added since the last takes. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#lines.isEmpty;
  }

  /** Returns and removes the lines. */
  takeLines(): readonly PrintedLine[] {
    return this.#lines.take();
  }

  /** Returns and removes the values: of each series at most one. */
  takePoints(): readonly SeriesPoint[] {
    if (this.#waiting.length === 0) return [];
    const waiting = this.#waiting;
    this.#waiting = [];
    const atMs = this.#options.nowMs();
    return waiting.map((series) => {
      const { value, leftOut } = series;
      const { strategyId, kind, name, pair, pane } = series.name;
      series.isWaiting = false;
      return { strategyId, kind, name, pair, pane, atMs, value, leftOut };
    });
  }

  /** Adds the number of lines that were left out last. */
  end(): void {
    this.#lines.end();
  }

  log(text: unknown, fields: unknown): void {
    this.#attempt('context.log', () => {
      if (typeof text !== 'string' || text === '' || text.length > textLengthMax)
        refuse('text', `1 to ${textLengthMax} characters`, text);
      const said = fields === undefined ? undefined : fieldsOf(fields);
      this.#lines.add('info', text, this.#options.nowMs(), said);
    });
  }

  metric(name: unknown, value: unknown): void {
    this.#attempt('context.metric', () => {
      const series = this.#seriesOf('metric', name, null, null);
      this.#add(series, numberOf(value, series.name));
    });
  }

  /** `scale` is the number of decimals of the pair's prices. */
  plot(
    { pair, priceScale }: { readonly pair: string; readonly priceScale: number },
    name: unknown,
    value: unknown,
    options: unknown,
  ): void {
    this.#attempt('market.plot', () => {
      const pane = paneOf(options);
      const series = this.#seriesOf('plot', name, pair, pane);
      const given = numberOf(value, series.name);
      this.#add(series, pane === null ? given / 10 ** priceScale : given);
    });
  }

  #add(series: Series, value: number): void {
    // -0, which JSON does not know, becomes 0.
    const plain = value + 0;
    if (series.isWaiting) {
      series.value = plain;
      return;
    }
    const second = Math.floor(this.#options.nowMs() / secondMs);
    if (second !== series.second) series.count = 0;
    series.second = second;
    series.count++;
    if (series.count > perSecondMax) {
      if (series.leftOut++ === 0) this.#sayLeftOut(series.name);
      return;
    }
    series.value = plain;
    series.isWaiting = true;
    this.#waiting.push(series);
  }

  #sayLeftOut({ kind, name }: SeriesName): void {
    const text = `${kind} "${name}" has more than ${perSecondMax} values a second: the others are left out, and counted as leftOut`;
    this.#lines.add('info', text, this.#options.nowMs());
  }

  #seriesOf(
    kind: SeriesName['kind'],
    name: unknown,
    pair: string | null,
    pane: string | null,
  ): Series {
    if (typeof name !== 'string') return refuse('name', nameText, name);
    const named = this.#series.get(name) ?? [];
    for (const series of named) {
      const known = series.name;
      if (known.kind === kind && known.pair === pair && known.pane === pane) return series;
    }
    if (!namePattern.test(name)) refuse('name', nameText, name);
    if (this.#seriesCount >= seriesMax)
      refuse('name', `one of the first ${seriesMax} of the strategy's metrics and plots`, name);
    const { strategyId } = this.#options;
    const series: Series = {
      name: { strategyId, kind, name, pair, pane },
      ...{ second: -1, count: 0, leftOut: 0, isWaiting: false, value: 0 },
    };
    named.push(series);
    this.#series.set(name, named);
    this.#seriesCount++;
    return series;
  }

  /** Runs a call of the strategy, and says why it is refused instead of throwing. */
  #attempt(call: string, body: () => void): void {
    if (!this.#options.isInEvent()) {
      if (!this.#toldOutside)
        this.#options.print(
          `${call} was called outside an event, from a promise or a real timer, and is left out: a replay could not repeat it`,
        );
      this.#toldOutside = true;
      return;
    }
    try {
      body();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { argument, message } = error;
      const nowMs = this.#options.nowMs();
      const minute = Math.floor(nowMs / minuteMs);
      const refused = `${call} ${argument}`;
      if (this.#toldMinutes.get(refused) === minute) return;
      this.#toldMinutes.set(refused, minute);
      this.#lines.add('warn', `${call}: ${message}; it is left out`, nowMs);
    }
  }
}

function refuse(argument: string, allowed: string, value: unknown): never {
  const length = typeof value === 'string' && value.length > 80 ? `… (${value.length})` : '';
  throw new Refused(argument, allowed, `${describe(value)}${length}`);
}

function numberOf(value: unknown, { kind, name }: SeriesName): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return refuse(`value of ${kind} "${name}"`, 'a finite number', value);
}

function paneOf(options: unknown): string | null {
  if (options === undefined) return null;
  if (!isPlainObject(options)) return refuse('options', 'an object with pane', options);
  const { pane } = options;
  if (pane === undefined) return null;
  return typeof pane === 'string' && namePattern.test(pane) ? pane : refuse('pane', nameText, pane);
}

function fieldsOf(fields: unknown): LineFields {
  if (!isPlainObject(fields)) return refuse('fields', 'an object', fields);
  const names = Object.keys(fields);
  if (names.length > fieldsMax)
    throw new Refused('fields', `an object of at most ${fieldsMax}`, `one of ${names.length}`);
  const copy: Record<string, string | number | boolean> = {};
  for (const name of names) {
    if (!fieldPattern.test(name) || name === '__proto__')
      refuse('the name of a field', '1 to 40 letters, digits and _', name);
    copy[name] = fieldOf(name, fields[name]);
  }
  return Object.freeze(copy);
}

function fieldOf(name: string, value: unknown): string | number | boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (typeof value === 'string' && value.length <= fieldLengthMax) return value;
  if (Decimal.isDecimal(value) && value.isFinite()) return formatDecimal(value);
  return refuse(`field ${name}`, fieldText, value);
}
