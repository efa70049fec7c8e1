/**
 * `npm run package [-- FOLDER]` makes the package `millrace` for `npm pack` and `npm publish`, by
 * default in `packages/millrace/dist`. The clone runs its TypeScript as it is; Node refuses that
 * below `node_modules`, so the package has JavaScript with its comments, and the types. It has no
 * source maps: a stack trace and a debugger show the files that the user has.
 *
 * Invariant: the package has the folders of the clone, so that a place that is relative to a module
 * is the same in both.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const out = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'dist'));

/** They install and start the clone. */
const cloneOnly = ['check-node.mjs', 'install.mjs', 'installed.mjs', 'launch.mjs'];
const cloneKeys = ['private', 'scripts', 'devDependencies', 'optionalDependencies'];

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
compile();
keepExportedTypes();
for (const file of filesIn('src')) if (/\.m[jt]s$|^src\/page\/bundle\//u.test(file)) copy(file);
for (const name of cloneOnly) fs.rmSync(path.join(out, 'src', name));
for (const file of filesIn('strategies')) if (!file.endsWith('.ts')) copy(file);
for (const folder of ['config', 'templates']) for (const file of filesIn(folder)) copy(file);
// The code of the shipped strategies as a project gets it: `millrace new --from simple-mm`.
for (const name of fs.readdirSync(path.join(root, 'templates/strategies'))) {
  const code = `templates/strategies/${name}/strategy.ts`;
  if (!fs.existsSync(path.join(root, code))) copy(`strategies/${name}/strategy.ts`, code);
}
for (const folder of scenariosWithData())
  for (const file of filesIn(folder)) if (!file.includes('/results/')) copy(file);
// The server of the page answers with the OpenAPI document.
for (const file of filesIn('docs'))
  if (!file.startsWith('docs/internals/') && file !== 'docs/openapi.json') copy(file);
for (const file of ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md']) copy(file);
fs.writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
console.log(`wrote ${out}`);
// npm compares only the version, which is still the same.
console.log('a project that has an earlier build takes this one by, in its folder:');
console.log('  rm -rf node_modules/millrace && npm install');

function compile() {
  const script = path.join(root, 'node_modules/typescript/bin/tsc');
  // `npm run check` checks the types, which takes longer than to compile.
  const args = [script, '--project', import.meta.dirname, '--outDir', out, '--noCheck'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Removes the types that nothing exported refers to: nobody can import them. */
function keepExportedTypes() {
  const kept = new Set();
  const keep = (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    const text = fs.readFileSync(file, 'utf8');
    for (const [, from] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/gu))
      keep(path.join(path.dirname(file), `${from}.d.ts`));
  };
  for (const { types } of Object.values(manifest().exports))
    if (types !== undefined) keep(path.join(out, types));
  for (const file of outputs('.d.ts')) if (!kept.has(file)) fs.rmSync(file);
}

function outputs(ending) {
  return fs
    .readdirSync(out, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(out, file));
}

function filesIn(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'));
}

/** A scenario whose recordings are a set of data needs files that are not in the package. */
function scenariosWithData() {
  return fs
    .readdirSync(path.join(root, 'backtests'))
    .map((name) => `backtests/${name}`)
    .filter((folder) => {
      const text = fs.readFileSync(path.join(root, folder, 'scenario.yaml'), 'utf8');
      return !/^\s*set:/mu.test(text);
    });
}

function copy(file, to = file) {
  fs.cpSync(path.join(root, file), path.join(out, to));
}

function manifest() {
  const text = fs.readFileSync(path.join(root, 'package.json'), 'utf8');
  const clone = JSON.parse(text);
  const kept = Object.entries(clone).filter(([key]) => !cloneKeys.includes(key));
  const exports = Object.entries(clone.exports).map(([name, file]) => {
    if (!file.endsWith('.ts')) return [name, file];
    const module = file.slice(0, -'.ts'.length);
    return [name, { types: `${module}.d.ts`, default: `${module}.js` }];
  });
  return {
    ...Object.fromEntries(kept),
    bin: { millrace: 'src/bin.mjs' },
    exports: Object.fromEntries(exports),
  };
}
