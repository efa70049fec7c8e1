/**
 * `npm run page` bundles `src/page` into the files of `src/page/bundle` that a browser loads. They
 * are committed: a bot serves them as they are, so nothing is built where it runs, and users
 * install none of the packages of the page.
 *
 * Invariant: the same sources and packages give the same bytes; `test/unit/page` compares them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = path.join(import.meta.dirname, '../..');
const source = path.join(root, 'src/page');
const out = path.join(source, 'bundle');
const modules = path.join(root, 'node_modules');

/** The text of the MIT licence, without its copyright line. */
const mitText = licenceTextOf('preact');

/** Each script with its entry and the packages in it. */
const scripts = {
  'page.js': {
    entry: 'page.tsx',
    packages: ['preact', '@preact/signals', '@preact/signals-core', 'uplot'],
  },
  'candles.js': { entry: 'candles.ts', packages: ['lightweight-charts', 'fancy-canvas'] },
};

function licenceTextOf(name) {
  const text = fs.readFileSync(path.join(modules, name, 'LICENSE'), 'utf8');
  return text.slice(text.indexOf('Permission is hereby')).trim();
}

/** Returns the text of each file of the bundle by its name. */
export async function pageBundle() {
  const files = {};
  for (const [name, { entry, packages }] of Object.entries(scripts))
    files[name] = `${noticeOf(packages)}${await bundle(entry)}`;
  files['page.css'] = `${noticeOf(['uplot'])}${styles()}`;
  files['licences.txt'] = licences();
  return files;
}

async function bundle(entry) {
  const build = await rolldown({
    input: path.join(source, entry),
    platform: 'browser',
    tsconfig: path.join(source, 'tsconfig.json'),
  });
  const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
  await build.close();
  if (output.length !== 1) throw new Error(`${entry} became ${output.length} files, not one`);
  return output[0].code;
}

/** Returns the theme, the style of uPlot, and every other style sheet in the order of its path. */
function styles() {
  const theme = path.join(source, 'styles/theme.css');
  const own = fs
    .readdirSync(source, { recursive: true })
    .filter((file) => file.endsWith('.css') && !file.startsWith('bundle'))
    .map((file) => path.join(source, file))
    .filter((file) => file !== theme)
    .sort();
  return [theme, path.join(modules, 'uplot/dist/uPlot.min.css'), ...own]
    .map((file) => `${fs.readFileSync(file, 'utf8').trim()}\n`)
    .join('');
}

/** Names each package with its licence: a result page carries the scripts without other files. */
function noticeOf(packages) {
  const lines = packages.map((name) => {
    const { version, license } = manifestOf(name);
    return ` * ${name} ${version}, ${license} licence. ${copyrightOf(name)}`;
  });
  const isApache = packages.includes('lightweight-charts');
  const apache = [
    ' * TradingView Lightweight Charts™, Copyright (c) TradingView, Inc. https://www.tradingview.com/',
    ' * Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0',
  ];
  const mit = mitText.split('\n').map((line) => ` * ${line}`.trimEnd());
  const text = ['/*! Contains:', ...lines, ...(isApache ? apache : []), ' *', ...mit, ' */'];
  return `${text.join('\n')}\n`;
}

/** Returns the whole licence of every package in the bundle. */
function licences() {
  return Object.values(scripts)
    .flatMap(({ packages }) => packages)
    .map((name) => {
      const { version, license, homepage = '' } = manifestOf(name);
      const head = [`${name} ${version} (${license})`, homepage].filter((line) => line !== '');
      return `${head.join('\n')}\n\n${licenceOf(name)}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(name) {
  const file = path.join(modules, name, 'LICENSE');
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
  return `${copyrightOf(name)}\n\n${mitText}`;
}

function copyrightOf(name) {
  const file = path.join(modules, name, 'LICENSE');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const { author } = manifestOf(name);
  return /^Copyright \(c\).*$/mu.exec(text)?.[0] ?? `Copyright (c) ${author?.name ?? author}`;
}

function manifestOf(name) {
  return JSON.parse(fs.readFileSync(path.join(modules, name, 'package.json'), 'utf8'));
}

async function writeBundle() {
  fs.mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(await pageBundle())) {
    fs.writeFileSync(path.join(out, name), text);
    console.log(`wrote ${path.relative(root, path.join(out, name))}, ${text.length} characters`);
  }
}

if (process.argv[1] === import.meta.filename) await writeBundle();
