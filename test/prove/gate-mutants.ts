/**
 * Gates that are broken on purpose: each is the table of checks with one check taken out or made
 * weaker by a wrapper from outside, or with a mistake that gates elsewhere make. A random life must
 * show each of them letting an order pass that the oracle is against.
 */
import { amountsOf, type Check, type CheckInput, checkInputOf } from '../../src/risk/check.ts';
import { type CheckEntry, checkTable } from '../../src/risk/check-table.ts';
import type { Exposure } from '../../src/risk/exposure.ts';
import { refusalsBy } from '../../src/risk/gate.ts';
import type { GateFacts } from '../../src/risk/gate-facts.ts';
import type { Asked } from '../support/gate-life.ts';

export type Mutant = {
  readonly name: string;
  /** What it does wrong. */
  readonly meaning: string;
  /** It refuses what may pass, where all others let pass what may not. */
  readonly isTooStrict?: boolean;
  /** Whether it lets the order pass. */
  readonly passes: (asked: Asked) => boolean;
};

/** Checks whose figures are numbers, so that a limit can be taken for twice as much. */
const doubled = [8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];

function entryOf(position: number): CheckEntry {
  const entry = checkTable.find((one) => one.position === position);
  if (entry === undefined) throw new RangeError(`no check ${position}`);
  return entry;
}

function tableWith(position: number, check: Check | undefined): readonly CheckEntry[] {
  return checkTable.flatMap((entry) => {
    if (entry.position !== position) return [entry];
    return check === undefined ? [] : [{ ...entry, check }];
  });
}

function mutantOf(name: string, meaning: string, table: readonly CheckEntry[]): Mutant {
  return {
    name,
    meaning,
    passes: ({ proposal, facts, gate }) =>
      refusalsBy(table, checkInputOf(proposal, facts, gate.limits)).length === 0,
  };
}

/** The check, except for what `forgives` says of its refusals. */
function forgiving(
  position: number,
  forgives: (observed: string, limit: string, code: string) => boolean,
): Check {
  const { check } = entryOf(position);
  return (input, refuse) =>
    check(input, (code, observed, limit, unit) => {
      if (!forgives(observed, limit, code)) refuse(code, observed, limit, unit);
    });
}

/** The check, looking at an exposure that knows less. */
function lookingAt(position: number, choose: (asked: Asked) => GateFacts) {
  const { check } = entryOf(position);
  return (asked: Asked): Check =>
    ({ proposal, limits }, refuse) =>
      check(checkInputOf(proposal, choose(asked), limits), refuse);
}

function lookingMutant(
  name: string,
  meaning: string,
  positions: readonly number[],
  choose: (asked: Asked) => GateFacts,
): Mutant {
  const checks = positions.map((position) => [position, lookingAt(position, choose)] as const);
  return {
    name,
    meaning,
    passes: (asked) => {
      const table = checkTable.map((entry) => {
        const [, check] = checks.find(([position]) => position === entry.position) ?? [];
        return check === undefined ? entry : { ...entry, check: check(asked) };
      });
      const { proposal, facts, gate } = asked;
      return refusalsBy(table, checkInputOf(proposal, facts, gate.limits)).length === 0;
    },
  };
}

const isMissing = (text: string): boolean => text === 'missing';
const isWithinTwice = (observed: string, limit: string): boolean => {
  const shareOf = (text: string): number => {
    const [part = '', whole = '1'] = text.split('/');
    return Number(part) / Number(whole);
  };
  return Math.abs(shareOf(observed)) <= 2 * Number(limit);
};

/** REDUCING as it is elsewhere: it looks at the side of the position and at nothing else. */
const reducingBySide: Check = ({ proposal, facts }, refuse) => {
  const { global, strategies, pairs } = facts.tradingState;
  const states = [global, strategies.get(proposal.strategyId), pairs.get(proposal.pair)];
  if (!states.includes('REDUCING')) return;
  const { base } = facts.exposure.position(proposal.strategyId, proposal.pair);
  if (proposal.side === 'BID' ? base > 0n : base < 0n) refuse('REDUCE_ONLY', String(base), '0', '');
};

/** The check of losses, with its own idea of what an exit is. */
function lossesExcept(isExit: (input: CheckInput) => boolean): Check {
  const { check } = entryOf(22);
  // Flat in everything: nothing is an exit for the real check then.
  const flat = { position: () => ({ base: 0n, highest: 0n, lowest: 0n }) };
  return (input, refuse) => {
    if (isExit(input)) return;
    const { facts } = input;
    const exposure = Object.assign(Object.create(facts.exposure) as Exposure, flat);
    check({ ...input, facts: { ...facts, exposure } }, refuse);
  };
}

/** The check of losses as if nothing were an exit. */
export const refusingExits: Check = lossesExcept(() => false);

