/** How the end of a strategy that has finished its task is stored, so that a start knows of it. */

/** When a strategy has finished its task, and why. */
export type Done = { readonly atMs: number; readonly reason: string };

export type DoneStrategy = Done & { readonly strategyId: string };

const namePrefix = 'done ';

/** Returns the name under which the end of a strategy is stored. */
export function doneName(strategyId: string): string {
  return `${namePrefix}${strategyId}`;
}

/** Returns the strategies that are done, of all stored states. */
export function storedDoneStrategies(
  states: readonly { readonly name: string; readonly state: string }[],
): readonly DoneStrategy[] {
  return states.flatMap(({ name, state }) => {
    if (!name.startsWith(namePrefix)) return [];
    const done = JSON.parse(state) as Done | null;
    return done === null ? [] : [{ strategyId: name.slice(namePrefix.length), ...done }];
  });
}
