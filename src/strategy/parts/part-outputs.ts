/** What a part gives out for people: its lines and series begin with its name. */
import type { StrategyOutputs } from '../outputs/strategy-outputs.ts';

export type PartOutputs = Pick<StrategyOutputs, 'log' | 'metric' | 'plot'>;

/** Returns the outputs of a part; those of the strategy for the empty name. */
export function outputsOfPart(outputs: PartOutputs, part: string): PartOutputs {
  if (part === '') return outputs;
  const named = (name: unknown): unknown => (typeof name === 'string' ? `${part}/${name}` : name);
  return {
    log: (text, fields) =>
      outputs.log(typeof text === 'string' && text !== '' ? `${part}: ${text}` : text, fields),
    metric: (name, value) => outputs.metric(named(name), value),
    plot: (pair, name, value, options) => outputs.plot(pair, named(name), value, options),
  };
}
