/** The volume that the market has traded since an executor began, for a share of it. */
import { type Observable, tap } from 'rxjs';
import { z } from 'zod';
import type { Intent } from '../../domain/intent.ts';
import type { Trade } from '../../domain/market-view.ts';
import type { Lots } from '../../domain/money.ts';
import { lotsOf } from '../../domain/ticks-and-lots.ts';
import type { Slot } from '../parts/slot.ts';
import type { Desk } from './executor-part.ts';

/** It is remembered at most so often; a crash forgets what was traded since then. */
const rememberMs = 10_000;

export class MarketVolume {
  readonly #slot: Slot<number>;
  readonly #nowMs: () => number;
  #volume: number;
  #rememberedMs: number;
  readonly trade$: Observable<Trade>;

  constructor({ part, market }: Desk) {
    this.#slot = part.slot('volume', z.int(), 0);
    this.#nowMs = part.nowMs;
    this.#volume = this.#slot.value;
    this.#rememberedMs = part.nowMs();
    this.trade$ = market.trade$.pipe(
      tap(({ volume }) => {
        this.#volume += volume;
      }),
    );
  }

  /** Returns `share` of it, in whole lots. */
  share(share: number): Lots {
    return lotsOf(Math.floor(this.#volume * share));
  }

  /** What to remember now. */
  remember(): readonly Intent[] {
    if (this.#nowMs() < this.#rememberedMs + rememberMs) return [];
    this.#rememberedMs = this.#nowMs();
    return this.#volume === this.#slot.value ? [] : [this.#slot.remember(this.#volume)];
  }
}
