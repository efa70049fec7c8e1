/** When and how the processes of one home are killed: a list drawn from a seed. */
import type { SeededRandom } from '../support/seeded-random.ts';
import type { CommittedState } from './crash-at-commit.ts';

export type Target = 'bot' | 'simulator' | 'both';

export type Kill = {
  readonly target: Target;
  /**
   * What the bot is doing: still starting and recovering, trading, having just committed an order
   * that has not left, or waiting for an exchange that was stopped a moment ago, so that its
   * requests arrive after its death.
   */
  readonly while: 'starting' | 'trading' | 'committed' | 'in-flight';
  /** As what an order is committed last by a bot that dies with it. */
  readonly committedAs: CommittedState;
  /** Further delay, once the bot is there. */
  readonly afterMs: number;
  /** How long whoever is dead stays so. */
  readonly downMs: number;
};

const targets: readonly Target[] = ['bot', 'bot', 'bot', 'bot', 'simulator', 'both'];
/**
 * Requests that arrive too late leave orders whose outcome is unknown for a while, in which
 * little is traded; so these kills come last.
 */
const inFlightShare = 0.15;

/** Returns `count` kills. */
export function planOf(random: SeededRandom, count: number): readonly Kill[] {
  return Array.from({ length: count }, (_, index) => {
    const isLate = index >= count * (1 - inFlightShare);
    const moment = isLate
      ? 'in-flight'
      : random.pick(['starting', 'trading', 'trading', 'committed'] as const);
    return {
      target: isLate || moment === 'committed' ? 'bot' : random.pick(targets),
      while: moment,
      committedAs: random.pick(['waiting', 'sending'] as const),
      afterMs: random.integer(0, moment === 'starting' ? 800 : 10_000),
      downMs: random.pick([0, 0, 0, random.integer(0, 3_000)]),
    };
  });
}
