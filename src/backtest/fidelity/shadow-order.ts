/**
 * A ghost: a real resting order of somebody else, what really became of it, and what each model of
 * fills says would have become of it.
 */
import type { Lots } from '../../domain/money.ts';
import {
  type FillPredictor,
  FillProgress,
  type LevelEvent,
  type ShadowOrderTerms,
} from './fill-predictor.ts';

/**
 * `changed` is an order that lost its place or got another volume: it ends there, like a cancel.
 */
export type ShadowEnd = 'filled' | 'cancelled' | 'changed' | 'still open';

/** How long after the real fill a model may still fill and be called late instead of wrong. */
export const lateMicrosMax = 60_000_000;

export class ShadowOrder<Name extends string = string> {
  readonly id: string;
  readonly order: ShadowOrderTerms;
  /**
   * Distance from the best price of its own side when it came, in ticks; negative in front of it.
   */
  readonly distance: number | undefined;
  readonly models: Readonly<Record<Name, FillPredictor>>;
  readonly #apply: readonly FillPredictor[];
  #isReached = false;
  /** What was really filled of it. */
  readonly #progress: FillProgress;
  #endMicros: number | undefined;
  #end: ShadowEnd | undefined;

  constructor(options: {
    readonly id: string;
    readonly order: ShadowOrderTerms;
    readonly distance: number | undefined;
    readonly models: Readonly<Record<Name, FillPredictor>>;
  }) {
    this.id = options.id;
    this.order = options.order;
    this.distance = options.distance;
    this.models = options.models;
    this.#progress = new FillProgress(options.order.volume);
    this.#apply = Object.values(options.models);
  }

  /** What was really filled of it. */
  get filled(): Lots {
    return this.#progress.filled;
  }

  /** Whether something traded at its price or beyond while it rested. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** How it really ended; undefined while it rests. */
  get end(): ShadowEnd | undefined {
    return this.#end;
  }

  /** When it really ended, in microseconds. */
  get endMicros(): number | undefined {
    return this.#endMicros;
  }

  /** Takes a real trade of it. */
  trade(volume: Lots, atMicros: number): void {
    // Hidden volume that traded behind what was shown is not part of the order that was given.
    this.#progress.fill(volume, atMicros);
    if (this.#progress.isFull) this.close('filled', atMicros);
  }

  close(end: ShadowEnd, atMicros: number): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#endMicros = atMicros;
  }

  /** Tells the models what happened to the others. */
  tell(event: LevelEvent): void {
    if (event.kind === 'traded') this.#isReached = true;
    for (const model of this.#apply) if (!model.progress.isFull) model.apply(event);
  }

  /**
   * Whether nothing more can be learnt: it ended without being filled, or all models have filled
   * it, or those that have not are too late.
   */
  isJudged(atMicros: number): boolean {
    if (this.#end === undefined || this.#endMicros === undefined) return false;
    if (this.#end !== 'filled') return true;
    if (atMicros - this.#endMicros > lateMicrosMax) return true;
    return this.#apply.every((model) => model.progress.isFull);
  }
}
