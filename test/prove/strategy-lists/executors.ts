/** The executors: their totals are never exceeded, and each ends, through faults and crashes. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { executorOfPlant, executorPlants } from './executor-plants.ts';
import type { ExecutorAnswer, ExecutorTask } from './executor-worker.ts';
import { executorWorlds } from './executor-worlds.ts';
import type { StrategyList, StrategyListOptions, StrategyListResult } from './list.ts';

/** Of all executors together. */
const runsUsual = 800;
const runsSmall = 16;
/** Enough to find a plant. */
const runsPerPlant = 200;
const progressRuns = 500;

async function run(options: StrategyListOptions): Promise<StrategyListResult> {
  const { plant, seeds, isSmall } = options;
  const names = plant === undefined ? Object.keys(executorWorlds) : [executorOfPlant(plant)];
  const usual = plant === undefined ? (isSmall ? runsSmall : runsUsual) : runsPerPlant;
  const each = Math.ceil((seeds ?? usual) / names.length);
  const tasks = Array.from({ length: each }, (_, index) => index + 1).flatMap((seed) =>
    names.map((name): ExecutorTask => ({ name, seed })),
  );
  const answers = await runTasks(tasks, plant);
  const notes = answers
    .sort((a, b) => a.seed - b.seed || a.name.localeCompare(b.name))
    .flatMap(({ name, seed, run: one }) =>
      [
        ...(one.exceeded === undefined ? [] : [`exceeded: ${one.exceeded}`]),
        ...(one.isFinished ? [] : ['did not end']),
        ...one.violations,
      ].map((said) => `${name}, seed ${seed}: ${said}`),
    );
  const entries = names.map((name) => {
    const own = answers.filter((one) => one.name === name).map((one) => one.run);
    return {
      name,
      runs: own.length,
      crashes: own.reduce((sum, { crashes }) => sum + crashes, 0),
      exceeded: own.filter(({ exceeded }) => exceeded !== undefined).length,
      notFinished: own.filter(({ isFinished }) => !isFinished).length,
      whole: own.filter(({ isWhole }) => isWhole).length,
    };
  });
  return { entries, violations: notes.length, notes };
}

/** Runs the tasks in threads, one for each core; with a plant until it is found. */
async function runTasks(
  tasks: readonly ExecutorTask[],
  plant: string | undefined,
): Promise<ExecutorAnswer[]> {
  const answers: ExecutorAnswer[] = [];
  const left = tasks.values();
  const isFound = (): boolean =>
    plant !== undefined &&
    answers.some(({ run: { exceeded, isFinished } }) => exceeded !== undefined || !isFinished);
  const work = async (): Promise<void> => {
    const url = new URL('./executor-worker.ts', import.meta.url);
    const worker = new Worker(url, { workerData: { plant } });
    try {
      for (const task of left) {
        answers.push(await answerOf(worker, task));
        if (isFound()) return;
        if (answers.length % progressRuns === 0)
          console.error(`executors: ${answers.length} of ${tasks.length} runs`);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return answers;
}

function answerOf(worker: Worker, task: ExecutorTask): Promise<ExecutorAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (answer: ExecutorAnswer) => {
      worker.off('error', reject);
      resolve(answer);
    });
    worker.postMessage(task);
  });
}

export const executorList: StrategyList = { name: 'executors', plants: executorPlants, run };
