/**
 * The strategies that a project can begin with: those of the folder `templates`, and the shipped
 * ones. Each template has a test and the settings of a strategy.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { meantText } from '../../settings/nearest-word.ts';
import { isPluginName } from '../../strategy/plugin-name.ts';

export const templateDefault = 'quoter';

export type StrategyFiles = {
  /** Texts by the path in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** The lines below `strategies:` of the settings. */
  readonly settings: readonly string[];
};

/** Returns the names of all templates of the installation in the folder `root`. */
export function templateNames(root: string): readonly string[] {
  return readdirSync(join(root, 'templates', 'strategies')).sort();
}

/** A shipped strategy, with the first sentence of its file. */
export type ShippedStrategy = { readonly name: string; readonly about: string };

/** Returns the shipped strategies of the installation in the folder `root`. */
export function shippedStrategies(root: string): readonly ShippedStrategy[] {
  const shipped = readdirSync(join(root, 'strategies'));
  return templateNames(root)
    .filter((name) => shipped.includes(name))
    .map((name) => {
      const comment = /^\/\*\*(?<text>[\s\S]*?)\*\//u.exec(codeOf(root, name))?.groups?.['text'];
      const text = (comment ?? '').replaceAll(/\s*\n \*\s*|^ | $/gu, ' ').trim();
      return { name, about: /^.*?\.(?= |$)/u.exec(text)?.[0] ?? text };
    });
}

/** The package has the code of shipped strategies in the template, because it compiles them. */
function codeOf(root: string, template: string): string {
  const own = join(root, 'templates', 'strategies', template, 'strategy.ts');
  const shipped = join(root, 'strategies', template, 'strategy.ts');
  return readFileSync(existsSync(own) ? own : shipped, 'utf8');
}

/** Returns the files of a strategy `name` made from `template`. Throws ConfigError. */
export function strategyFrom(
  root: string,
  { template, name }: { readonly template: string; readonly name: string },
): StrategyFiles {
  const known = templateNames(root);
  if (!known.includes(template))
    throw new ConfigError(
      `no template ${template}; allowed: ${known.join(', ')}${meantText(template, known)}`,
    );
  if (!isPluginName(name))
    throw new ConfigError(
      `the name of a strategy was "${name}"; allowed: lower-case letters, digits and dashes, at most 32 characters, such as my-quoter`,
    );
  const folder = join(root, 'templates', 'strategies', template);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const code = codeOf(root, template);
  const file = `strategies/${name}.ts`;
  const settings = read('settings.yaml').replace(/^plugin: .*$/mu, `plugin: ./${file}`);
  return {
    files: {
      [file]: code.replace(`name: '${template}'`, `name: '${name}'`),
      [`strategies/${name}.test.ts`]: read('strategy.test.ts').replace(
        /'[^']*\/strategy\.ts'/u,
        `'./${name}.ts'`,
      ),
    },
    settings: [
      `  ${name}:`,
      ...settings
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`),
    ],
  };
}
