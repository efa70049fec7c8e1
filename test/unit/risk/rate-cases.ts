/** Open orders, rates, breakers, losses, age and approval: checks 18 to 24. */
import { amountOf } from '../../../src/domain/amount.ts';
import { approvalTokenOf } from '../../../src/risk/approvals.ts';
import type { GateFacts } from '../../../src/risk/gate-facts.ts';
import { fillAs, heldAs } from '../../support/named-holds.ts';
import { goodBid, holdOrder, lots, market, nowMs, ticks } from './open-gate.ts';
import { account, type Case, each, fillOf } from './spoilt-case.ts';

/** Holds and releases orders, the oldest `agoMs` ago. */
const placed = (facts: GateFacts, count: number, agoMs: number) => {
  facts.nowMs -= agoMs;
  for (let id = 0; id < count; id++) {
    holdOrder(facts, `p${id}`, {});
    facts.exposure.withdraw(heldAs(facts.exposure, `p${id}`), facts.nowMs);
    facts.exposure.release(heldAs(facts.exposure, `p${id}`));
  }
  facts.nowMs += agoMs;
};
const other = { ordersPerSecondMax: 10_000, ordersPerMinuteMax: 10_000 };
const token = approvalTokenOf(goodBid, market);

export const rateCases: readonly Case[] = [
  {
    position: 18,
    title: 'a sixth order',
    expected: ['ORDERS_OPEN|6|5|orders'],
    spoil: (facts) => {
      for (const [index, id] of [...'abcde'].entries())
        holdOrder(facts, id, { volume: lots(5), price: ticks(99_000_000 + index) });
    },
  },
  {
    position: 18,
    title: "too much value in the strategy's orders",
    settings: each({ openNotionalMax: { ZAR: '19899.99' } }),
    expected: ['UNEXECUTED|19900|19899.99|ZAR'],
    spoil: (facts) => holdOrder(facts, 'h1', { price: ticks(99_000_000) }),
  },

  {
    position: 19,
    title: 'a third order within a minute',
    expected: ['ORDERS_PER_MINUTE|3|2|orders'],
    settings: account({ ordersPerMinuteMax: 2 }),
    spoil: (facts) => placed(facts, 2, 59_999),
  },
  {
    position: 19,
    title: 'a third order within a second',
    expected: ['ORDERS_PER_SECOND|3|2|orders'],
    settings: account({ ordersPerSecondMax: 2 }),
    spoil: (facts) => placed(facts, 2, 999),
  },
  {
    position: 19,
    title: "a strategy's third order within a second",
    expected: ['STRATEGY_PER_SECOND|3|2|orders'],
    settings: each({ ordersPerSecondMax: 2 }),
    spoil: (facts) => placed(facts, 2, 999),
  },
  {
    position: 19,
    title: "a strategy's third order within a minute",
    expected: ['STRATEGY_PER_MINUTE|3|2|orders'],
    settings: each({ ordersPerMinuteMax: 2 }),
    spoil: (facts) => placed(facts, 2, 59_999),
  },
  {
    position: 19,
    title: 'too many cancels per order',
    expected: ['CANCEL_SHARE|100/101|0.99|cancels for each order'],
    settings: {
      ...each({ ...other, cancelShareMax: '0.99' }),
    },
    spoil: (facts) => placed(facts, 100, 120_000),
  },
  {
    position: 19,
    title: 'too many orders per fill',
    expected: ['ORDERS_PER_FILL|101/1|100|orders for each fill'],
    settings: each({ ...other, ordersPerFillMax: 100 }),
    spoil: (facts) => placed(facts, 100, 120_000),
  },

  {
    position: 20,
    title: 'a strategy that is filled again and again',
    settings: each({ fills: { max: 2, withinMs: 60_000, action: 'halt' } }),
    expected: ['REPEATED_FILLS|3|2|fills'],
    spoil: (facts) => {
      for (const key of 'abc')
        fillAs(
          facts.exposure,
          fillOf({ key, strategyId: 'mm', volume: lots(1), value: 1e8, timeMs: nowMs - 59_999 }),
        );
    },
  },
  {
    position: 21,
    title: 'a strategy whose orders are rejected',
    settings: each({ rejections: { max: 2, withinMs: 60_000, action: 'halt' } }),
    expected: ['REJECTIONS|3|2|rejected orders'],
    spoil: (facts) => {
      for (const agoMs of [1, 2, 3]) facts.exposure.activity.of('mm').rejections.add(nowMs - agoMs);
    },
  },
  {
    position: 21,
    title: 'a strategy whose orders are refused',
    settings: each({ refusals: { max: 2, withinMs: 60_000, action: 'halt' } }),
    expected: ['REFUSALS|3|2|refused orders'],
    spoil: (facts) => {
      for (const agoMs of [1, 2, 3]) facts.exposure.activity.of('mm').refusals.add(nowMs - agoMs);
    },
  },

  {
    position: 22,
    title: 'a day at its loss limit',
    expected: ['LOSS_DAY|1500|1500|ZAR'],
    spoil: (facts) => {
      fillAs(facts.exposure, fillOf({ value: 11_500_000_000 }));
    },
  },
  {
    position: 22,
    title: 'a loss by fees alone',
    expected: ['LOSS_DAY|1500.5|1500|ZAR'],
    spoil: (facts) => {
      fillAs(facts.exposure, fillOf({ feeCounter: amountOf('1500.5') }));
    },
  },
  {
    position: 22,
    title: 'a currency without a loss limit',
    expected: ['LOSS_DAY|0|missing|ZAR'],
    settings: account({ lossDayMax: {} }),
  },
  {
    position: 22,
    title: 'a profit that fell by the drawdown limit',
    settings: account({ drawdownMax: { ZAR: '3000' } }),
    expected: ['DRAWDOWN|3000|3000|ZAR'],
    spoil: (facts) => {
      const sold = { side: 'ASK', value: 11_000_000_000 } as const;
      fillAs(facts.exposure, fillOf({ key: 'a' }));
      fillAs(facts.exposure, fillOf({ key: 'b', ...sold }));
      // Up by 2,000 with a rebate, then sold cheap.
      fillAs(
        facts.exposure,
        fillOf({ key: 'c', value: 12_000_000_000, feeCounter: amountOf('-1000') }),
      );
      fillAs(
        facts.exposure,
        fillOf({ key: 'd', ...sold, value: 10_000_000_000, feeCounter: amountOf('1000') }),
      );
    },
  },
  {
    position: 22,
    title: 'a strategy in its cool-down',
    expected: ['COOL_DOWN|1000|0|ms after losing trades in a row'],
    settings: account({ lossDayMax: { ZAR: '10000' } }),
    spoil: (facts) => {
      facts.exposure.trades.losingTrades = { max: 1, coolDownMs: 1_000 };
      for (const key of ['1', '2']) {
        const one = { strategyId: 'mm', volume: lots(1) };
        fillAs(facts.exposure, fillOf({ ...one, key: `b${key}`, value: 1e8 }));
        fillAs(facts.exposure, fillOf({ ...one, key: `s${key}`, side: 'ASK', value: 1e8 - 1 }));
      }
    },
  },

  {
    position: 23,
    title: 'an old intent',
    order: { createdMs: nowMs - 10_001 },
    expected: ['AGE|10001|10000|ms'],
  },
  {
    position: 23,
    title: 'an intent without a time',
    order: { createdMs: Number.NaN },
    expected: ['AGE|missing|10000|ms'],
  },
  {
    position: 24,
    title: 'an order above the soft limit',
    settings: account({ approveAbove: { ZAR: '9999' } }),
    expected: [`APPROVAL|10000|9999|ZAR without approval ${token}`],
  },
  {
    position: 24,
    title: 'an order whose approval has expired',
    settings: account({ approveAbove: { ZAR: '9999' } }),
    expected: [`APPROVAL|10000|9999|ZAR without approval ${token}`],
    spoil: (facts) => facts.approvals.add(token, nowMs),
  },
  {
    position: 24,
    title: 'an order other than the one that was approved',
    order: { price: ticks(99_999_999) },
    settings: account({ approveAbove: { ZAR: '9999' } }),
    expected: [
      `APPROVAL|9999.9999|9999|ZAR without approval ${approvalTokenOf({ ...goodBid, price: ticks(99_999_999) }, market)}`,
    ],
    spoil: (facts) => facts.approvals.add(token, nowMs + 1_000),
  },
];
