/** Numbers and names of a shipped exchange that stand outside of its profile and its venue. */
import { lunoProfile } from '../../src/venues/profiles.ts';
import { codeOf, type SourceFile } from '../support/source-files.ts';

const { calls, placing, checks } = lunoProfile;
const { perMinute } = calls;
/** What the margins of the call budget leave of the limit, with and without a report of it. */
const leftOfCalls = [
  1,
  29 / 30,
  139 / 150,
  67 / 75,
  43 / 50,
  17 / 20,
  4 / 5,
  7 / 10,
  19 / 30,
  17 / 30,
];

type Constant = { readonly near: RegExp; readonly values: readonly number[] };

const constants: readonly Constant[] = [
  {
    near: /calls?|(?<!orders)perMinute/iu,
    values: leftOfCalls.map((share) => Math.round(perMinute * share)),
  },
  { near: /ttl|timeToLive/iu, values: [placing.ttlMs.max] },
  { near: /idLength|clientOrderIdLength/iu, values: [placing.idLengthMax] },
  { near: /tradeAge/iu, values: [checks.tradeAgeMsMax] },
];

/** Returns each line of code outside of profile and venues that has one, with its place. */
export function constantsOutside(sources: readonly SourceFile[]): readonly string[] {
  return sources.filter(({ file }) => isOutside(file)).flatMap(constantsIn);
}

function isOutside(file: string): boolean {
  return file.startsWith('src/') && !file.startsWith('src/venues/') && file !== 'src/venues.ts';
}

function constantsIn(source: SourceFile): readonly string[] {
  const lines = codeOf(source).withStrings.split('\n');
  return lines.flatMap((line, index) => {
    const numbers = [...line.matchAll(/(?<![\w.])\d[\d_]*(?![\w.])/gu)].map(([text]) =>
      Number(text.replaceAll('_', '')),
    );
    const isConstant = constants.some(
      ({ near, values }) => near.test(line) && numbers.some((one) => values.includes(one)),
    );
    const isName = /(['"`])luno\1/u.test(line);
    return isConstant || isName ? [`${source.file}:${index + 1}: ${line.trim()}`] : [];
  });
}
