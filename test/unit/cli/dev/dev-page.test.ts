/** The page of `dev`: the last report, events when it changes, and only for this machine. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { DevPage } from '../../../../src/cli/dev/dev-page.ts';

let page = new DevPage();
afterEach(async () => {
  await page.close();
  page = new DevPage();
});

/** Reads events until the returned function is called. */
async function eventsOf(url: string): Promise<{ seen: unknown[]; end: () => void }> {
  const seen: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = request(`${url}/events`, (answer) => {
    answer.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n'))
        if (line.startsWith('data: ')) seen.push(JSON.parse(line.slice(6)));
    });
    answer.on('error', () => {});
    resolve();
  });
  asked.on('error', () => {});
  asked.end();
  await promise;
  return { seen, end: () => asked.destroy() };
}

/** Returns status and text of an answer. */
function answerOf(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const asked = request(url, { headers, method }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve([answer.statusCode, text]));
    });
    asked.on('error', reject).end();
  });
}

test('serves the report, and tells readers of each run and of each problem', async () => {
  const url = await page.listen(0);
  expect((await answerOf(`${url}/report`))[1]).toContain('The first run is not done.');
  const { seen, end } = await eventsOf(url);
  page.show('<!doctype html><title>r</title><p>report one');
  page.fail('strategy.ts:3: no');
  await vi.waitFor(() =>
    expect(seen).toEqual([
      { run: 0, problem: null },
      { run: 1, problem: null },
      { run: 2, problem: 'strategy.ts:3: no' },
    ]),
  );
  end();
  const [status, text] = await answerOf(`${url}/report`);
  expect(status).toBe(200);
  expect(text).toBe('<!doctype html><title>r</title><p>report one');
  // The policy of the page would forbid the scripts of the report, which is in a frame.
  const report = await fetch(`${url}/report`);
  expect(report.headers.get('content-security-policy')).toBe("frame-ancestors 'self'");
  const [, frame] = await answerOf(url);
  expect(frame).not.toContain('Content-Security-Policy');
  const [, script = ''] = /<script>([\s\S]*)<\/script>/u.exec(frame) ?? [];
  expect(script).toContain('EventSource');
  const digest = createHash('sha256').update(script).digest('base64');
  const { headers } = await fetch(url);
  expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`);
});

test('answers only to names of this machine, to reads, and at its own paths', async () => {
  const url = await page.listen(0);
  const [status, text] = await answerOf(url, { host: 'evil.example:80' });
  expect(status).toBe(403);
  expect(text).toContain('not served for the host "evil.example:80"');
  expect((await answerOf(url, { host: `localhost:${new URL(url).port}` }))[0]).toBe(200);
  expect((await answerOf(url, {}, 'POST'))[0]).toBe(405);
  expect((await answerOf(`${url}/other`))[0]).toBe(404);
});

test('a taken port is replaced by a free one', async () => {
  const url = await page.listen(0);
  const second = new DevPage();
  const other = await second.listen(Number(new URL(url).port));
  expect(other).not.toBe(url);
  await second.close();
});
