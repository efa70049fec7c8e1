/**
 * A project in a folder of its own with the strategies of `npm run prove -- contract`, the settings
 * of a demo and of a paper bot that run them, and scenarios that play them.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packageRoot } from '../../support/package-root.ts';

const plugins = join(import.meta.dirname, 'plugins');
const inUse = join(import.meta.dirname, 'in-use');
const usual = {
  allow:
    'allow: { sides: [BID, ASK], types: [limit, stop-limit, market], timeInForce: [GTC, IOC, FOK], postOnly: allowed }',
  ends: 'onRestart: cancel\n    onStop: cancel\n    onUnusableBook: { withdrawAfter: "10s" }',
};

const limits = `limits:
  account:
    openNotionalMax: { ZAR: "10000000" }
    turnoverDayMax: { ZAR: "5000000000" }
    lossDayMax: { ZAR: "1000000" }
    approveAbove: { ZAR: "10000000" }
    collarBudgetMax: { ZAR: "10000000" }
    ordersOpenMax: 200
    ordersPerSecondMax: 1000
    ordersPerMinuteMax: 10000
  eachStrategy:
    openNotionalMax: { ZAR: "10000000" }
    ordersPerSecondMax: 1000
    ordersPerMinuteMax: 10000
    cancelShareMax: "1000%"
    ordersPerFillMax: 100000
    identical: { max: 1000, within: "1s" }
    rejections: { max: 1000, within: "60s", action: halt }
    refusals: { max: 100000, within: "60s", action: halt }
    losingTrades: { max: 10000, coolDown: "60s" }
  pairs:
    XBTZAR: { orderBaseMax: "0.5", positionBaseMax: "0.4", collar: "5%", bookAgeMax: "10s" }
`;

/** The feed of the bots: its last line is the newest. */
export const feedFile = 'bots/reference.csv';
const feed = 'feeds: { reference: { file: reference.csv, every: 1s, ageMax: 60s } }\n';

/** A strategy of the settings: its id, plugin, parameters and budget. */
type Listed = readonly [id: string, plugin: string, parameters: string, budget?: string];

const usualBudget = '{ ZAR: "200000", XBT: "0.1" }';

function listed(strategies: readonly Listed[]): string {
  const blocks = strategies.map(
    ([id, plugin, parameters, budget = usualBudget]) => `  ${id}:
    plugin: ../strategies/${plugin}.ts
    pairs: [XBTZAR]
    feeds: [reference]
    parameters: ${parameters}
    budget: ${budget}
    ${usual.allow}
    ${usual.ends}
`,
  );
  return `strategies:\n${blocks.join('')}`;
}

export type ContractProject = {
  readonly folder: string;
  /** Settings of a bot in this mode. */
  readonly config: (mode: 'demo' | 'paper') => string;
  /** Writes a scenario over a recording; returns its folder. */
  readonly scenario: (
    name: string,
    strategies: readonly Listed[],
    data: { readonly recording: string; readonly from?: string; readonly to?: string },
  ) => string;
};

/** The strategies that use the contract for this many seconds. */
export const everyMember = (seconds: number): readonly Listed[] => [
  ['every', 'every-member', `{ seconds: ${seconds} }`],
  ['quoting', 'quote-moment', '{ size: "0.001", refresh: 1s }'],
  ['holding', 'hold-moment', '{ size: "0.002", candle: 60s }'],
];

/** A value each second for a minute. */
function feedTextFrom(time: string): string {
  const rows = Array.from(
    { length: 60 },
    (_, second) => `${Date.parse(time) + second * 1_000},${1_000_000 + second}\n`,
  );
  return `time_ms,value\n${rows.join('')}`;
}

export function writeContractProject(): ContractProject {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-contract-'));
  for (const name of ['strategies', 'bots', 'node_modules']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{ "name": "contract", "type": "module" }');
  for (const name of ['rxjs', 'zod'])
    symlinkSync(join(packageRoot, 'node_modules', name), join(folder, 'node_modules', name));
  const copy = (file: string): void => {
    const text = readFileSync(file, 'utf8')
      .replaceAll(/'[./]+(?:\/src)?\/index\.ts'/gu, `'${join(packageRoot, 'src/index.ts')}'`)
      .replaceAll(/'\.\.\/in-use\//gu, "'./");
    writeFileSync(join(folder, 'strategies', basename(file)), text);
  };
  const own = ['every-member', 'member-uses', 'quote-moment', 'hold-moment'];
  for (const name of [...own, 'room-taker', 'trade-quoter']) copy(join(plugins, `${name}.ts`));
  for (const name of ['given', 'lines']) copy(join(inUse, `${name}.ts`));
  const paper = `paper:
  balances: { XBT: "1", ZAR: "1000000" }
  fees: { maker: "5bps", taker: "10bps" }
  latencies: { feed: "5ms", request: "5ms", answer: "5ms" }
`;
  for (const mode of ['demo', 'paper'])
    writeFileSync(
      join(folder, 'bots', `${mode}.yaml`),
      `version: 1\nbot: ${mode}-contract\nmode: ${mode}\nvenue: simulator\n${feed}${
        mode === 'paper' ? paper : ''
      }${listed([...everyMember(30), ['trades', 'trade-quoter', '{}']]).replace(
        'pairs: [XBTZAR]',
        'pairs: [XBTZAR]\n    watch: [ETHZAR]',
      )}${limits}`,
    );
  return {
    folder,
    config: (mode) => join('bots', `${mode}.yaml`),
    scenario: (name, strategies, { recording, from, to }) => {
      const place = join(folder, name);
      mkdirSync(place);
      if (from !== undefined) writeFileSync(join(place, 'reference.csv'), feedTextFrom(from));
      cpSync(recording, join(place, 'recording.mrec'));
      const first = readFileSync(join(packageRoot, 'backtests/first/scenario.yaml'), 'utf8');
      const market = /^market:\n(?: {2}.*\n)+/mu.exec(first)?.[0];
      const between = Object.entries({ from, to }).flatMap(([key, value]) =>
        value === undefined ? [] : [`${key}: "${value}"\n`],
      );
      writeFileSync(
        join(place, 'scenario.yaml'),
        `version: 1
scenario: ${name}
data: { kind: recording, recording: recording.mrec }
${between.join('')}${market}fees: { maker: "5bps", taker: "10bps" }
latencies: { feed: "0ms", request: "3ms", answer: "2ms" }
balances: { XBT: "1", ZAR: "1000000" }
seed: 1
feeds: { reference: { ${from === undefined ? '' : 'file: reference.csv, '}ageMax: 60s } }
bot: ${name}
${listed(strategies)}${limits}`,
      );
      return place;
    },
  };
}
