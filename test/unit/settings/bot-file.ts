/** A bot file that is right, and a way to make it wrong in one place. */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../../src/domain/errors.ts';
import { botSettingsOf, type LoadedBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';

/** The example of the design, line for line. */
export const goodBotFile = `version: 1
bot: desk
mode: demo                     # demo | paper | live
venue: simulator               # config/venues/simulator.yaml
store: data/desk.sqlite
accounts: { XBT: "11", ZAR: "13" }
strategies:                    # the id is the identity: orders, position and state follow it
  mm-xbt:
    plugin: simple-mm
    pairs: [XBTZAR]
    parameters: { halfSpread: "20bps", size: "0.01", refresh: "15s", tolerance: "2bps" }
    budget: { ZAR: "20000", XBT: "0.05" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: adopt           # adopt | cancel
    onStop: cancel             # cancel | leave
    onUnusableBook: { withdrawAfter: "10s" }
limits:
  account: { openNotionalMax: { ZAR: "50000" }, turnoverDayMax: { ZAR: "200000" }, lossDayMax: { ZAR: "1500" },
             ordersOpenMax: 10, ordersPerMinuteMax: 60 }
  pairs:
    XBTZAR: { orderBaseMax: "0.02", positionBaseMax: "0.05", collar: "2%", bookAgeMax: "3s" }
`;

export const demoBotFile = readFileSync(
  new URL('../../../config/demo.yaml', import.meta.url),
  'utf8',
);

/** Returns the settings in `text`, read as desk.yaml in /project. */
export function botSettingsIn(text: string): LoadedBotSettings {
  const source = new SettingsSource('desk.yaml', new TextEncoder().encode(text));
  return botSettingsOf(source, { cwd: '/project' });
}

/** Returns the lines of the ConfigError that `read` throws; throws if it throws nothing or anything else. */
export function problemLines(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  throw new Error('the settings were accepted');
}

/** Returns the good file with the only occurrence of `from` replaced. */
export function edited(from: string, to: string, file = goodBotFile): string {
  if (file.split(from).length !== 2) throw new Error(`"${from}" must occur once in the file`);
  return file.replace(from, () => to);
}
