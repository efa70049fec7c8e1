/**
 * A person's resume command, stored as a risk state, of the whole bot or of one strategy: breakers
 * do not count what happened before it, also after a restart.
 */

/** `isToForgive`: given while no bot ran, so the next start measures the drawdown anew. */
export type Resumed = { readonly atMs: number; readonly isToForgive?: true };

const stateName = 'resumed';

/** Returns the name of the risk state; without a strategy it is the whole bot's. */
export function resumedName(strategyId?: string): string {
  return strategyId === undefined ? stateName : `${stateName} ${strategyId}`;
}

/** The resume commands among the stored risk states. */
export class Resumptions {
  readonly #states = new Map<string, Resumed>();

  constructor(states: readonly { readonly name: string; readonly state: string }[]) {
    for (const { name, state } of states)
      if (name === stateName || name.startsWith(`${stateName} `))
        this.#states.set(name, JSON.parse(state) as Resumed);
  }

  /** Returns the time from which the breakers of a strategy count. */
  sinceMs(strategyId: string): number {
    const ofStrategyMs =
      this.#states.get(resumedName(strategyId))?.atMs ?? Number.NEGATIVE_INFINITY;
    return Math.max(this.ofAllMs, ofStrategyMs);
  }

  /** When the whole bot was last resumed; minus infinity if it never was. */
  get ofAllMs(): number {
    return this.#states.get(stateName)?.atMs ?? Number.NEGATIVE_INFINITY;
  }

  get isToForgive(): boolean {
    return this.#states.get(stateName)?.isToForgive === true;
  }
}
