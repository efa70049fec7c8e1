/** What a page's server tells and does only for the right token, as named checks. */
import assert from 'node:assert/strict';
import { askPage, bearer, type PageTarget, postPage, type SecurityCheck } from './page-requests.ts';

const api = '/api/v1';
const halt = { command: 'halt', confirm: 'halt', reason: 'a check' };
const commandsOf = ({ bot }: PageTarget): string => `${api}/bots/${bot}/commands`;

async function statusOf(target: PageTarget, path: string): Promise<number> {
  return (await askPage(target, path, { headers: bearer(target) })).status;
}

/** They use up the wrong tokens of a minute. */
export const tokenChecks: readonly SecurityCheck[] = [
  {
    name: 'without a token nothing of a bot is told',
    run: async (target) => {
      const paths = [
        'bots',
        'openapi.json',
        `bots/${target.bot}/status`,
        `bots/${target.bot}/events`,
      ];
      for (const path of paths) {
        const { status, text } = await askPage(target, `${api}/${path}`);
        assert.equal(status, 401, path);
        assert.ok(!text.includes(target.bot.slice(0, -9)), text);
      }
    },
  },
  {
    name: 'an empty, short or longer token is wrong',
    run: async (target) => {
      for (const token of ['', ' ', target.viewToken.slice(0, -1), `${target.viewToken}0`]) {
        const { status } = await postPage(target, `${api}/session`, { token });
        assert.ok([401, 429].includes(status), `${token}: ${status}`);
      }
      const empty = await askPage(target, `${api}/bots`, { headers: { authorization: 'Bearer ' } });
      assert.equal(empty.status, 401);
    },
  },
  {
    name: 'the view token becomes a cookie that scripts cannot read and other sites do not send',
    run: async (target) => {
      const { status, headers } = await postPage(target, `${api}/session`, {
        token: target.viewToken,
      });
      assert.equal(status, 200);
      const [cookie = ''] = headers['set-cookie'] as string[];
      assert.match(cookie, new RegExp(`^millrace-${target.bot}=[0-9a-f]{64};`, 'u'));
      assert.match(cookie, /; HttpOnly; SameSite=Strict; Path=\/;/u);
      assert.ok(!cookie.includes(target.viewToken));
      const own = { cookie: cookie.split(';')[0] ?? '' };
      assert.equal((await askPage(target, `${api}/bots`, { headers: own })).status, 200);
      // The value of the cookie is no token.
      const value = own.cookie.split('=')[1] ?? '';
      assert.ok((await postPage(target, `${api}/session`, { token: value })).status >= 400);
    },
  },
  {
    name: 'a cookie of another bot or with another value opens nothing',
    run: async (target) => {
      const zeros = '0'.repeat(64);
      const other = { cookie: `millrace-aaaaaaaa=${zeros}` };
      assert.equal((await askPage(target, `${api}/bots`, { headers: other })).status, 401);
      const wrong = { cookie: `millrace-${target.bot}=${zeros}` };
      assert.ok(
        [401, 429].includes((await askPage(target, `${api}/bots`, { headers: wrong })).status),
      );
    },
  },
  {
    name: 'many wrong tokens are answered 429, and the right one still opens the page',
    run: async (target) => {
      const seen: number[] = [];
      for (let count = 0; count < 15; count++)
        seen.push((await postPage(target, `${api}/session`, { token: `${count}` })).status);
      assert.equal(seen.at(-1), 429);
      assert.ok(seen.every((status) => status === 401 || status === 429));
      assert.equal(await statusOf(target, `${api}/bots`), 200);
    },
  },
  {
    name: 'no answer contains a token',
    run: async (target) => {
      const paths = [
        'bots',
        'openapi.json',
        ...['status', 'log', 'commands'].map((one) => `bots/${target.bot}/${one}`),
      ];
      for (const path of paths) {
        const { text } = await askPage(target, `${api}/${path}`, { headers: bearer(target) });
        for (const token of [target.viewToken, target.commandToken])
          assert.ok(!text.includes(token), path);
      }
    },
  },
];

export const commandChecks: readonly SecurityCheck[] = [
  {
    name: 'the view token alone commands nothing',
    run: async (target) => {
      const viewer = bearer(target);
      const { status } = await postPage(target, commandsOf(target), halt, viewer);
      assert.equal(status, 403);
      const wrong = { ...viewer, 'x-millrace-command-token': target.viewToken };
      assert.ok(
        [403, 429].includes((await postPage(target, commandsOf(target), halt, wrong)).status),
      );
    },
  },
  {
    name: 'the command token alone commands nothing',
    run: async (target) => {
      const headers = { 'x-millrace-command-token': target.commandToken };
      assert.equal((await postPage(target, commandsOf(target), halt, headers)).status, 401);
    },
  },
  {
    name: 'a form, plain text or a POST without our header is no command',
    run: async (target) => {
      const right = { ...bearer(target), 'x-millrace-command-token': target.commandToken };
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]) {
        const { status } = await postPage(target, commandsOf(target), halt, {
          ...right,
          'content-type': type,
        });
        assert.equal(status, 415, type);
      }
      const { status } = await askPage(target, commandsOf(target), {
        method: 'POST',
        headers: { ...right, 'content-type': 'application/json' },
        body: JSON.stringify(halt),
      });
      assert.equal(status, 403);
    },
  },
  {
    name: 'a command without reason or confirmation, or of another kind, is refused',
    run: async (target) => {
      const right = { ...bearer(target), 'x-millrace-command-token': target.commandToken };
      const wrong = [
        ...[
          { ...halt, confirm: 'yes' },
          { ...halt, reason: '' },
          { ...halt, reason: 'a\nb' },
        ],
        ...[{ command: 'halt' }, { ...halt, command: 'place', confirm: 'place' }, [], 'halt', null],
        ...[
          { ...halt, thenStop: true },
          { ...halt, reason: 'x'.repeat(501) },
        ],
      ];
      for (const body of wrong)
        assert.equal(
          (await postPage(target, commandsOf(target), body, right)).status,
          400,
          JSON.stringify(body),
        );
    },
  },
  {
    name: 'a GET of the commands only lists them',
    run: async (target) => {
      const path = `${commandsOf(target)}?command=halt&confirm=halt&reason=x`;
      assert.equal(await statusOf(target, path), 400);
      assert.equal(await statusOf(target, commandsOf(target)), 200);
    },
  },
];
