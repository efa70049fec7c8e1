/** The files of a new project: those of `templates/project`, a strategy and its settings. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { strategyFrom } from './strategy-template.ts';

/** npm leaves a `.gitignore` out of packages, so the template has another name. */
const templateFiles: Readonly<Record<string, string>> = {
  '.gitignore': 'gitignore',
  '.vscode/launch.json': '.vscode/launch.json',
  'README.md': 'README.md',
  'millrace.yaml': 'millrace.yaml',
  'package.json': 'package.json',
  'tsconfig.json': 'tsconfig.json',
};

/** Packages that strategies import, in the versions of Millrace, so that there is one copy. */
const sharedPackages = ['rxjs', 'zod'] as const;

/** The installation's own package.json. */
export type Manifest = {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Returns the files of a project in `folder` by their path in it. */
export function projectFiles(options: {
  readonly root: string;
  readonly folder: string;
  readonly template: string;
  /** The dependency on Millrace, as npm takes it. */
  readonly dependency: string;
  readonly manifest: Manifest;
}): Readonly<Record<string, string>> {
  const { root, folder, template, dependency, manifest } = options;
  const name = projectName(folder);
  const strategy = strategyFrom(root, { template, name: template });
  const texts = Object.entries(templateFiles).map(([file, from]) => {
    const text = readFileSync(join(root, 'templates', 'project', from), 'utf8');
    return [file, text.replaceAll('my-bot', name)] as const;
  });
  const files: Record<string, string> = { ...Object.fromEntries(texts), ...strategy.files };
  files['millrace.yaml'] += `${strategy.settings.join('\n')}\n`;
  const shared = sharedPackages.map((one) => [one, manifest.dependencies[one]]);
  const project = {
    ...JSON.parse(files['package.json'] ?? ''),
    dependencies: { millrace: dependency, ...Object.fromEntries(shared) },
  };
  files['package.json'] = `${JSON.stringify(project, null, 2)}\n`;
  // npm would link a folder, whose packages are other copies than the project's.
  if (dependency.startsWith('file:')) files['.npmrc'] = 'install-links=true\n';
  return files;
}

/** Returns a name for the project, its package and its bot, made from that of its folder. */
function projectName(folder: string): string {
  const plain = basename(folder).normalize('NFKD').toLowerCase();
  const name = plain.replaceAll(/\p{M}/gu, '').replaceAll(/[^a-z0-9]+/gu, '-');
  return name.slice(0, 32).replaceAll(/^[-0-9]+|-+$/gu, '') || 'my-bot';
}

/**
 * Returns the dependency on the Millrace that runs: its version, or, from a clone, the package that
 * was built there. Throws ConfigError if that is not built.
 */
export function ownDependency(root: string, { version }: Manifest): string {
  const source = join(root, 'packages', 'millrace');
  if (!existsSync(source)) return `^${version}`;
  const built = join(source, 'dist');
  if (existsSync(built)) return `file:${built}`;
  throw new ConfigError(
    `this Millrace is a clone, and a project needs its package, which is not built: call "npm run package" in ${root}, or name a package by --package`,
  );
}
