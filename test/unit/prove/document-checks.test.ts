/** The parts of the document checks: anchors, page text, and how commands are found in a page. */
import { expect, test } from 'vitest';
import { anchorsOf, brokenLinks } from '../../support/documents/broken-links.ts';
import { badCommand, commandsOf } from '../../support/documents/document-commands.ts';
import { pageText } from '../../support/documents/documents.ts';

test('anchors are those of GitHub: lower case, without signs, numbered when repeated', () => {
  const text = '# One `code`, two!\n\n## Same\n\n## Same\n\n### A_b - c\n';
  expect([...anchorsOf(text)]).toEqual(['one-code-two', 'same', 'same-1', 'a_b---c']);
});

test('prose, code in a line and blocks of code are apart, with their lines', () => {
  const text = 'See `a|b`.\n\n```sh\nnpm test\n```\n\n[x](`y`)\n';
  const { prose, spans, blocks } = pageText(text);
  expect(spans).toEqual([
    { text: 'a|b', line: 1 },
    { text: 'y', line: 7 },
  ]);
  expect(blocks).toEqual([{ text: 'npm test\n', line: 4 }]);
  expect(prose).toHaveLength(text.length);
  expect(prose).not.toContain('npm');
});

const page = (...lines: readonly string[]) => ({ file: 'a.md', text: lines.join('\n') });

test('commands are found with their lines, joined and split as a shell does', () => {
  const found = commandsOf(
    page(
      '```sh',
      'cd /x && KEY=1 npm start -- --for 5s   # the demo',
      'npm run --silent millrace -- status "a b.yaml" \\',
      '  --json > out.json',
      'curl https://example.com | npm test',
      '```',
      'Run `millrace halt`, `prove -- gate --json`, `npm ci` or `npm-check`.',
    ),
  );
  expect(found.map(({ line, script, words }) => [line, script, ...words])).toEqual([
    [2, 'start', '--for', '5s'],
    [3, 'millrace', 'status', 'a b.yaml', '--json'],
    [5, 'test'],
    [7, 'millrace', 'halt'],
    [7, 'prove', 'gate', '--json'],
  ]);
  expect(found.map(badCommand)).toEqual(found.map(() => undefined));
});

test.each([
  ['npm run --silent millrace -- status x --jsn', "unknown option '--jsn'"],
  ['npm runs millrace', "unknown command 'npm'"],
  ['millrace stop', 'there is no command stop'],
  ['millrace run', undefined],
  ['millrace run --live', "missing required argument 'config'"],
  ['prove -- nothing', 'no prover "nothing"'],
  ['npm run prove -- orders --seeds many', '--seeds must be an integer'],
  ['npm run prove -- NAME --seeds N --plant all', undefined],
])('%s', (command, complaint) => {
  const [found] = commandsOf(page(`Run \`${command}\`.`));
  const problem = found === undefined ? 'not found' : badCommand(found);
  if (complaint === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(complaint);
});

test('links are followed from the folder of their page', () => {
  const documents = [
    { file: 'pages/a.md', text: '[b](in/b.md#top) [root](../README.md) [out](https://x.org/a)\n' },
    { file: 'pages/in/b.md', text: '# Top\n\n[up](../a.md) [self](#top) [no](#bottom)\n' },
  ];
  const paths = new Set(['pages/a.md', 'pages/in/b.md', 'pages/in', 'README.md']);
  expect(brokenLinks({ sources: [], documents, paths })).toEqual([
    'pages/in/b.md:3: pages/in/b.md has no heading #bottom',
  ]);
});
