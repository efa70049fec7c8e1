/** `millrace verify`: checks that captures and recordings are intact. */
import { NotFoundError } from '../../domain/errors.ts';
import { type Verified, verifyFile } from '../../recording/verify-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { marketFramesOf } from '../../venues.ts';

/** Prints a report for each file; returns exit code 4 if one is missing, else 1 if one is bad. */
export function runVerifyCommand(paths: readonly string[], output: Output): number {
  const files: Verified[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    try {
      files.push(verifyFile(path, marketFramesOf));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      output.problem(error);
      missing.push(path);
    }
  }
  const good = missing.length === 0 && files.every(({ isGood }) => isGood);
  output.result({ files, missing, good }, files.flatMap(linesOf));
  if (missing.length > 0) return exitCodes.notFound;
  return good ? exitCodes.ok : exitCodes.error;
}

function linesOf(file: Verified): readonly string[] {
  const { path, kind, isGood, problems, gaps, warnings, figures } = file;
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${value ?? 'none'}`);
  return [
    `${isGood ? 'good' : 'BAD '} ${kind} ${path}`,
    `     ${texts.join(', ')}`,
    ...problems.map((text) => `   ! ${text}`),
    ...warnings.map((text) => `   ? ${text}`),
    ...gaps.map((text) => `   - gap: ${text}`),
  ];
}
