/**
 * Finds what no settings file may contain anywhere: aliases, anchors, tags, merge keys, directives,
 * duplicate keys, deep nesting, and keys that look like secrets.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { Place, Problem } from './problem.ts';

const depthMax = 20;

const secretKey =
  /secret|passw|passphrase|private_?key|api_?key|key_?id$|access_?key|token|credential|mnemonic/iu;

export function treeProblems(
  document: Document.Parsed,
  placeAt: (offset: number) => Place,
): Problem[] {
  const problems: Problem[] = [];
  const report = (
    node: Node | null | undefined,
    path: string,
    message: string,
    allowed: string,
  ) => {
    problems.push({ ...placeAt(node?.range?.[0] ?? 0), path, message, allowed });
  };
  const { yaml, tags } = document.directives;
  if (yaml.explicit === true || Object.keys(tags).some((handle) => handle !== '!!')) {
    report(null, '', 'has a % directive', 'plain YAML without directives');
  }

  const visit = (node: Node | null, path: string, depth: number): void => {
    if (node === null) return;
    if (depth > depthMax) {
      report(node, path, 'is nested too deeply', `at most ${depthMax} levels`);
      return;
    }
    if (isAlias(node)) {
      report(node, path, 'is an alias (*)', 'the value itself, written out');
      return;
    }
    if (node.anchor !== undefined)
      report(node, path, 'has an anchor (&)', 'values without anchors');
    if (node.tag !== undefined) report(node, path, 'has a tag (!)', 'values without tags');
    if (isSeq(node)) {
      for (const [i, item] of node.items.entries())
        visit(item as Node | null, `${path}[${i}]`, depth + 1);
    }
    if (!isMap(node)) return;
    const seen = new Map<string, number>();
    for (const pair of node.items) {
      const key = pair.key as Node | null;
      const name = isScalar(key) ? String(key.value) : '';
      const at = path === '' ? name : `${path}.${name}`;
      if (!isScalar(key) || typeof key.value !== 'string' || name === '') {
        report(key ?? node, path, 'has a key that is not text', 'text keys');
      } else if (name === '<<') {
        report(key, at, 'is a merge key', 'the keys themselves, written out');
      }
      if (isScalar(key) && (key.anchor !== undefined || key.tag !== undefined)) {
        report(key, at, 'has an anchor or a tag on its key', 'plain keys');
      }
      const first = seen.get(name);
      if (first !== undefined) {
        report(key, at, `is given twice, first on line ${first}`, 'each key once: delete one');
      }
      seen.set(name, first ?? placeAt(key?.range?.[0] ?? 0).line);
      if (secretKey.test(name)) {
        const hint =
          'put it in a file of mode 0600, named by an environment variable ending in _FILE';
        report(key, at, `looks like a secret, which must not be in this file: ${hint}`, '');
      }
      visit(pair.value as Node | null, at, depth + 1);
    }
  };
  visit(document.contents, '', 0);
  return problems;
}
