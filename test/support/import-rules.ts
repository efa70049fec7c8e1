/** Judges every import of ours by the lists of the layout, and finds the rules that none uses. */
import { type Import, importsOf, placeOf } from './imports.ts';
import type { Layout } from './layout.ts';
import type { SourceFile } from './source-files.ts';

/** Why an import is refused, or the rule that allows it, if it needs one. */
type Verdict = { readonly refusal: string } | { readonly rule: string | undefined };

const free: Verdict = { rule: undefined };

/** Returns the imports that the layout does not list, as sentences that begin with where. */
export function refusedImports(sources: readonly SourceFile[], layout: Layout): string[] {
  return shipped(sources).flatMap((source) =>
    importsOf(source).flatMap((one) => {
      const verdict = judge(source.file, one, layout);
      return 'refusal' in verdict ? [`${source.file}:${one.line}: ${verdict.refusal}`] : [];
    }),
  );
}

/** Returns the rules of the layout that no import uses, a sentence for each. */
export function unusedImportRules(sources: readonly SourceFile[], layout: Layout): string[] {
  const used = new Set(
    shipped(sources).flatMap((source) =>
      importsOf(source).map((one) => {
        const verdict = judge(source.file, one, layout);
        return 'rule' in verdict ? verdict.rule : undefined;
      }),
    ),
  );
  return rulesOf(layout)
    .filter((rule) => !used.has(rule))
    .map((rule) => `nothing uses the rule "${rule}"`);
}

function shipped(sources: readonly SourceFile[]): readonly SourceFile[] {
  return sources.filter(({ file }) => /^(?:src|strategies)\//u.test(file));
}

const ruleOf = {
  values: (from: string, to: string) => `${from} imports ${to}`,
  types: (from: string, to: string) => `${from} imports types of ${to}`,
  package: (name: string, place: string) => `${place} imports the package ${name}`,
  packageTypes: (name: string, place: string) => `${place} imports types of the package ${name}`,
  builtin: (name: string, place: string) => `${place} imports ${name}`,
};

function rulesOf(layout: Layout): string[] {
  const ofPlaces = Object.entries(layout.places).flatMap(
    ([from, { imports, types = [], files = [] }]) => [
      ...[...imports, ...files].map((to) => ruleOf.values(from, to)),
      ...types.map((to) => ruleOf.types(from, to)),
    ],
  );
  const ofModules = (
    modules: Layout['packages'],
    rule: (name: string, place: string) => string,
  ): string[] =>
    Object.entries(modules).flatMap(([name, allowed]) => allowed.map((place) => rule(name, place)));
  return [
    ...ofPlaces,
    ...ofModules(layout.packages, ruleOf.package),
    ...ofModules(layout.packageTypes, ruleOf.packageTypes),
    ...ofModules(layout.builtins, ruleOf.builtin),
  ];
}

function judge(file: string, one: Import, layout: Layout): Verdict {
  const { from, target } = one;
  if (target !== undefined) {
    if (placeOf(file) === 'strategies') return judgeOfStrategy(file, target);
    return judgeOwn(placeOf(file), target, one.isType, layout);
  }
  if (from.startsWith('node:')) return judgeBuiltin(placeOf(file), from, layout);
  return judgePackage(placeOf(file), one, layout);
}

function judgeOfStrategy(file: string, target: string): Verdict {
  const own = file.split('/').slice(0, 2).join('/');
  if (target.startsWith(`${own}/`)) return free;
  return { refusal: `a strategy may import millrace and its own files, not ${target}` };
}

function judgeOwn(from: string, target: string, isType: boolean, { places }: Layout): Verdict {
  if (!target.startsWith('src/')) return { refusal: `src may not import ${target}` };
  const to = placeOf(target);
  if (from === to) return free;
  const rule = places[from];
  if (rule === undefined) return { refusal: `${from} is not in the layout` };
  const isTypesOnly = rule.types?.includes(to) === true;
  if (isType && isTypesOnly) return { rule: ruleOf.types(from, to) };
  // A rule for values is used by values only: one that only types use belongs to the types.
  if (rule.imports.includes(to)) return isType ? free : { rule: ruleOf.values(from, to) };
  if (rule.files?.includes(target) === true)
    return isType ? free : { rule: ruleOf.values(from, target) };
  return { refusal: `${from} may not import anything${isTypesOnly ? ' but types' : ''} of ${to}` };
}

function judgeBuiltin(place: string, name: string, { builtins }: Layout): Verdict {
  const allowed = place === 'strategies' ? [] : builtins[name];
  if (allowed === undefined) return free;
  if (allowed.includes(place)) return { rule: ruleOf.builtin(name, place) };
  return { refusal: `${place} may not import ${name}` };
}

function judgePackage(place: string, { from, isType }: Import, layout: Layout): Verdict {
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
  const allowed = layout.packages[name];
  if (allowed === undefined) return { refusal: `${name} is not in the table of packages` };
  if (allowed.includes(place)) return isType ? free : { rule: ruleOf.package(name, place) };
  if (isType && layout.packageTypes[name]?.includes(place) === true)
    return { rule: ruleOf.packageTypes(name, place) };
  return { refusal: `${place} may not import ${name}` };
}