/** An exit as it is elsewhere: the side against the position, whatever the volume. */
function isAgainst({ proposal, facts }: CheckInput): boolean {
  const { base } = facts.exposure.position(proposal.strategyId, proposal.pair);
  return proposal.side === 'BID' ? base < 0n : base > 0n;
}

/** An exit by what is held, without the orders of the same side that may fill, too. */
function isWithinHeld(input: CheckInput): boolean {
  const { proposal, facts } = input;
  const { base } = facts.exposure.position(proposal.strategyId, proposal.pair);
  const volume = amountsOf(input)?.volume ?? 0n;
  return proposal.side === 'BID' ? base + volume <= 0n : base - volume >= 0n;
}

/** An exit by the position of all strategies together. */
function isWithinPair(input: CheckInput): boolean {
  const { proposal, facts } = input;
  const { highest, lowest } = facts.exposure.pairPosition(proposal.pair);
  const volume = amountsOf(input)?.volume ?? 0n;
  return proposal.side === 'BID' ? highest + volume <= 0n : lowest - volume >= 0n;
}

const exits: readonly Mutant[] = [
  {
    ...mutantOf(
      'exit-refused',
      'a limit of losses refuses what would end them, too',
      tableWith(22, refusingExits),
    ),
    isTooStrict: true,
  },
  mutantOf(
    'exit-by-side',
    'under a limit of losses an order against the position may be of any size',
    tableWith(22, lossesExcept(isAgainst)),
  ),
  mutantOf(
    'exit-without-open',
    'under a limit of losses several exits share the same position',
    tableWith(22, lossesExcept(isWithinHeld)),
  ),
  mutantOf(
    'exit-of-others',
    'under a limit of losses a strategy ends the position of another one',
    tableWith(22, lossesExcept(isWithinPair)),
  ),
  mutantOf(
    'reduce-only-ignored',
    'an order that must only reduce may do more',
    tableWith(14, (input, refuse) => {
      const proposal = { ...input.proposal, reduceOnly: false };
      entryOf(14).check({ ...input, proposal }, refuse);
    }),
  ),
];

const removed = checkTable.map(({ position, name }) =>
  mutantOf(
    `no-${position}`,
    `check ${position}, ${name}, is left out`,
    tableWith(position, undefined),
  ),
);

const weakened = doubled.map((position) =>
  mutantOf(
    `twice-${position}`,
    `check ${position}, ${entryOf(position).name}, lets twice its limit pass`,
    tableWith(position, forgiving(position, isWithinTwice)),
  ),
);

const failOpen: readonly Mutant[] = [
  {
    name: 'bypass',
    meaning: 'a flag lets everything of a strategy pass',
    passes: ({ proposal }) => proposal.strategyId === 'a',
  },
  mutantOf(
    'no-account-passes',
    'no balance is known of the account, and so nothing is wrong',
    tableWith(
      16,
      forgiving(16, (_observed, limit) => isMissing(limit)),
    ),
  ),
  mutantOf(
    'no-price-passes',
    'there is no price to compare with: a warning, and on',
    checkTable.map((entry) =>
      entry.position === 9 || entry.position === 10
        ? { ...entry, check: forgiving(entry.position, (observed) => isMissing(observed)) }
        : entry,
    ),
  ),
  mutantOf(
    'stale-passes',
    'a book that is old is as good as any',
    tableWith(
      9,
      forgiving(9, (_observed, _limit, code) => code === 'BOOK_STALE'),
    ),
  ),
  mutantOf(
    'no-state-passes',
    'a trading state that is not known is taken for on',
    tableWith(
      1,
      forgiving(1, (observed) => isMissing(observed)),
    ),
  ),
  mutantOf(
    'reducing-by-side',
    'REDUCING lets anything pass when flat, and an order of any size turn the position over',
    tableWith(14, reducingBySide),
  ),
  lookingMutant(
    'in-flight-not-pending',
    'orders that are not accepted yet do not count for the position',
    [15],
    ({ lateFacts }) => lateFacts,
  ),
  lookingMutant(
    'locks-when-accepted',
    'balances are locked when an order is accepted, so several see the same free balance',
    [16],
    ({ lateFacts }) => lateFacts,
  ),
  lookingMutant(
    'unknown-not-open',
    'orders without an answer do not count as open',
    [17, 18],
    ({ lateFacts }) => lateFacts,
  ),
  lookingMutant(
    'held-after-the-step',
    'check 25: orders of one step are held when it is over, so they share the same room',
    [12, 13, 15, 16, 17, 18, 19],
    ({ stepFacts }) => stepFacts,
  ),
];

/** All of them. */
export const gateMutants: readonly Mutant[] = [...removed, ...weakened, ...failOpen, ...exits];
