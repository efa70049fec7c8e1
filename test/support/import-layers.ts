/** Which imports do not point downwards, between the folders of `src` and inside of them. */
import path from 'node:path/posix';
import { importsOf, placeOf } from './imports.ts';
import type { Layout } from './layout.ts';
import type { SourceFile } from './source-files.ts';

/** Returns the imports that point upwards or sideways, as sentences that begin with where. */
export function importsOutOfLayer(sources: readonly SourceFile[], layout: Layout): string[] {
  return edgesIn(sources).flatMap(({ from, target, line }) => {
    const problem = problemOf(from, target, layout);
    return problem === undefined ? [] : [`${from}:${line}: ${problem}`];
  });
}

function problemOf(from: string, target: string, layout: Layout): string | undefined {
  const [place, targetPlace] = [placeOf(from), placeOf(target)];
  const [rule, targetRule] = [layout.places[place], layout.places[targetPlace]];
  if (rule === undefined || targetRule === undefined) return undefined;
  if (place !== targetPlace)
    return rule.layer > targetRule.layer
      ? undefined
      : `${place} (layer ${rule.layer}) may not import ${target} (layer ${targetRule.layer})`;
  if (layout.apart.includes(path.dirname(from)) && path.dirname(from) === path.dirname(target))
    return `files of ${path.dirname(from)} may not import each other, as ${target}`;
  const { inner } = rule;
  const [own, other] = [innerNameOf(from), innerNameOf(target)];
  if (inner === undefined || own === other) return undefined;
  const rankOf = (name: string): number => inner.findIndex((names) => names.includes(name));
  if (rankOf(own) > rankOf(other) && rankOf(other) >= 0) return undefined;
  return `${own} of ${place} may not import ${target}, which is not below it`;
}

/**
 * Returns what of the layout's layers no import needs, and which folders have none: sentences that
 * name the layer, the order inside a folder, or the folder.
 */
export function unusedLayers(sources: readonly SourceFile[], layout: Layout): string[] {
  const files = sources.map(({ file }) => file).filter((file) => file.startsWith('src/'));
  const edges = edgesIn(sources);
  const places = new Set(files.map(placeOf));
  const crossing = edges.filter(({ from, target }) => placeOf(from) !== placeOf(target));
  const used = new Set(crossing.flatMap(({ from, target }) => [placeOf(from), placeOf(target)]));
  const found: string[] = [];
  for (const [place, { inner }] of Object.entries(layout.places)) {
    if (!used.has(place)) found.push(`nothing uses the layer of ${place}`);
    if (inner === undefined) continue;
    const within = edges.filter(({ from, target }) => [from, target].every(isIn(place)));
    const ordered = new Set(
      within
        .map(({ from, target }) => [innerNameOf(from), innerNameOf(target)])
        .filter(([own, other]) => own !== other)
        .flat(),
    );
    for (const name of inner.flat())
      if (!ordered.has(name)) found.push(`nothing uses the order of ${name} in ${place}`);
  }
  for (const place of places)
    if (layout.places[place] === undefined) found.push(`${place} has no layer`);
  for (const folder of layout.apart)
    if (!files.some((file) => path.dirname(file) === folder))
      found.push(`nothing is in ${folder}, whose files are apart`);
  return found;
}

function isIn(place: string): (file: string) => boolean {
  return (file) => placeOf(file) === place;
}

/** Returns the subfolder of its place that a file lies in; `.` for one directly in the place. */
function innerNameOf(file: string): string {
  const within = file.slice(`src/${placeOf(file)}/`.length).split('/');
  return within.length > 1 ? (within[0] as string) : '.';
}

type Edge = { readonly from: string; readonly target: string; readonly line: number };

function edgesIn(sources: readonly SourceFile[]): Edge[] {
  return sources
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap((source) =>
      importsOf(source).flatMap(({ target, line }) =>
        target?.startsWith('src/') === true ? [{ from: source.file, target, line }] : [],
      ),
    );
}
