/** Finds the type errors of a project, if TypeScript is installed in it. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ChildRun, runNode } from './child-run.ts';

/** Starts the compiler; undefined if the project has no TypeScript or no `tsconfig.json`. */
export function startTypeCheck(project: string): ChildRun | undefined {
  if (!existsSync(join(project, 'tsconfig.json'))) return undefined;
  const compiler = compilerOf(project);
  if (compiler === undefined) return undefined;
  return runNode([compiler, '--noEmit', '--pretty', 'false', '--project', project]);
}

/** Returns the lines of the compiler that name an error. */
export function typeErrorsIn(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => /: error TS\d+: |^error TS\d+: /u.test(line));
}

function compilerOf(project: string): string | undefined {
  try {
    const manifest = createRequire(join(project, 'package.json')).resolve(
      'typescript/package.json',
    );
    return join(dirname(manifest), 'bin', 'tsc');
  } catch {
    return undefined;
  }
}
