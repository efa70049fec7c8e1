/** When and how the processes of one home are killed: a list drawn from a seed. */
import type { SeededRandom } from '../support/seeded-random.ts';

export type Target = 'bot' | 'simulator' | 'both';

export type Kill = {
  readonly target: Target;
  /**
   * What the bot is doing: still starting and recovering, trading, or waiting for an exchange that
   * was stopped a moment ago, so that its requests arrive after its death.
   */
  readonly while: 'starting' | 'trading' | 'in-flight';
  /** Further delay, once the bot is there. */
  readonly afterMs: number;
  /** How long whoever is dead stays so. */
  readonly downMs: number;
};

const targets: readonly Target[] = ['bot', 'bot', 'bot', 'bot', 'simulator', 'both'];
const moments: readonly Kill['while'][] = [
  ...Array.from({ length: 4 }, () => 'starting' as const),
  ...Array.from({ length: 3 }, () => 'trading' as const),
  'in-flight',
];

/** Returns `count` kills. */
export function planOf(random: SeededRandom, count: number): readonly Kill[] {
  return Array.from({ length: count }, () => {
    const moment = random.pick(moments);
    return {
      target: moment === 'in-flight' ? 'bot' : random.pick(targets),
      while: moment,
      afterMs: random.integer(0, moment === 'starting' ? 1_500 : 2_500),
      downMs: random.pick([0, 0, 0, random.integer(0, 3_000)]),
    };
  });
}
