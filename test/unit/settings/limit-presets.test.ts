/** `limits: learner`: the limits that it stands for, for any pair, and when it is refused. */
import { describe, expect, test } from 'vitest';
import { effectiveSettings } from '../../../src/settings/effective-settings.ts';
import { presetIn, presetLines } from '../../../src/settings/given-limits.ts';
import { botSettingsOf } from '../../../src/settings/load-bot-settings.ts';
import { presetCaps } from '../../../src/settings/load-egress.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { workspace } from '../../support/package-root.ts';
import { botSettingsIn, problemLines } from './bot-file.ts';

const smallest = `version: 1
bot: learn
mode: demo
strategies:
  mm:
    plugin: simple-mm
    pairs: [XBTZAR]
    parameters: { halfSpread: "20bps", size: "0.01" }
    budget: { ZAR: "250000", XBT: "0.2" }
limits: learner
`;

function changed(from: string, to: string, text = smallest): string {
  expect(text.split(from)).toHaveLength(2);
  return text.replace(from, () => to);
}

function sourceOf(text: string): SettingsSource {
  return new SettingsSource('desk.yaml', new TextEncoder().encode(text));
}

test('a file of ten lines is a bot whose amounts are parts of its budget', () => {
  const settings = botSettingsIn(smallest);
  const { limits } = settings;
  expect(limits.account).toMatchObject({
    openNotionalMax: { ZAR: '250000' },
    turnoverDayMax: { ZAR: '25000000' },
    lossDayMax: { ZAR: '25000' },
    drawdownMax: { ZAR: '25000' },
    approveAbove: { ZAR: '62500' },
    onLoss: 'halt',
  });
  expect(limits.pairs).toMatchObject({
    XBTZAR: { orderBaseMax: '0.02', positionBaseMax: '0.2', collar: '0.02', bookAgeMsMax: 5_000 },
  });
  expect(settings.venue).toBe('simulator');
  expect(settings.store).toMatch(/\.millrace\/learn\.sqlite$/u);
  expect(settings.strategies[0]?.allow).toEqual({
    sides: ['BID', 'ASK'],
    types: ['limit'],
    timeInForce: ['GTC'],
    postOnly: 'required',
  });
});

test('budgets of several strategies and pairs add up where they trade', () => {
  const second = `  taker:
    plugin: ma-cross
    pairs: [XBTZAR, ETHXBT]
    budget: { ZAR: "50000", XBT: "0.1", ETH: "3" }
limits: learner
`;
  const { limits } = botSettingsIn(changed('limits: learner\n', second));
  // XBT is the counter currency of ETHXBT, and its budgets are those of both strategies.
  expect(limits.account.openNotionalMax).toEqual({ ZAR: '300000', XBT: '0.3' });
  expect(limits.pairs['XBTZAR']?.orderBaseMax).toBe('0.03');
  expect(limits.pairs['ETHXBT']).toMatchObject({ orderBaseMax: '0.3', positionBaseMax: '3' });
});

test('the caps allow half of the budget in one order, more than any limit does', () => {
  const source = sourceOf(smallest);
  const preset = presetIn(source);
  if (preset === undefined) throw new Error('the file names a preset');
  expect(presetCaps(preset, { path: '/project/desk.yaml', hash: source.hash })).toEqual({
    file: '/project/desk.yaml',
    hash: source.hash,
    ordersPerMinuteMax: 240,
    pairs: { XBTZAR: { volumeMax: '0.1', valueMax: '125000' } },
  });
});

