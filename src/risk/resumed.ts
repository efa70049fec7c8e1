/**
 * What is kept of a person's word that trading may go on: breakers do not count what was before it,
 * also after a restart. Kept among the risk states, of everything or of one strategy.
 */

/** `isToForgive`: said while no bot ran; the next start measures the drawdown from then. */
export type Resumed = { readonly atMs: number; readonly isToForgive?: true };

const kept = 'resumed';

/** The risk state in which it is kept; without a strategy it is of everything. */
export function resumedName(strategyId?: string): string {
  return strategyId === undefined ? kept : `${kept} ${strategyId}`;
}

/** Reads what was kept. */
export class Resumptions {
  readonly #states = new Map<string, Resumed>();

  constructor(states: readonly { readonly name: string; readonly state: string }[]) {
    for (const { name, state } of states)
      if (name === kept || name.startsWith(`${kept} `))
        this.#states.set(name, JSON.parse(state) as Resumed);
  }

  /** Since when the breakers of a strategy count. */
  sinceMs(strategyId: string): number {
    const ofOne = this.#states.get(resumedName(strategyId))?.atMs ?? Number.NEGATIVE_INFINITY;
    return Math.max(this.ofAllMs, ofOne);
  }

  /** When everything was resumed last; minus infinity if it never was. */
  get ofAllMs(): number {
    return this.#states.get(kept)?.atMs ?? Number.NEGATIVE_INFINITY;
  }

  get isToForgive(): boolean {
    return this.#states.get(kept)?.isToForgive === true;
  }
}
