/** The runs whose figures the documents state: each a command line of `npm run prove`. */

/** Their words after `prove --`, in the order of {@link runWords}; short ones first. */
export const proofRuns: readonly string[] = [
  'structure',
  'interface',
  'ports',
  'profiles',
  'book',
  'fidelity',
  'recording',
  'inputs',
  'kill',
  'disk',
  'gate',
  'exchange-speed',
  'simulator',
  'package',
  'latencies',
  'contract',
  'replay',
  'orders --seeds 600 --break ttl',
  'orders --seeds 600 --break uniqueness',
  'orders --seeds 400 --break ttl,uniqueness',
  'orders --seeds 10000',
  'crash',
  'silence',
  'silence --plant all',
  'page',
  'page --plant all',
  'terminal',
  'terminal --plant all',
  'recovery',
  'recovery --plant all',
  'network',
  'network --plant all',
  'latency',
  'speed',
  'peers',
  'memory',
  'soak',
];

/** Runs that show what the promises rest on: they must find something. */
const mustFind: ReadonlySet<string> = new Set(['orders --seeds 400 --break ttl,uniqueness']);

/** Which of the options, in the order that a run's name has. */
const namedOptions = ['seeds', 'days', 'messages', 'rounds', 'break', 'plant'] as const;

type Words = {
  readonly name: string | undefined;
  readonly values: { readonly [option in (typeof namedOptions)[number]]?: string | undefined } & {
    readonly small: boolean;
  };
};

/** Returns the words of a run, the same for every order in which they can be given. */
export function runWords({ name, values }: Words): string {
  const words = namedOptions.flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [`--${option}`, value];
  });
  return [name ?? '', ...words, ...(values.small ? ['--small'] : [])].join(' ');
}

export type ProofState = 'ok' | 'failed' | 'incomplete';

/** `violations` is null if the run ended without a result. */
export function stateOf(
  words: string,
  { violations, missing }: { violations: number | null; missing: readonly string[] },
): ProofState {
  if (violations === null || violations > 0 !== mustFind.has(words)) return 'failed';
  return missing.length > 0 ? 'incomplete' : 'ok';
}