test('every value is listed, with the preset and the line that names it as its origin', () => {
  const values = effectiveSettings(sourceOf(smallest));
  const origin = 'learner, desk.yaml:10';
  expect(values).toContainEqual({ key: 'limits.pairs.XBTZAR.orderBaseMax', value: '0.02', origin });
  expect(values).toContainEqual({ key: 'egress.pairs.XBTZAR.valueMax', value: '125000', origin });
  const ofLimits = values.filter(({ key }) => key.startsWith('limits'));
  expect(new Set(ofLimits.map((one) => one.origin))).toEqual(new Set([origin]));
  const own = effectiveSettings(sourceOf(`${smallest}egress: egress.yaml\n`));
  expect(own.filter(({ key }) => key.startsWith('egress'))).toEqual([
    { key: 'egress', value: 'egress.yaml', origin: 'desk.yaml:11' },
  ]);
});

test('the printed lines, instead of the name, give the same limits, and no live limit is missing', () => {
  const lines = presetLines(sourceOf(smallest));
  const from = lines.indexOf('limits:');
  const written = lines.slice(from, lines.indexOf('', from)).join('\n');
  const text = changed('limits: learner\n', `${written}\n`);
  expect(botSettingsIn(text).limits).toEqual(botSettingsIn(smallest).limits);
  const live = problemLines(() => botSettingsIn(changed('mode: demo', 'mode: live', text)));
  expect(live.filter((line) => line.includes('limit'))).toEqual([]);
});

describe('is refused', () => {
  test('in mode live, with the command that prints what to write', () => {
    const text = changed('mode: demo', 'mode: live');
    expect(problemLines(() => botSettingsIn(text))).toContainEqual(
      expect.stringMatching(
        /^desk\.yaml:10:9: limits: was learner, but in mode live .*: .* config show desk\.yaml$/u,
      ),
    );
    // That command reads the file as it is.
    const shown = botSettingsOf(sourceOf(text), { workspace, isShown: true });
    expect(shown.limits.account.ordersOpenMax).toBe(20);
  });

  test('with a budget of 0 in the base currency, under which no order could be placed', () => {
    const text = changed('XBT: "0.2"', 'XBT: "0"');
    expect(problemLines(() => botSettingsIn(text))).toEqual([
      'desk.yaml:10:9: limits: was learner, whose largest order for XBTZAR is a tenth of ' +
        'its budget in the base currency, which is 0; allowed: a budget above 0, or limits written out',
    ]);
  });

  test('with a budget whose parts are no amounts', () => {
    const text = changed('ZAR: "250000"', 'ZAR: "999999999999"');
    expect(problemLines(() => botSettingsIn(text))).toEqual([
      expect.stringMatching(
        /was learner, so limits\.account\.turnoverDayMax\.ZAR was "99999999999900"; allowed: a/u,
      ),
    ]);
  });

  test('by another name, with the nearest one', () => {
    const [line] = problemLines(() => botSettingsIn(changed('limits: learner', 'limits: lerner')));
    expect(line).toMatch(
      /limits: was lerner; allowed: learner, or a map with account, .*; try: learner$/u,
    );
  });

  test('and a mistyped pair is the only problem reported, with the nearest one', () => {
    const lines = problemLines(() => botSettingsIn(changed('XBTZAR', 'XTBZAR')));
    expect(lines).toEqual([
      expect.stringMatching(/pairs\[0\]: was "XTBZAR", but .* lacks XTB; .*; try: XBTZAR$/u),
    ]);
  });

  test('and a budget that lacks a currency of the pair is the only problem reported', () => {
    const text = changed('budget: { ZAR: "250000", XBT: "0.2" }', 'budget: { ZAR: "250000" }');
    expect(problemLines(() => botSettingsIn(text))).toEqual([
      expect.stringContaining('budget: lacks XBT, but strategies.'),
    ]);
  });
});

test('paper needs a venue, live also an allow for each strategy', () => {
  const paper = problemLines(() => botSettingsIn(changed('mode: demo', 'mode: paper')));
  expect(paper.join('\n')).toContain('lacks venue: mode paper needs the exchange');
  const live = problemLines(() => botSettingsIn(changed('mode: demo', 'mode: live')));
  expect(live.join('\n')).toContain('lacks strategies.mm.allow: mode live needs');
});
