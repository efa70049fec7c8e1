/** Cycles of imports between the files of `src`. Imports of types count as all others do. */
import { importsOf } from './imports.ts';
import type { SourceFile } from './source-files.ts';

/** For each file the files that it imports, with the line where it does. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Returns a sentence for each group of files of which every one leads to every other: where its
 * shortest cycle through its first file begins, how many files there are, and that cycle.
 */
export function importCycles(sources: readonly SourceFile[]): string[] {
  const graph = graphOf(sources.filter(({ file }) => file.startsWith('src/')));
  return groupsIn(graph).map((group) => {
    const cycle = shortestCycle(graph, [...group].sort()[0] ?? '');
    const [first = '', second = ''] = cycle;
    const line = graph.get(first)?.get(second);
    return `${first}:${line}: import cycle (files: ${group.length}): ${cycle.join(' > ')}`;
  });
}

function graphOf(sources: readonly SourceFile[]): Graph {
  const files = new Set(sources.map(({ file }) => file));
  return new Map(
    sources.map((source) => [
      source.file,
      new Map(
        importsOf(source).flatMap(({ target, line }): [string, number][] =>
          target !== undefined && files.has(target) ? [[target, line]] : [],
        ),
      ),
    ]),
  );
}

/** Tarjan's algorithm: the strongly connected groups of two or more files, or of one in itself. */
function groupsIn(graph: Graph): string[][] {
  const groups: string[][] = [];
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    open.push(file);
    const imported = [...(graph.get(file)?.keys() ?? [])];
    let lowest = number;
    for (const next of imported) {
      const known = numbers.get(next);
      if (known === undefined) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, known);
    }
    if (lowest < number) return lowest;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1 || imported.includes(file)) groups.push(group);
    return number;
  };
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return groups;
}

/** Returns the files of a shortest cycle from `start` back to it, both ends included. */
function shortestCycle(graph: Graph, start: string): string[] {
  const paths = [[start]];
  const seen = new Set<string>();
  for (const way of paths)
    for (const next of graph.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...way, next]);
    }
  return [start];
}
