/**
 * Gates that are broken on purpose: each is the table of checks with one check removed or weakened
 * by a wrapper, or with a mistake known from other gates. For each of them, a random history must
 * contain an order that it passes and the oracle refuses.
 */

import type { Side } from '../../src/domain/market.ts';
import { type Check, type CheckInput, checkInputOf } from '../../src/risk/check.ts';
import { type CheckEntry, checkTable } from '../../src/risk/check-table.ts';
import type { Exposure } from '../../src/risk/exposure.ts';
import { withFeeBuffer } from '../../src/risk/fee-buffer.ts';
import { refusalsBy } from '../../src/risk/gate.ts';
import type { GateFacts } from '../../src/risk/gate-facts.ts';
import { type Share, shareOf } from '../../src/risk/share.ts';
import type { Asked } from '../support/gate-life.ts';

export type Mutant = {
  readonly name: string;
  /** The mistake. */
  readonly meaning: string;
  /** Whether it refuses valid orders; all other mutants pass invalid ones. */
  readonly isTooStrict?: boolean;
  /** Returns whether it passes the order. */
  readonly passes: (asked: Asked) => boolean;
};

/** Positions of checks with numeric limits, which a mutant can double. */
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

/** Returns the check without the refusals for which `forgives` returns true. */
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

/** Returns the check with facts that know less. */
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

/** REDUCING as in other gates: looks only at the side of the position. */
const reducingBySide: Check = ({ proposal, facts }, refuse) => {
  const { global, strategies, pairs } = facts.tradingState;
  const states = [global, strategies.get(proposal.strategyId), pairs.get(proposal.pair)];
  if (!states.includes('REDUCING')) return;
  const { base } = facts.exposure.position(proposal.strategyId, proposal.pair);
  if (proposal.side === 'BID' ? base > 0n : base < 0n) refuse('REDUCE_ONLY', String(base), '0', '');
};

/** Returns the loss check with another definition of an exit. */
function lossesExcept(isExit: (input: CheckInput) => boolean): Check {
  const { check } = entryOf(22);
  // With flat positions, no order is an exit for the real check.
  const flat = { position: () => ({ base: 0n, highest: 0n, lowest: 0n }) };
  return (input, refuse) => {
    if (isExit(input)) return;
    const { facts } = input;
    const exposure = Object.assign(Object.create(facts.exposure) as Exposure, flat);
    check({ ...input, facts: { ...facts, exposure } }, refuse);
  };
}

/** The loss check without exits. */
export const refusingExits: Check = lossesExcept(() => false);

/** An exit as in other gates: any order against the position, of any volume. */
function isAgainst({ proposal, facts }: CheckInput): boolean {
  const { base } = facts.exposure.position(proposal.strategyId, proposal.pair);
  return proposal.side === 'BID' ? base < 0n : base > 0n;
}

/** An exit by the position alone, without the open orders of the same side. */
function isWithinHeld(input: CheckInput): boolean {
  const { proposal, facts } = input;
  const { base } = facts.exposure.position(proposal.strategyId, proposal.pair);
  const volume = input.context.base.amount(input.volume ?? 0);
  return proposal.side === 'BID' ? base + volume <= 0n : base - volume >= 0n;
}

/** An exit by the position of all strategies together. */
function isWithinPair(input: CheckInput): boolean {
  const { proposal, facts } = input;
  const { highest, lowest } = facts.exposure.pairPosition(proposal.pair);
  const volume = input.context.base.amount(input.volume ?? 0);
  return proposal.side === 'BID' ? highest + volume <= 0n : lowest - volume >= 0n;
}

