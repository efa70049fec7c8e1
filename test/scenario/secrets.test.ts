/**
 * Secrets do not leave: whatever a bot writes is searched for three of them, in every form that
 * text is known to give one: its database and write-ahead log, journal and log at its most
 * talkative, what every verb prints, and what is printed when it crashes over an error that holds
 * the secret itself.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type BotProcess,
  endAll,
  eventually,
  millrace,
  newHome,
  processesOf,
  startDemo,
} from '../support/process-bot.ts';
import { filesUnder, findIn, formsOf } from '../support/process-secrets.ts';

afterAll(endAll);

// Signs that change in a URL, in JSON and in base64, so that each form is another text.
const canary = { id: 'sim_canary', secret: 'Canary+/="\\%&?<>~one' };
const readOnly = { id: 'sim_reader', secret: 'Canary+/="\\%&?<>~two' };
const fromOutside = { id: 'outside_key', secret: 'Canary+/="\\%&?<>~six' };
const canaries = [canary, readOnly, fromOutside];

function leaks(texts: ReadonlyMap<string, string>): readonly string[] {
  return canaries.flatMap(({ id, secret }) => findIn(texts, formsOf(secret, id)));
}

function plantCredentials(home: string): void {
  const issued = {
    api_key_id: canary.id,
    api_key_secret: canary.secret,
    read_only: { api_key_id: readOnly.id, api_key_secret: readOnly.secret },
  };
  mkdirSync(join(home, 'simulator'), { recursive: true });
  const path = join(home, 'simulator', 'credentials.json');
  writeFileSync(path, JSON.stringify(issued), { mode: 0o600 });
}

/**
 * A module that lets a process, once it is at work, die of an error whose message holds the key in
 * many forms.
 */
function plantCrash(home: string): string {
  const path = join(home, 'crash.mjs');
  const forms = formsOf(fromOutside.secret, fromOutside.id);
  writeFileSync(
    path,
    `const look = setInterval(() => {
       if (process.listenerCount('uncaughtException') === 0) return;
       clearInterval(look);
       throw Object.assign(new Error('the planted crash ' + ${JSON.stringify(forms.join(' '))}), {
         headers: { authorization: ${JSON.stringify(forms[0])} },
         cause: new Error(${JSON.stringify(forms[0])}),
       });
     }, 50);`,
  );
  return path;
}

test('P13: no secret is in any file, output or crash of a bot, in any form', async () => {
  const home = newHome();
  const config = resolve('config/demo.yaml');
  plantCredentials(home);
  const said = new Map<string, string>();
  const keep = async (name: string, one: BotProcess): Promise<number | null> => {
    const { code } = await one.ended;
    said.set(name, `${one.stdout}\n${one.stderr}`);
    return code;
  };

  const killed = startDemo(home, '--log', 'trace');
  await killed.sees(/ is open \(/u);
  const running = filesUnder(home);
  // As it was when it died: the write-ahead log has what the database does not.
  await killed.kill();
  said.set('killed', killed.text);
  await eventually(() => processesOf(home).length === 0, 20_000);
  const left = filesUnder(home);
  expect(await keep('again', startDemo(home, '--log', 'trace', '--for', '2s'))).toBe(0);

  for (const verb of [
    ['status', config],
    ['why', config, '--refused'],
    ['reconcile', config],
    ['replay', '--all'],
  ])
    await keep(verb.join(' '), millrace([...verb, '--home', home]));
  await keep('why none', millrace(['why', config, 'no-such-order', '--home', home, '--json']));

  // Nothing listens where this one's venue is; it dies while it waits.
  const environment = {
    MILLRACE_API_KEY_ID: fromOutside.id,
    MILLRACE_API_KEY_SECRET: fromOutside.secret,
    NODE_OPTIONS: `--import=${plantCrash(home)}`,
  };
  const crash = millrace(['run', config, '--home', home, '--log', 'trace'], { env: environment });
  expect(await keep('crash', crash)).toBe(1);
  expect(said.get('crash')).toContain('the planted crash [secret]');
  const check = millrace(['keycheck', config, '--home', home], {
    env: { ...environment, NODE_OPTIONS: '' },
  });
  expect(await keep('keycheck', check)).toBe(1);

  const texts = new Map([
    ...[...running].map(([name, text]) => [`running ${name}`, text] as const),
    ...[...left].map(([name, text]) => [`left ${name}`, text] as const),
    ...filesUnder(home),
    ...said,
  ]);
  const looked = ['left demo.sqlite', 'left demo.sqlite-wal', 'log/demo.log', 'crash', 'keycheck'];
  expect([...texts.keys()]).toEqual(expect.arrayContaining(looked));
  expect([...texts.keys()].some((name) => name.startsWith('left journal/'))).toBe(true);
  // Where the key is kept on purpose, for its owner alone; and what this test planted itself.
  for (const place of ['', 'running ', 'left ']) texts.delete(`${place}simulator/credentials.json`);
  texts.delete('crash.mjs');
  expect(leaks(texts)).toEqual([]);
  // The search finds each form, so it can fail.
  for (const { id, secret } of canaries)
    for (const form of formsOf(secret, id))
      expect(leaks(new Map([['planted', `… ${form} …`]]))).not.toEqual([]);
}, 120_000);
