/** Runs executors in a thread of its own, with a bug if one is planted. */
import { parentPort, workerData } from 'node:worker_threads';
import { installExecutorPlant } from './executor-plants.ts';
import { type ExecutorRun, runExecutor } from './executor-worlds.ts';

export type ExecutorTask = { readonly name: string; readonly seed: number };
export type ExecutorAnswer = ExecutorTask & { readonly run: ExecutorRun };

const { plant } = workerData as { readonly plant: string | undefined };
if (plant !== undefined) installExecutorPlant(plant);

function run({ name, seed }: ExecutorTask): ExecutorRun {
  try {
    return runExecutor(name, seed);
  } catch (error) {
    const violations = [`the run ended: ${error instanceof Error ? error.stack : String(error)}`];
    return { crashes: 0, exceeded: undefined, isFinished: false, isWhole: false, violations };
  }
}

parentPort?.on('message', (task: ExecutorTask) =>
  parentPort?.postMessage({ ...task, run: run(task) } satisfies ExecutorAnswer),
);
