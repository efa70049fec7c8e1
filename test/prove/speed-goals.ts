/** The goals of the speed proof: for each figure the bound that it has to keep. */

export type Goal = {
  readonly goal: number;
  readonly value: number | null;
  /** Null where there was nothing to compare with: no C++ compiler. */
  readonly met: boolean | null;
};

const floors = { ratioCore: 0.36, rxjsRatio: 0.15, ratioToNaive: 100 } as const;
const ceilings = {
  bytesPerLiveOrder: 48,
  bytesPerMessage: 8,
  firstMillionSeconds: 0.5,
  messagesPerOrder: 300,
  replyStepMicros: 2,
  timerStepMicros: 2,
  idleDayMillis: 5,
  decisionMicros: 1,
  makerResidentMb: 300,
} as const;

type Goals = Readonly<Record<keyof typeof floors | keyof typeof ceilings, Goal>>;

/** Returns each goal with its value; a figure that is missing misses its goal. */
export function goalsOf(figures: Readonly<Record<string, unknown>>): Goals {
  const goals: Record<string, Goal> = {};
  const compare = (name: string, goal: number, isMet: (value: number) => boolean): void => {
    const value = figures[name] ?? null;
    if (value === null && name in floors) goals[name] = { goal, value: null, met: null };
    else goals[name] = { goal, value: Number(value), met: isMet(Number(value ?? Number.NaN)) };
  };
  for (const [name, goal] of Object.entries(floors)) compare(name, goal, (value) => value >= goal);
  for (const [name, goal] of Object.entries(ceilings))
    compare(name, goal, (value) => value <= goal);
  return goals as Goals;
}

/** Returns the goals that are missed, in words. */
export function missedGoals(goals: Goals): readonly string[] {
  return Object.entries(goals)
    .filter(([, { met }]) => met === false)
    .map(([name, { goal, value }]) => {
      const bound = name in floors ? 'at least' : 'at most';
      return `${name} must be ${bound} ${goal}, was ${value}`;
    });
}
