/** The answer to a resume: which other scopes are halted, and when a resume is refused. */
import { beforeEach, describe, expect, test } from 'vitest';
import { nothingRestored } from '../../../src/domain/records.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineStart, LostState } from '../../../src/engine/engine-start.ts';
import type { OperatorCommand } from '../../../src/engine/event.ts';
import { relatedScopes } from '../../../src/risk/related-scopes.ts';
import {
  plainChoice,
  virtualSettings,
  virtualStart,
  virtualStrategies,
} from '../../support/virtual-bot.ts';

const startedMicros = 1_700_000_000_000_000;
const lost: LostState = { found: 'it has 3 orders', remedies: 'Do this.', mayResume: false };
let nowMicros: number;

beforeEach(() => {
  nowMicros = startedMicros;
});

function begin(change: Partial<EngineStart>): Engine {
  const settings = virtualSettings(plainChoice);
  const start = virtualStart({ settings, restored: nothingRestored, startedMicros, seed: 1 });
  const engine = new Engine({ ...start, ...change }, virtualStrategies(settings, undefined));
  const { records } = engine.step(nowMicros, { kind: 'start' });
  const found = records.flatMap((one) => (one.kind === 'incident' ? [one.incident.code] : []));
  expect(found).toEqual(change.lost === undefined ? [] : ['STORE_BEHIND']);
  return engine;
}

/** Gives the engine a command; returns the answer to it. */
function obey(engine: Engine, command: OperatorCommand['command'], scope?: string) {
  const event = { kind: 'operator', command, reason: 'a test', ticket: 7 } as const;
  const { effects, records } = engine.step(
    ++nowMicros,
    scope === undefined ? event : { ...event, scope },
  );
  const answer = effects.find((effect) => effect.kind === 'operated');
  const states = records.flatMap((one) =>
    one.kind === 'trading-state' ? [`${one.scope} ${one.state}`] : [],
  );
  return { ...answer, states };
}

describe('resuming', () => {
  test('names every other scope that keeps the scope from trading', () => {
    const engine = begin({});
    for (const scope of ['strategy:mm', 'pair:XBTZAR', 'bot']) obey(engine, 'halt', scope);
    expect(obey(engine, 'resume', 'strategy:mm')).toMatchObject({
      text: 'strategy:mm is ACTIVE, but cannot trade while bot is HALTED and pair:XBTZAR is HALTED; resume without a scope to resume all',
    });
    expect(obey(engine, 'resume', 'pair:XBTZAR').text).toContain(
      'but cannot trade while bot is HALTED',
    );
    expect(obey(engine, 'resume')).toMatchObject({ text: 'everything may trade again' });
    expect(obey(engine, 'resume', 'pair:XBTZAR').text).toBe('pair:XBTZAR may trade again');
  });

  test('S8: is refused while the database does not know what the exchange has', () => {
    const engine = begin({ lost });
    const refused = obey(engine, 'resume');
    expect(refused).toMatchObject({ isRefused: true, states: [] });
    expect(refused.text).toContain('it has 3 orders. Do this.');
    expect(obey(engine, 'resume', 'strategy:mm').text).toContain(
      'but cannot trade while bot is HALTED',
    );
  });

  test('S8: is allowed where nothing was found but not everything could be searched', () => {
    const engine = begin({ lost: { ...lost, mayResume: true } });
    expect(obey(engine, 'resume')).toMatchObject({
      text: 'everything may trade again',
      states: ['bot ACTIVE'],
    });
  });
});

test.each([
  ['bot', []],
  ['strategy:a', ['bot', 'pair:X', 'pair:Y']],
  ['strategy:b', ['bot', 'pair:Y']],
  ['pair:Y', ['bot', 'strategy:a', 'strategy:b']],
  ['pair:Z', ['bot']],
])('beside %s an order is in %j', (scope, beside) => {
  const strategies = [
    { id: 'a', pairs: ['X', 'Y'] },
    { id: 'b', pairs: ['Y'] },
  ];
  expect(relatedScopes(scope, strategies)).toEqual(beside);
});
