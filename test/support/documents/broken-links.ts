/**
 * Links that lead nowhere: between pages, to anchors and images, paths in code font, pages that
 * source text names, and numbers of decisions.
 */
import path from 'node:path/posix';
import type { SourceFile } from '../source-files.ts';
import { isPage, pageText } from './documents.ts';

export type Linked = {
  readonly sources: readonly SourceFile[];
  readonly documents: readonly SourceFile[];
  /** Every file and folder of the repository. */
  readonly paths: ReadonlySet<string>;
};

/** The history names files as they were then. */
const history = 'CHANGELOG.md';
const decisionsFolder = 'docs/internals/decisions/';
const repositoryPath = /^(?:src|test|docs|config|strategies|backtests|\.ci)\/[\w./-]*$/u;
/** Folders and files that a reader makes: `strategies/yours`, `config/yours.yaml`. */
const readersOwn = /(?:^|\/)yours(?:[./]|$)/u;

/** Returns what is wrong, one sentence for each link, beginning with where it is. */
export function brokenLinks(linked: Linked): string[] {
  const pages = linked.documents.filter(isPage);
  return [
    ...pages.flatMap((page) => [...linksOf(page, linked), ...pathsOf(page, linked)]),
    ...[...linked.sources, ...linked.documents].flatMap((file) => namedPages(file, linked)),
    ...unknownDecisions(linked),
  ];
}

function linksOf({ file, text }: SourceFile, { documents, paths }: Linked): string[] {
  const { prose } = pageText(text);
  // The code of a link's text is blanked, so the text itself may be anything.
  return [...prose.matchAll(/\]\((?<target>[^()\s]+)\)/gu)].flatMap(({ groups, index }) => {
    const target = groups?.['target'] ?? '';
    if (/^(?:https?|mailto):/u.test(target)) return [];
    const [link = '', anchor] = target.split('#');
    const named = link === '' ? file : path.join(path.dirname(file), link);
    const where = `${file}:${prose.slice(0, index).split('\n').length}`;
    if (!paths.has(path.normalize(named).replace(/\/$/u, '')))
      return [`${where}: there is no ${named}`];
    const page = documents.find((one) => one.file === named);
    if (anchor === undefined || page === undefined || anchorsOf(page.text).has(anchor)) return [];
    return [`${where}: ${named} has no heading #${anchor}`];
  });
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.*)$/gmu)) {
    const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
    const slug = plain.trim().replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function pathsOf({ file, text }: SourceFile, { paths }: Linked): string[] {
  if (file === history) return [];
  return pageText(text)
    .spans.filter((span) => repositoryPath.test(span.text) && !readersOwn.test(span.text))
    .filter((span) => !paths.has(inTemplates(span.text).replace(/\/$/u, '')))
    .map((span) => `${file}:${span.line}: there is no ${span.text}`);
}

/** Returns where the strategy of a project comes from: `strategies/quoter.ts`. */
function inTemplates(file: string): string {
  return file.replace(
    /^strategies\/([\w-]+)((?:\.test)?\.ts)$/u,
    'templates/strategies/$1/strategy$2',
  );
}

function namedPages({ file, text }: SourceFile, { paths }: Linked): string[] {
  if (file === history) return [];
  return [...text.matchAll(/(?<![\w./:-])docs\/[\w./-]+\.(?:md|json|png)\b/gu)]
    .filter(([named]) => !paths.has(named))
    .map(([named]) => `${file}: there is no ${named}`);
}

function unknownDecisions({ sources, documents }: Linked): string[] {
  const known = new Set(
    documents
      .filter(({ file }) => file.startsWith(decisionsFolder))
      .flatMap(({ text }) => text.match(/(?<=^## )D-\d{3}/gmu) ?? []),
  );
  return [...sources, ...documents].flatMap(({ file, text }) =>
    [...new Set(text.match(/\bD-\d{3}\b/gu) ?? [])]
      .filter((number) => !known.has(number))
      .map((number) => `${file}: there is no decision ${number}`),
  );
}
