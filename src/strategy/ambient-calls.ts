/**
 * Finds calls in a plugin's source that a replay cannot repeat: clocks, random numbers, timers, the
 * process and the network. It reads the text and runs nothing, so it misses calls under another
 * name, which `check-strategy` finds.
 */
import type { PluginSource } from './plugin-code.ts';

export type AmbientCall = {
  readonly what: string;
  readonly file: string;
  readonly line: number;
  readonly advice: string;
};

const time = 'a replay cannot repeat it; use context.nowMs()';
const random = 'a replay cannot repeat it; use context.random()';
const timer = "it does not run on the engine's time; use context.every() or RxJS's timer";
const effect = 'a replay cannot repeat what it does';

const calls: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  { pattern: /\bDate\.now\b|\bnew Date(?:\(\)|(?!\w|\())|(?<!new )\bDate\(\)/gu, advice: time },
  { pattern: /\bperformance\.\w+/gu, advice: time },
  { pattern: /\bprocess\.(?:hrtime|uptime)\b/gu, advice: time },
  { pattern: /\bMath\.random\b/gu, advice: random },
  { pattern: /\bcrypto\.\w+/gu, advice: random },
  { pattern: /\b(?<!\.)(?:setTimeout|setInterval|setImmediate)\b/gu, advice: timer },
  { pattern: /\bprocess\.(?!hrtime|uptime)\w+/gu, advice: effect },
  { pattern: /\b(?<!\.)fetch(?=\()/gu, advice: effect },
];

/** Returns all such calls in a plugin's own files, by file and line. */
export function ambientCalls(
  sources: readonly Pick<PluginSource, 'file' | 'text'>[],
): readonly AmbientCall[] {
  return sources.flatMap(({ file, text }) =>
    calls
      .flatMap(({ pattern, advice }) =>
        [...text.matchAll(pattern)].map(({ 0: what, index }) => ({
          what,
          file,
          line: text.slice(0, index).split('\n').length,
          advice,
        })),
      )
      .sort((a, b) => a.line - b.line),
  );
}
