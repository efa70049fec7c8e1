/**
 * What a debugger shows of a judgement is what the gate decided: each refusal with its values, and
 * for each rule that the order keeps the values by which it does.
 */
import { describe, expect, test } from 'vitest';
import type { RuleVerdict } from '../../../src/domain/check-verdict.ts';
import { checkInputOf, type Refusal } from '../../../src/risk/check.ts';
import { checkTable } from '../../../src/risk/check-table.ts';
import { explainBy } from '../../../src/risk/explain.ts';
import { refusalsBy } from '../../../src/risk/gate.ts';
import { gateLimitsOf } from '../../../src/risk/gate-limits.ts';
import { accountCases } from './account-cases.ts';
import { goodAsk, goodBid, openFacts, settings } from './open-gate.ts';
import { orderCases } from './order-cases.ts';
import { rateCases } from './rate-cases.ts';
import type { Case } from './spoilt-case.ts';
import { stateCases } from './state-cases.ts';

const cases = [...stateCases, ...orderCases, ...accountCases, ...rateCases];

function inputOf(given: Pick<Case, 'spoil' | 'order' | 'settings'>) {
  const facts = openFacts();
  given.spoil?.(facts);
  const order = { ...goodBid, ...given.order };
  return checkInputOf(order, facts, gateLimitsOf(given.settings ?? settings));
}

function rulesOf(given: Pick<Case, 'spoil' | 'order' | 'settings'>): readonly RuleVerdict[] {
  return explainBy(checkTable, inputOf(given)).flatMap(({ rules }) => rules);
}

describe.each(cases.map((given) => [`${given.position} ${given.title}`, given] as const))(
  '%s',
  (_, given) => {
    test('its refusals are those of the gate, and it refuses no other rule', () => {
      const refused: readonly Refusal[] = rulesOf(given)
        .filter(({ isPassed }) => !isPassed)
        .map(({ code, observed, limit, unit }) => ({ code, observed, limit, unit }));
      expect(refused.length).toBeGreaterThan(0);
      expect(refused).toEqual(refusalsBy(checkTable, inputOf(given)));
    });
  },
);

test.each([
  ['bid', goodBid],
  ['ask', goodAsk],
])(
  'of a good %s, each rule passes, and every check that concerns it shows its values',
  (_, order) => {
    const verdicts = explainBy(checkTable, inputOf({ order }));
    expect(verdicts.map(({ position }) => position)).toEqual(
      checkTable.map(({ position }) => position),
    );
    for (const { rules } of verdicts)
      for (const rule of rules) {
        expect(rule.isPassed).toBe(true);
        expect(rule.observed).not.toBe('missing');
      }
    // Only these concern a taker, a reducing order, or a bot with approved versions.
    const silent = verdicts.filter(({ rules }) => rules.length === 0).map(({ name }) => name);
    expect(silent).toEqual(['approved version', 'depth', 'reduce only']);
  },
);

test('the values of a rule that passes are those that a refusal would show', () => {
  const rule = (code: string, given: Parameters<typeof rulesOf>[0] = {}) =>
    rulesOf(given).find((one) => one.code === code);
  for (const code of ['ORDER_VOLUME', 'ORDER_VALUE', 'COLLAR_MID', 'FUNDS', 'ORDERS_OPEN', 'AGE']) {
    const passed = rule(code);
    expect(passed, code).toMatchObject({ isPassed: true });
    const spoilt = cases.find((given) => rule(code, given)?.isPassed === false);
    expect(spoilt, code).toBeDefined();
    expect(rule(code, spoilt), code).toMatchObject({ unit: passed?.unit });
  }
});
