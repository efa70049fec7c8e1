/** The inputs that a strategy waits for before it starts. */
import { expect, test } from 'vitest';
import { Exposure } from '../../../src/risk/exposure.ts';
import { createGateFacts, type GateFacts } from '../../../src/risk/gate-facts.ts';
import { hasAllInputs, missingInputs } from '../../../src/risk/missing-inputs.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { market, openFacts, pairFacts } from './open-gate.ts';

const pairs = [market.pair];

test('nothing is missing when orders can be judged', () => {
  expect(missingInputs(pairs, openFacts())).toEqual([]);
  expect(hasAllInputs(pairs, openFacts())).toBe(true);
});

test('everything is missing at first', () => {
  const exposure = new Exposure([market]);
  const { environment } = openFacts();
  const facts = createGateFacts(environment, exposure, [market], lunoProfile);
  expect(hasAllInputs(pairs, facts)).toBe(false);
  expect(missingInputs(pairs, facts)).toEqual([
    'reconciliation with the exchange',
    "the difference to the exchange's clock",
    'a usable order book of XBTZAR',
    'a trade on XBTZAR within the last 1m',
    'the balance of XBT',
    'the balance of ZAR',
  ]);
});

test.each<[string, (facts: GateFacts) => void]>([
  [
    'a bid and an ask on XBTZAR',
    (facts) => {
      pairFacts(facts).mid2 = undefined;
    },
  ],
  [
    'a trade on XBTZAR within the last 1m',
    (facts) => {
      pairFacts(facts).tradeMedianAgeMs = 60_001;
    },
  ],
])('%s is reported as missing', (text, spoil) => {
  const facts = openFacts();
  spoil(facts);
  expect(missingInputs(pairs, facts)).toEqual([text]);
  expect(hasAllInputs(pairs, facts)).toBe(false);
});
