/** Settings that are valid and surely wrong: `config check` must warn of each, with its place. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runConfigCheck } from '../../../src/cli/commands/config-command.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';
import { type Changes, captured, changed } from './silence-place.ts';

type Warned = {
  readonly name: string;
  /** The shipped settings that are changed. */
  readonly file?: 'demo.yaml' | 'paper.yaml';
  readonly changes: Changes;
  /** The warning; undefined where the file must be taken without one. */
  readonly says: RegExp | undefined;
  readonly bytes?: (text: string) => string;
};

const at = (key: string): RegExp => new RegExp(`:\\d+:\\d+: \\S*${key}: warning: was `, 'u');
const unused = (key: string): RegExp => new RegExp(`:\\d+:\\d+: \\S*${key}: warning: has no`, 'u');

export const warnedSettings: readonly Warned[] = [
  {
    name: 'half spread above the collar',
    changes: [['halfSpread: "20bps"', 'halfSpread: "3%"']],
    says: at('halfSpread'),
  },
  {
    name: 'half spread above 10 %',
    changes: [
      ['halfSpread: "20bps"', 'halfSpread: "11%"'],
      ['collar: "2%"', 'collar: "20%"'],
    ],
    says: at('halfSpread'),
  },
  {
    name: 'size above orderBaseMax',
    changes: [['size: "0.01"', 'size: "0.05"']],
    says: at('size'),
  },
  {
    name: 'size above positionBaseMax',
    changes: [['positionBaseMax: "0.2"', 'positionBaseMax: "0.005"']],
    says: at('size'),
  },
  { name: 'collar of 100 %', changes: [['collar: "2%"', 'collar: "100%"']], says: at('collar') },
  {
    name: 'refresh below 100 ms',
    changes: [['refresh: "15s"', 'refresh: "50ms"']],
    says: at('refresh'),
  },
  {
    name: 'bookAgeMax above 10 minutes',
    changes: [['bookAgeMax: "5s"', 'bookAgeMax: "11m"']],
    says: at('bookAgeMax'),
  },
  {
    name: 'tolerance above the half spread',
    changes: [['tolerance: "2bps"', 'tolerance: "30bps"']],
    says: at('tolerance'),
  },
  {
    name: 'budget of 0',
    changes: [['budget: { ZAR: "250000", XBT: "0.2" }', 'budget: { ZAR: "250000", XBT: "0" }']],
    says: at('budget\\.XBT'),
  },
  {
    name: "budget above the account's balance",
    file: 'paper.yaml',
    changes: [['ZAR: "1000000" }', 'ZAR: "100000" }']],
    says: at('budget\\.ZAR'),
  },
  {
    name: 'a limit for a currency of no market',
    changes: [['lossDayMax: { ZAR: "25000" }', 'lossDayMax: { ZAR: "25000", EUR: "1" }']],
    says: unused('lossDayMax\\.EUR'),
  },
  {
    name: 'allow that forbids what the plugin needs',
    changes: [['allow: { sides: [BID, ASK]', 'allow: { sides: [BID]']],
    says: at('allow\\.sides'),
  },
  {
    ...{ name: 'a file with a byte order mark and CRLF is taken', changes: [], says: undefined },
    bytes: (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`,
  },
];

export type WarningsFound = {
  readonly produced: number;
  readonly violations: readonly string[];
  readonly texts: readonly string[];
};

/** Checks each of them; `isBlind`: the last warning is lost on its way. */
export async function checkWarnings(isBlind: boolean): Promise<WarningsFound> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-silence-'));
  const violations: string[] = [];
  const texts: string[] = [];
  let produced = 0;
  try {
    for (const [index, warned] of warnedSettings.entries()) {
      const text = await checked(folder, warned);
      const lines = isBlind && index === 0 ? [] : text.split('\n');
      const { says, name } = warned;
      const isRight =
        says === undefined
          ? lines.some((line) => line.endsWith(': no errors'))
          : lines.some((line) => says.test(line)) && lines.some((line) => / 1 warning/u.test(line));
      texts.push(text);
      if (isRight) produced++;
      else violations.push(`config check, ${name}: ${text.trim()}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { produced, violations, texts };
}

async function checked(folder: string, { file, changes, bytes }: Warned): Promise<string> {
  const name = file ?? 'demo.yaml';
  const text = changed(readFileSync(join(packageRoot, 'config', name), 'utf8'), changes);
  const path = join(folder, name);
  writeFileSync(path, bytes === undefined ? text : bytes(text));
  const egress = 'egress.yaml';
  writeFileSync(join(folder, egress), readFileSync(join(packageRoot, 'config', egress)));
  const { output, text: printed } = captured(false);
  await runConfigCheck({ files: [path], workspace, output });
  return printed();
}
