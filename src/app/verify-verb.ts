/** `millrace verify`: whether captures and recordings are whole. */
import { type Verified, verifyFile } from '../recording/verify.ts';
import { exitCodes } from './exit-code.ts';
import type { Output } from './output.ts';

/** Checks the files; returns the exit code, 1 if one of them is bad. */
export function runVerifyVerb(paths: readonly string[], output: Output): number {
  const files = paths.map(verifyFile);
  output.result({ files, good: files.every(({ isGood }) => isGood) }, files.flatMap(linesOf));
  return files.every(({ isGood }) => isGood) ? exitCodes.ok : exitCodes.error;
}

function linesOf(file: Verified): readonly string[] {
  const { path, kind, isGood, problems, gaps, warnings, figures } = file;
  const told = Object.entries(figures).map(([name, value]) => `${name} ${value ?? 'none'}`);
  return [
    `${isGood ? 'good' : 'BAD '} ${kind} ${path}`,
    `     ${told.join(', ')}`,
    ...problems.map((text) => `   ! ${text}`),
    ...warnings.map((text) => `   ? ${text}`),
    ...gaps.map((text) => `   - gap: ${text}`),
  ];
}
