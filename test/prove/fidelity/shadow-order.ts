/**
 * A real resting order of somebody else: what happened to it in history, and what each fill model
 * predicts for it.
 */
import type { Lots } from '../../../src/domain/money.ts';
import {
  type FillPredictor,
  FillProgress,
  type LevelEvent,
  type ShadowOrderTerms,
} from './fill-predictor.ts';

/**
 * `changed`: the order lost its place or its volume changed; like a cancel, that ends it.
 */
export type ShadowEnd = 'filled' | 'cancelled' | 'changed' | 'still open';

/** A prediction that fills later than this after the real fill counts as not filled. */
export const lateMicrosMax = 60_000_000;

export class ShadowOrder<Name extends string = string> {
  readonly id: string;
  readonly terms: ShadowOrderTerms;
  /**
   * Distance behind the best price of its own side when it arrived, in ticks; negative if it
   * improved that price; undefined if the side was empty.
   */
  readonly distance: number | undefined;
  readonly models: Readonly<Record<Name, FillPredictor>>;
  readonly #predictors: readonly FillPredictor[];
  #isReached = false;
  /** Its fills in history. */
  readonly #progress: FillProgress;
  #endMicros: number | undefined;
  #end: ShadowEnd | undefined;

  constructor(options: {
    readonly id: string;
    readonly terms: ShadowOrderTerms;
    readonly distance: number | undefined;
    readonly models: Readonly<Record<Name, FillPredictor>>;
  }) {
    this.id = options.id;
    this.terms = options.terms;
    this.distance = options.distance;
    this.models = options.models;
    this.#progress = new FillProgress(options.terms.volume);
    this.#predictors = Object.values(options.models);
  }

  /** The volume that was filled in history. */
  get filled(): Lots {
    return this.#progress.filled;
  }

  /** Whether something traded at its price or beyond it while it rested. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** How it ended in history; undefined while it rests. */
  get end(): ShadowEnd | undefined {
    return this.#end;
  }

  /** When it ended in history, in microseconds. */
  get endMicros(): number | undefined {
    return this.#endMicros;
  }

  /** Adds a trade that it had in history. */
  trade(volume: Lots, atMicros: number): void {
    // Hidden volume that traded beyond the displayed volume is not part of the shadow order.
    this.#progress.fill(volume, atMicros);
    if (this.#progress.isFull) this.close('filled', atMicros);
  }

  close(end: ShadowEnd, atMicros: number): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#endMicros = atMicros;
  }

  /** Passes an event of the other orders to the models. */
  apply(event: LevelEvent): void {
    if (event.kind === 'traded') this.#isReached = true;
    for (const model of this.#predictors) if (!model.progress.isFull) model.apply(event);
  }

  /**
   * Whether later events cannot change the score: it ended without being filled, or all models
   * have filled it, or it is too late for the remaining models.
   */
  isJudged(atMicros: number): boolean {
    if (this.#end === undefined || this.#endMicros === undefined) return false;
    if (this.#end !== 'filled') return true;
    if (atMicros - this.#endMicros > lateMicrosMax) return true;
    return this.#predictors.every((model) => model.progress.isFull);
  }
}
