/** The command set in the engine: what it answers, stores and tells, and what it refuses. */
import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BotSettings } from '../../../../src/domain/bot-settings.ts';
import { nothingRestored } from '../../../../src/domain/records.ts';
import { Engine } from '../../../../src/engine/engine.ts';
import type { OperatorCommand } from '../../../../src/engine/event.ts';
import { amount, defineStrategy, param, quoteStrategy, share } from '../../../../src/index.ts';
import type { AnyStrategy } from '../../../../src/strategy/contract.ts';
import { noCode } from '../../../../src/strategy/plugin-code.ts';
import {
  plainChoice,
  virtualSettings,
  virtualStart,
  virtualStrategies,
} from '../../../support/virtual-bot.ts';

const startedMicros = 1_700_000_000_000_000;
const description = 'A parameter.';
const mayChange = true;
const quoter = quoteStrategy({
  name: 'own',
  parameters: {
    width: param(share, { description, from: '1bps', to: '5%', default: '10bps', mayChange }),
    size: param(amount, { description, from: '0.0000001', to: '1', default: '0.01', mayChange }),
    skew: param(share, { description, from: '0%', to: '5%', default: '0%', mayChange }),
  },
  check: ({ skew, width }) => (skew <= width ? {} : { skew: 'must be at most width' }),
  quote: () => undefined,
}) as unknown as AnyStrategy;

type Options = {
  readonly settings?: Partial<BotSettings>;
  readonly riskStates?: readonly { readonly name: string; readonly state: string }[];
  readonly strategy?: AnyStrategy;
};

function begin({ settings: change, riskStates = [], strategy = quoter }: Options = {}) {
  const settings = { ...virtualSettings(plainChoice, strategy), ...change };
  const restored = { ...nothingRestored, riskStates };
  const start = virtualStart({ settings, restored, startedMicros, seed: 1 });
  const engine = new Engine(start, virtualStrategies(settings, strategy));
  let nowMicros = startedMicros;
  const first = engine.step(nowMicros, { kind: 'start' });
  const step = (command: Omit<OperatorCommand, 'reason'>, afterMs = 1) => {
    nowMicros += afterMs * 1000;
    const reason = 'a test';
    const { effects, records } = engine.step(nowMicros, { kind: 'operator', reason, ...command });
    const answer = effects.flatMap((one) => (one.kind === 'operated' ? [one] : []));
    const notices = effects.flatMap((one) => (one.kind === 'notice' ? [one.notice.text] : []));
    return { ...answer[0], notices, records };
  };
  const set = (values: Record<string, string>, afterMs?: number, id = 'own') =>
    step({ command: 'set', scope: `strategy:${id}`, values, by: 'user ana', ticket: 7 }, afterMs);
  const stateOf = (name: string) =>
    engine.parts.parameters.states()[0]?.parameters.find((one) => one.name === name);
  return { engine, first, step, set, stateOf };
}

