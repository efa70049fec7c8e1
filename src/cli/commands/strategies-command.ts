/** `millrace strategies`: the shipped strategies, each with what it does in a line. */
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { shippedStrategies } from '../projects/strategy-template.ts';

/** Prints the strategies of the installation in the folder `root`; returns the exit code. */
export function runStrategies({
  root,
  output,
}: {
  readonly root: string;
  readonly output: Output;
}): number {
  const strategies = shippedStrategies(root);
  const width = Math.max(...strategies.map(({ name }) => name.length));
  output.result({ strategies }, [
    ...strategies.map(({ name, about }) => `${name.padEnd(width)}  ${about}`),
    'in a project of your own, "npx millrace new NAME --from STRATEGY" copies one with its test',
  ]);
  return exitCodes.ok;
}
