/** Makes the mistakes that people make in a settings file, at every key and every value. */
import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';

/** The text of a file with one mistake. */
export type Mistake = { readonly name: string; readonly text: string };

/** Replaces the characters of `text` from offset `from` to `to`. */
export function replaced(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** Values that are wrong for most keys, whatever was there. */
const strangers = ['5', '0.002', '-1', '.nan', '1e400', '"5"', '"0.002"', 'null', 'true', '{}'];

const unitForms: readonly (readonly [
  pattern: RegExp,
  forms: (count: string) => readonly string[],
])[] = [
  [
    /^-?(\d+(?:\.\d+)?)(?:%|bps)$/u,
    (count) => [count, `"${count} %"`, `"${count}percent"`, `"${count}BPS"`, `"9${count}000%"`],
  ],
  [
    /^(\d+)(?:us|ms|s|m|h|d)$/u,
    (count) => [
      ...[count, `"${count}"`, `"${count} s"`, `"${count}sec"`, `"0.5s"`, `"1.5 minutes"`],
      ...[`"1500us"`, `"${count} years"`, `"${count}e3s"`, `"99999d"`],
    ],
  ],
  [
    /^(\d+)(?:MB|GB)$/u,
    (count) => [count, `"${count}gb"`, '"1.5 GB"', '"0.1GB"', '500', '"3TB"', '"5kB"'],
  ],
];

/** Returns a file for each mistake that is made at one place of `text`. */
export function settingsMistakes(text: string): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const document = parseDocument(text, { stringKeys: true });
  const add = (node: unknown, by: string): void => {
    const [from, to] = rangeOf(node);
    const name = `${text.slice(from, to)} -> ${by}`;
    mistakes.push({ name, text: replaced(text, from, to, by) });
  };
  visit(document, {
    Pair: (_, pair) => {
      for (const by of wrongKeys(pair, text)) add(pair.key, by);
      const [from] = rangeOf(pair.key);
      if (!isScalar(pair.value) || !isInFlow(text, from)) return;
      // The right key, and once more with a typing error.
      const [start, end] = rangeOf(pair.value);
      const typo = `, ${misspelt(text.slice(...rangeOf(pair.key)))}: ${text.slice(start, end)}`;
      mistakes.push({ name: `added${typo}`, text: replaced(text, end, end, typo) });
    },
    Scalar: (key, node) => {
      if (key === 'key') return;
      for (const by of wrongValues(node, text)) add(node, by);
    },
    Seq: (_, node) => {
      for (const by of wrongLists(node.items as readonly Node[], text)) add(node, by);
    },
    Map: (key, node) => {
      if (key === 'value' && isInFlow(text, rangeOf(node)[0])) add(node, '5');
    },
  });
  return mistakes;
}

/** Returns the offsets at which the text of `node` starts and ends. */
export function rangeOf(node: unknown): readonly [from: number, to: number] {
  const { range } = node as Node;
  if (range === undefined || range === null) throw new Error('a node without its range');
  return [range[0], range[1]];
}

function isInFlow(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset + 1);
  return line.split('{').length > line.split('}').length;
}

function wrongKeys({ key }: Pair, text: string): readonly string[] {
  const name = text.slice(...rangeOf(key));
  return [misspelt(name), name.toLowerCase(), name.toUpperCase(), `${name}s`, snake(name)].filter(
    (wrong) => wrong !== name,
  );
}

function misspelt(word: string): string {
  return word.length < 3 ? `${word}x` : `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`;
}

function snake(word: string): string {
  return word.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function wrongValues(node: Scalar, text: string): readonly string[] {
  const written = text.slice(...rangeOf(node));
  const plain = String(node.value);
  const forms = unitForms.flatMap(([pattern, of]) => {
    const count = pattern.exec(plain)?.[1];
    return count === undefined ? [] : of(count);
  });
  const ofWord = /^[A-Za-z]/u.test(plain)
    ? [plain.toUpperCase(), plain.toLowerCase(), misspelt(plain), `"${plain} "`, `${plain}x`]
    : [];
  const wrong = [...strangers, ...forms, ...ofWord, plain, `"${plain}"`, `[${written}]`];
  return [...new Set(wrong)].filter((by) => by !== written);
}

function wrongLists(items: readonly Node[], text: string): readonly string[] {
  const written = items.map((item) => text.slice(...rangeOf(item)));
  const [first = ''] = written;
  if (isMap(items[0]) || isSeq(items[0])) return ['[]', '5'];
  const rest = written.join(', ');
  return [
    ...[first, '[]', '{}', '5', `[${rest}, ${first}]`, `[${rest}, ${first.toLowerCase()}]`],
    ...[`[${first.toLowerCase()}, ${rest}]`, `[${rest}, 5]`, `[${misspelt(first)}, 5]`],
  ];
}

/** Returns files with a mistake of form, whatever their keys. */
export function fileMistakes(text: string): readonly Mistake[] {
  const lines = text.trimEnd().split('\n');
  const indented = lines.findIndex((line) => line.startsWith('  '));
  const doubled = lines.flatMap((line, i) =>
    /^ *\w+: [^[{]*$/u.test(line)
      ? [{ name: `twice: ${line}`, text: [...lines.slice(0, i + 1), ...lines.slice(i)].join('\n') }]
      : [],
  );
  return [
    { name: 'two documents', text: `${text}---\n${text}` },
    { name: 'two documents, one empty', text: `${text}---\n` },
    { name: 'a byte order mark', text: `\uFEFF${text}` },
    { name: 'an empty file', text: '' },
    { name: 'only a comment', text: '# nothing\n' },
    ...doubled,
    ...(indented < 0
      ? []
      : [
          {
            name: 'a tab',
            text: lines
              .map((line, i) => (i === indented ? line.replace(/^ {2}/u, '\t') : line))
              .join('\n'),
          },
        ]),
  ];
}