describe('set', () => {
  test('changes parameters, stores them in the same step, and says so', () => {
    const { set, stateOf } = begin();
    const { isDone, isRefused, text, notices, records } = set({ width: '20bps', skew: '5bps' });
    expect([isDone, isRefused, text]).toEqual([
      true,
      undefined,
      'own: width is 20bps, was 10bps; skew is 5bps, was 0%; to keep it beyond the next start, write it into the settings file',
    ]);
    expect(notices).toEqual([
      'own: width is 20bps, was 10bps; skew is 5bps, was 0% (a test, by user ana)',
    ]);
    const [record] = records;
    expect([records.length, record]).toMatchObject([
      1,
      { kind: 'risk-state', name: 'parameters own' },
    ]);
    const changed = { was: '10bps', atMs: 1_700_000_000_001, by: 'user ana', reason: 'a test' };
    expect(stateOf('width')).toEqual({
      ...{ name: 'width', value: '20bps', description, unit: null },
      ...{ range: 'from 1bps to 5%', mayChange, changed },
    });
    set({ width: '30bps' });
    // Of several changes, what the file has stays the old value.
    expect(stateOf('width')).toMatchObject({ value: '30bps', changed: { was: '10bps' } });
    expect(set({ width: '30bps' })).toMatchObject({
      text: 'own has these values already',
      records: [],
    });
    // Back to what the file has: nothing is changed any more, and nothing has to be written there.
    expect(set({ width: '10bps' }).text).toBe('own: width is 10bps, was 30bps');
    expect(stateOf('width')).toMatchObject({ value: '10bps', changed: null });
  });

  test.each([
    [{ width: '9%' }, 'width was "9%": must be from 1bps to 5%'],
    [{ width: 'NaN' }, /^width was "NaN": must be a share/u],
    [{ widht: '9%' }, 'own has no parameter widht; did you mean width?'],
    [{ width: '20bps', skew: '6%' }, /^skew was "6%"/u],
    [{ skew: '20bps' }, 'the values do not fit together: skew must be at most width'],
    [{ size: '0.0000001' }, /^orders would have a size of 0\.0000001: XBTZAR takes /u],
    [{ refresh: '1s' }, /^refresh of own cannot change while the bot runs/u],
    [{}, 'own has these values already'],
  ])('%j changes nothing', (values, text) => {
    const { set, engine } = begin();
    const before = JSON.stringify(engine.parts.parameters.states());
    const answer = set(values as Record<string, string>);
    expect(answer.text).toMatch(text);
    expect([answer.records, answer.notices]).toEqual([[], []]);
    expect(JSON.stringify(engine.parts.parameters.states())).toBe(before);
  });

  test('names the strategies that there are', () => {
    const { set } = begin();
    expect(set({ width: '20bps' }, 1, 'mm')).toMatchObject({
      isRefused: true,
      text: 'this bot has no strategy mm; it has own',
      records: [],
    });
  });

  test('is refused after 20 changes within a minute, until the first is a minute old', () => {
    const { set } = begin();
    for (let count = 1; count <= 20; count++)
      expect(set({ width: `${count + 10}bps` }, 1_000).isRefused).toBeUndefined();
    const refused = set({ width: '50bps' }, 1_000);
    expect([refused.text, refused.records]).toEqual([
      'own was changed 20 times within a minute: wait 40 s',
      [],
    ]);
    for (let count = 0; count < 1_000; count++) set({ width: '50bps' });
    expect(set({ width: '50bps' }, 39_000).isRefused).toBeUndefined();
  });

  test('is refused while the bot stops, and of a strategy that has stopped', () => {
    const failing = defineStrategy({
      name: 'own',
      pairs: 1,
      parameters: z.strictObject({
        width: param(share, { description, from: '1bps', to: '5%', default: '10bps', mayChange }),
      }),
      run: (context) => context.every(1).pipe(map(() => ({ kind: 'nonsense' }) as never)),
    }) as unknown as AnyStrategy;
    const { engine, set, step } = begin({ strategy: failing });
    for (const { host } of engine.parts.hosts) host.stop(startedMicros / 1000, 'it failed');
    expect(set({ width: '20bps' })).toMatchObject({ text: 'own has stopped: it failed' });
    step({ command: 'stop' });
    expect(set({ width: '20bps' })).toMatchObject({ text: 'the bot is stopping' });
  });
});

describe('an approval', () => {
  const approved = { settings: [], strategies: [noCode.hash] };
  const notApproved =
    /^the code of own is not an approved version, so nothing says in which ranges/u;

  test('of the code covers the ranges that it declares, and nothing beyond', () => {
    const { set } = begin({ settings: { mode: 'live', approved } });
    expect(set({ width: '20bps' }).isRefused).toBeUndefined();
    expect(set({ width: '5.01%' })).toMatchObject({
      isRefused: true,
      text: 'width was "5.01%": must be from 1bps to 5%',
    });
  });

  test.each([
    { mode: 'live', approved: { settings: [], strategies: ['0123456789abcdef'] } },
    { mode: 'demo', approved: { settings: [], strategies: [] } },
    { mode: 'live' },
  ] as const)('of other code covers none: %j', (settings) => {
    expect(begin({ settings }).set({ width: '20bps' }).text).toMatch(notApproved);
  });
});

describe('the next start', () => {
  const change = { was: '10bps', atMs: 1_699_999_000_000, by: 'user ana', reason: 'news' };
  const state = JSON.stringify({
    width: { ...change, value: '20bps' },
    skew: { ...change, value: '0%' },
    gone: { ...change, value: '1' },
  });

  test('takes the values of the file, and says once which ones no longer hold', () => {
    const { first, stateOf } = begin({ riskStates: [{ name: 'parameters own', state }] });
    const notices = first.effects.flatMap((one) =>
      one.kind === 'notice' && one.notice.level === 'warn' ? [one.notice.text] : [],
    );
    expect(notices).toEqual([
      'own: width is 10bps as in the settings file; the 20bps that was set by user ana at ' +
        '2023-11-14T21:56:40Z (news) ended with that run: set it again, or write it into the file',
    ]);
    expect(stateOf('width')).toMatchObject({ value: '10bps', changed: null });
    expect(first.records).toContainEqual({
      ...{ kind: 'risk-state', name: 'parameters own', state: '{}' },
    });
    const again = begin({ riskStates: [{ name: 'parameters own', state: '{}' }] });
    expect(JSON.stringify(again.first)).not.toContain('settings file');
  });
});
