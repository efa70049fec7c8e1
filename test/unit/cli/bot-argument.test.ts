/** How a command line names a bot, and the errors if it names none. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { noteRunningBot, runningBots } from '../../../src/bot/running-bots.ts';
import { declareBotCommand, namedBot } from '../../../src/cli/bot-argument.ts';
import { Cli } from '../../../src/cli/command.ts';
import { ConfigError, NotFoundError } from '../../../src/domain/errors.ts';
import { workspace } from '../../support/package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-named-bot-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = { ...workspace, home: join(folder, 'home') };

/** Returns the bot and the argument that a command line names. */
function named(...commandLine: string[]): ReturnType<typeof namedBot> {
  let found: ReturnType<typeof namedBot> | undefined;
  const program = new Command('millrace').exitOverride();
  const more = { '[order]': 'an order' };
  const cli = new Cli(program, place);
  declareBotCommand(cli, 'why', 'a command', more).action((bot, order, _options, command) => {
    found = namedBot(cli, command, [bot, order]);
  });
  program.parse(['why', ...commandLine], { from: 'user' });
  if (found === undefined) throw new Error('the command was not run');
  return found;
}

describe('a command', () => {
  test('names its bot by the path of its settings, before any other argument', () => {
    expect(named('config/demo.yaml', 'BX1')).toMatchObject({
      config: 'config/demo.yaml',
      home: undefined,
      rest: ['BX1'],
    });
    expect(named('/etc/b.yaml', '--home', '/h')).toMatchObject({
      config: '/etc/b.yaml',
      home: '/h',
    });
  });

  test('accepts --config instead; its arguments then begin with the next one', () => {
    expect(named('BX1', '--config', 'config/demo.yaml')).toMatchObject({
      config: 'config/demo.yaml',
      rest: ['BX1', undefined],
    });
    expect(() => named('a.yaml', 'BX1', '--config', 'b.yaml')).toThrow(
      new ConfigError(
        'the bot is named twice, by --config b.yaml and by "a.yaml": remove one of them',
      ),
    );
  });

  test('without a bot is refused, with an example', () => {
    expect(() => named()).toThrow(ConfigError);
    expect(() => named('--home', folder)).toThrow(
      /name the bot: the path of its settings file, .* npm run .* why config.demo\.yaml; /u,
    );
  });

  test('of a bot that has ended is suggested with its other arguments and its home', () => {
    expect(() => named('ended', 'BX1', '--home', '/h')).toThrow(
      / -- why config.demo\.yaml BX1 --home \/h; /u,
    );
  });

  test('finds a running bot by its name, and only in the given home', () => {
    const bot = 'a-bot-of-this-test';
    const first = { bot, config: '/etc/first.yaml', home: join(folder, 'first') };
    const second = { bot, config: '/etc/second.yaml', home: join(folder, 'second') };
    expect(() => named(bot)).toThrow(NotFoundError);
    const forget = noteRunningBot(first, place);
    try {
      expect(named(bot, 'BX1')).toEqual({
        config: first.config,
        home: first.home,
        rest: ['BX1'],
        workspace: place,
      });
      expect(() => named(bot, '--home', second.home)).toThrow(
        /no bot named "a-bot-of-this-test" is running/u,
      );
      expect(() => named()).toThrow(
        `${bot}: npm run --silent millrace -- why /etc/first.yaml --home ${first.home}`,
      );
    } finally {
      forget();
    }
    expect(runningBots(place).filter((one) => one.bot === bot)).toEqual([]);
  });
});

test('a bot whose process has died is not listed, and its file is removed', () => {
  const other = { home: join(folder, 'other') };
  const running = join(other.home, 'running');
  const forget = noteRunningBot({ bot: 'alive', config: '/c', home: '/h' }, other);
  const dead = {
    bot: 'dead',
    config: '/c',
    home: '/h',
    pid: process.pid,
    process: 'another start',
  };
  writeFileSync(join(running, 'dead-1.json'), JSON.stringify(dead));
  writeFileSync(join(running, 'torn-2.json'), '{"bot":');
  expect(runningBots(other)).toEqual([{ bot: 'alive', config: '/c', home: '/h' }]);
  expect(readdirSync(running)).toEqual([`alive-${process.pid}.json`]);
  forget();
  expect(readdirSync(running)).toEqual([]);
});

test('two running bots of the same name are told apart by settings and home', () => {
  const running = join(place.home, 'running');
  mkdirSync(running, { recursive: true });
  const bot = 'a-twin-of-this-test';
  const forget = noteRunningBot({ bot, config: '/etc/a.yaml', home: '/a' }, place);
  const twin = join(running, `${bot}-twin.json`);
  try {
    const { pid } = process;
    const [entry] = readdirSync(running).filter((name) => name === `${bot}-${pid}.json`);
    const text = readFileSync(join(running, entry ?? ''), 'utf8');
    writeFileSync(twin, text.replaceAll('"/a"', '"/b"'));
    expect(() => named(bot)).toThrow(
      /2 bots named "a-twin-of-this-test" run; name one by its settings/u,
    );
    expect(named(bot, '--home', '/b')).toMatchObject({ home: '/b' });
  } finally {
    rmSync(twin, { force: true });
    forget();
  }
});
