/** Starts that must not succeed: each says why, ends with its code, and harms nothing. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, millrace, newHome, processesOf, startDemo } from '../support/process-bot.ts';

afterAll(endAll);

async function run(...commandLine: string[]) {
  const started = millrace(commandLine);
  const { code } = await started.ended;
  return { code, out: started.stdout, err: started.stderr };
}

describe.concurrent('a start is refused', () => {
  test.each([
    ['an unknown verb', ['begin'], "unknown command 'begin'"],
    ['an unknown flag', ['start', '--slowly'], "unknown option '--slowly'"],
    ['a span without its unit', ['start', '--for', '60'], 'like "60s"'],
    ['a port out of range', ['exchange', '--port', '70000'], '0 to 65535'],
  ])('for %s, with 2 and where to find help', async (_, commandLine, message) => {
    const { code, out, err } = await run(...commandLine);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toContain('--help');
    if (commandLine.length > 0) expect(err).toMatch(/^millrace: .* \(MR_CONFIG\)$/mu);
  });

  test('for a configuration that is missing or wrong, with its file and line', async () => {
    const home = newHome();
    const missing = join(home, 'none.yaml');
    const none = await run('start', missing, '--home', home);
    expect(none.code).toBe(2);
    expect(none.err).toContain(`${missing}: there is no such file`);

    const broken = join(home, 'broken.yaml');
    const lines = readFileSync('config/demo.yaml', 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('ordersOpenMax'));
    writeFileSync(broken, lines.join('\n').replace('ordersOpenMax', 'orderOpenMax'));
    const wrong = await run('start', broken, '--home', home);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain(`${broken}:${at + 1}:5: limits.account.orderOpenMax`);
    expect(wrong.err).toContain('try: ordersOpenMax');

    writeFileSync(broken, 'version: 1\n\tbot: tab\n');
    const unreadable = await run('start', broken, '--home', home);
    expect(unreadable.code).toBe(2);
    expect(unreadable.err).toContain(`${broken}:2:`);
  });

  test('for parameters that do not fit their plugin, before anything is made', async () => {
    const folder = newHome();
    const home = join(folder, 'home');
    const config = join(folder, 'mine.yaml');
    const text = readFileSync('config/demo.yaml', 'utf8');
    writeFileSync(
      config,
      text.replace('size: "0.01"', 'size: 0.01').replace('halfSpread:', 'halfspread:'),
    );
    const lines = text.split('\n');
    const lineOf = (key: string): number => lines.findIndex((line) => line.includes(key)) + 1;
    for (const verb of ['start', 'run']) {
      const { code, out, err } = await run(verb, config, '--home', home, '--json');
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(
        `${config}:${lineOf('size:')}:13: strategies.mm-xbt.parameters.size: was 0.01; ` +
          'allowed: a quoted amount such as "0.01"; try: "0.01"',
      );
      expect(err).toContain(
        `${config}:${lineOf('halfSpread:')}:7: strategies.mm-xbt.parameters.halfspread: ` +
          'is unknown; allowed: halfSpread, size, refresh, tolerance; try: halfSpread',
      );
      expect(existsSync(home)).toBe(false);
    }
    writeFileSync(config, text.replace('plugin: simple-mm', 'plugin: simple-nm'));
    const { code, err } = await run('start', config, '--home', home);
    expect(code).toBe(2);
    expect(err).toContain(`${config}:${lineOf('plugin:')}:13: plugin simple-nm: there is no `);
    expect(existsSync(home)).toBe(false);
  });

  test('for egress caps that name another pair than the one it trades', async () => {
    const folder = newHome();
    const home = join(folder, 'home');
    const config = join(folder, 'mine.yaml');
    copyFileSync('config/demo.yaml', config);
    const caps = readFileSync('config/egress.yaml', 'utf8').replace('XBTZAR:', 'ETHZAR:');
    writeFileSync(join(folder, 'egress.yaml'), caps);
    const { code, err } = await run('start', config, '--home', home);
    expect(code).toBe(2);
    expect(err).toContain(`egress.yaml: pairs lacks XBTZAR, which ${config} trades`);
    expect(existsSync(home)).toBe(false);
  });

  test('for real money that only one of the two asks for, with 3', async () => {
    const home = join(newHome(), 'home');
    const { code, err } = await run('run', 'config/demo.yaml', '--home', home, '--live');
    expect(code).toBe(3);
    expect(err).toContain('MR_SAFETY');
    expect(existsSync(home)).toBe(false);
  });

  test('for a home that cannot be a folder', async () => {
    const home = join(newHome(), 'file');
    writeFileSync(home, '');
    const { code, out, err } = await run('start', '--home', home, '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('MR_STORE');
  });

  test('for a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const { code, err } = await run('exchange', '--home', newHome(), '--port', `${port}`);
    server.close();
    expect(code).toBe(2);
    expect(err).toContain(`cannot listen on port ${port}`);
    expect(err).not.toContain('    at ');
  });

  test('for a database that is damaged, cut, foreign or of another bot', async () => {
    const home = newHome();
    const path = join(home, 'demo.sqlite');
    expect((await startDemo(home, '--for', '1s').ended).code).toBe(0);
    const whole = readFileSync(path);

    const refusal = async (config = 'config/demo.yaml'): Promise<string> => {
      const { code, out, err } = await run('start', config, '--home', home, '--json');
      expect([code, out]).toEqual([1, '']);
      expect(processesOf(home)).toEqual([]);
      return err;
    };

    const other = join(home, 'other.yaml');
    writeFileSync(
      other,
      readFileSync('config/demo.yaml', 'utf8').replace('bot: demo', 'store: demo.sqlite\nbot: two'),
    );
    copyFileSync('config/egress.yaml', join(home, 'egress.yaml'));
    expect(await refusal(other)).toMatch(
      /belongs to namespace .* \(bot: two\); "store:" must name/u,
    );

    const file = openSync(path, 'r+');
    for (let page = 1; page < whole.length / 4096; page++)
      writeSync(file, Buffer.alloc(64, 0x5a), 0, 64, page * 4096);
    closeSync(file);
    expect(await refusal()).toMatch(/damaged|malformed/u);

    writeFileSync(path, whole);
    truncateSync(path, 50_000);
    expect(await refusal()).toMatch(/damaged|malformed/u);

    const foreign = Buffer.alloc(20_000, 0x5a);
    writeFileSync(path, foreign);
    expect(await refusal()).toMatch(/not a database .*keep the file and restore a backup/u);
    expect(readFileSync(path).equals(foreign)).toBe(true);

    writeFileSync(path, whole);
    const again = startDemo(home, '--for', '1s');
    expect((await again.ended).code, again.text).toBe(0);
    expect(again.text).toMatch(/restored \d+ intents, 0 of them not final/u);
  }, 60_000);

  test('for a simulator whose snapshot is damaged', async () => {
    const home = newHome();
    mkdirSync(join(home, 'simulator'), { recursive: true });
    writeFileSync(join(home, 'simulator', 'snapshot-1.bin'), 'nonsense');
    const { code, err } = await run('start', '--home', home, '--json');
    expect(code).toBe(1);
    expect(err).toContain('the snapshot is damaged');
  });
});