const exits: readonly Mutant[] = [
  {
    ...mutantOf('exit-refused', 'a loss limit refuses exits too', tableWith(22, refusingExits)),
    isTooStrict: true,
  },
  mutantOf(
    'exit-by-side',
    'at a loss limit, an order against the position may have any size',
    tableWith(22, lossesExcept(isAgainst)),
  ),
  mutantOf(
    'exit-without-open',
    'at a loss limit, several exits use the same position',
    tableWith(22, lossesExcept(isWithinHeld)),
  ),
  mutantOf(
    'exit-of-others',
    'at a loss limit, a strategy may reduce the position of another',
    tableWith(22, lossesExcept(isWithinPair)),
  ),
  mutantOf(
    'reduce-only-ignored',
    'a reduce-only order may do more than reduce',
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

/** The check of funds with another share that an order of `side` keeps free for its fee. */
function fundsWithShare(side: Side, share: Share | undefined): Check {
  const { check } = entryOf(16);
  return (input, refuse) => {
    const { proposal, facts, limits, context, volume, value } = input;
    if (proposal.side !== side) return check(input, refuse);
    const unit = side === 'BID' ? context.counter : context.base;
    const pays = side === 'BID' ? value : volume;
    const free = facts.exposure.funds.free(unit.currency);
    const needed =
      pays === undefined ? undefined : withFeeBuffer(unit, pays, share ?? limits.feeBuffer);
    if (needed === undefined || free === undefined || !unit.isAtMost(needed, free))
      refuse('FUNDS', String(needed), String(free), unit.currency);
  };
}

const noShare = shareOf('0');
const fees: readonly Mutant[] = [
  {
    ...mutantOf(
      'buffer-on-asks',
      'an ask keeps something free for its fee, so that no whole position can be sold',
      tableWith(16, fundsWithShare('ASK', undefined)),
    ),
    isTooStrict: true,
  },
  mutantOf(
    'no-buffer-on-bids',
    'a bid may use what must stay free for its fee',
    tableWith(16, fundsWithShare('BID', noShare)),
  ),
];

const failOpen: readonly Mutant[] = [
  {
    name: 'bypass',
    meaning: 'a flag passes all orders of a strategy',
    passes: ({ proposal }) => proposal.strategyId === 'a',
  },
  mutantOf(
    'no-account-passes',
    'an order passes while the balance is not known',
    tableWith(
      16,
      forgiving(16, (_observed, limit) => isMissing(limit)),
    ),
  ),
  mutantOf(
    'no-price-passes',
    'an order passes while there is no reference price',
    checkTable.map((entry) =>
      entry.position === 9 || entry.position === 10
        ? { ...entry, check: forgiving(entry.position, (observed) => isMissing(observed)) }
        : entry,
    ),
  ),
  mutantOf(
    'stale-passes',
    'a stale book is accepted',
    tableWith(
      9,
      forgiving(9, (_observed, _limit, code) => code === 'BOOK_STALE'),
    ),
  ),
  mutantOf(
    'no-state-passes',
    'an unknown trading state counts as ACTIVE',
    tableWith(
      1,
      forgiving(1, (observed) => isMissing(observed)),
    ),
  ),
  mutantOf(
    'reducing-by-side',
    'REDUCING passes every order when flat, and orders of any size that reverse the position',
    tableWith(14, reducingBySide),
  ),
  lookingMutant(
    'in-flight-not-pending',
    'orders that are not accepted yet do not count in the position',
    [15],
    ({ lateFacts }) => lateFacts,
  ),
  lookingMutant(
    'locks-when-accepted',
    'funds are held only when an order is accepted, so several orders use the same balance',
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
    'check 25: orders are held only at the end of their step, so they use the same part of a limit',
    [12, 13, 15, 16, 17, 18, 19],
    ({ stepFacts }) => stepFacts,
  ),
];

/** Leaves out the refusals of one code. */
const withoutCode = (position: number, code: string): readonly CheckEntry[] =>
  tableWith(
    position,
    forgiving(position, (_observed, _limit, one) => one === code),
  );

/** The check with a market order taken for the limit order as which it counts. */
const asCounted =
  (position: number): Check =>
  (input, refuse) => {
    const proposal = { ...input.proposal, pays: undefined };
    entryOf(position).check({ ...input, proposal }, refuse);
  };

const types: readonly Mutant[] = [
  mutantOf(
    'stop-reached',
    'a stop whose price is reached already passes',
    withoutCode(6, 'STOP_PRICE'),
  ),
  mutantOf(
    'stop-far',
    'a limit price far from its stop price passes',
    withoutCode(9, 'COLLAR_STOP'),
  ),
  mutantOf(
    'market-light',
    'a market order counts as less than it may be',
    withoutCode(6, 'MARKET_PRICE'),
  ),
  mutantOf(
    'market-meets-by-price',
    'a market order meets only those of ours that its counted price crosses',
    tableWith(13, asCounted(13)),
  ),
  mutantOf(
    'market-within-collar',
    'a market order that would reach far into the book passes',
    tableWith(9, (input, refuse) =>
      entryOf(9).check(input, (code, ...rest) => {
        const isCollar = code === 'COLLAR_MID' || code === 'COLLAR_TRADES';
        if (input.proposal.pays === undefined || !isCollar) refuse(code, ...rest);
      }),
    ),
  ),
  mutantOf(
    'market-without-depth',
    'a market order may take any part of the book, as one that is sent late without its depth',
    tableWith(11, (input, refuse) => {
      if (input.proposal.pays === undefined) entryOf(11).check(input, refuse);
    }),
  ),
];

/** All mutants. */
export const gateMutants: readonly Mutant[] = [
  ...removed,
  ...weakened,
  ...failOpen,
  ...exits,
  ...fees,
  ...types,
];
