/** The meaning of each key of a bot's limits. The other keys are in `key-descriptions.ts`. */
import { type DeclaredLimit, declaredLimits } from '../domain/declared-limits.ts';
import { parseSpanMs } from '../domain/unit-text.ts';
import type { Descriptions, KeyDescription } from './key-description.ts';

const sections: Descriptions = {
  limits: {
    meaning:
      'The limits that the gate checks. An order that no limit covers is refused. ' +
      '`learner` makes them from the budgets of the strategies, for demo, paper and backtests.',
    example: 'learner',
    absent: 'a bot that only watches places no orders (refused if a strategy has pairs)',
  },
  'limits.account': {
    meaning: 'Limits over all strategies and pairs.',
    example: '{ ordersOpenMax: 10, … }',
  },
  'limits.eachStrategy': {
    meaning: 'Limits of each strategy alone.',
    example: '{ ordersPerSecondMax: 6, … }',
    absent: 'the values of its keys below (required in live)',
  },
  'limits.pairs': {
    meaning: 'Limits of each pair. Orders of any other pair are refused.',
    example: '{ XBTZAR: { … } }',
  },
  'limits.pairs.<pair>': {
    meaning: 'Limits of this pair.',
    example: '{ orderBaseMax: "0.02", … }',
  },
};

export const limitDescriptions: Descriptions = {
  ...sections,
  ...Object.fromEntries(Object.values(declaredLimits).flat().flatMap(descriptionsOf)),
};

function descriptionsOf(limit: DeclaredLimit): readonly (readonly [string, KeyDescription])[] {
  const { path, kind, meaning } = limit;
  const below = Object.entries(membersOf(limit));
  const example = kind === 'amounts' ? `{ ZAR: "${limit.example}" }` : limit.example;
  const absent = absentOf(limit);
  return [
    [path, { meaning, example, ...(absent && { absent: `${absent} (required in live)` }) }],
    ...below.map(
      ([key, [of, sample]]) => [`${path}.${key}`, { meaning: of, example: sample }] as const,
    ),
  ];
}

type Members = Readonly<Record<string, readonly [meaning: string, example: string]>>;

function membersOf({ kind, example }: DeclaredLimit): Members {
  switch (kind) {
    case 'amounts':
      return { '<currency>': ['The limit in this currency.', `"${example}"`] };
    case 'breaker':
      return {
        max: ['The breaker trips above this count.', '5'],
        within: ['The time in which they are counted.', '"60s"'],
        action: [
          'refuse and cancel end when the count falls again; reduce and halt last until a person resumes.',
          'halt',
        ],
      };
    case 'identical':
      return {
        max: ['The number of identical orders.', '1'],
        within: ['The time in which they were placed.', '"2s"'],
      };
    case 'losses':
      return {
        max: ['The number of losing trades in a row.', '20'],
        coolDown: ['How long it opens no position on the pair.', '"60s"'],
      };
    default:
      return {};
  }
}

/** Returns what applies if a file leaves the limit out; undefined if it is required. */
function absentOf({ path, like, default: value }: DeclaredLimit): string | undefined {
  if (like !== undefined)
    return path.startsWith('limits.eachStrategy') ? 'the limit of the account' : like;
  if (typeof value !== 'object') return value === undefined ? undefined : inWords(value);
  const { max = 0, within, coolDown = 0, action } = value;
  if (within === undefined) return `${max}, then ${inWords(coolDown)}`;
  const count = `${max} within ${inWords(within)}`;
  return action === undefined ? count : `more than ${count} ${action}`;
}

/** Returns a value with a space before its unit; minutes in words, because m is a metre. */
function inWords(value: string | number): string {
  const text = String(value);
  const minutes = (parseSpanMs(text) ?? 0) / 60_000;
  if (minutes >= 1 && minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return text.replace(/(?<=\d)(?=\D)/u, ' ');
}
