/** Threads that run seeds of the proof of orders, one for each core. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CrashRuns } from './crash-runs.ts';
import type { Story } from './orders-story.ts';
import type { SeedSummary } from './orders-summary.ts';
import type { WorkerAnswer, WorkerOrder, WorkerSetting } from './orders-worker.ts';

const seedsPerOrder = 20;

export class OrdersPool {
  readonly #workers: readonly Worker[];

  constructor(setting: WorkerSetting, size = availableParallelism()) {
    const url = new URL('./orders-worker.ts', import.meta.url);
    // A run leaves much that is soon garbage; with the usual room it would be collected too often.
    const options = { workerData: setting, resourceLimits: { maxYoungGenerationSizeMb: 96 } };
    this.#workers = Array.from({ length: size }, () => new Worker(url, options));
  }

  /**
   * Runs seeds 1 to `seeds`; `onRan` hears of them as they are done, in any order, and says whether
   * to go on.
   */
  async run(seeds: number, onRan: (seeds: readonly SeedSummary[]) => boolean): Promise<void> {
    let next = 1;
    let isWanted = true;
    const work = async (worker: Worker): Promise<void> => {
      while (isWanted && next <= seeds) {
        const from = next;
        next = Math.min(seeds + 1, from + seedsPerOrder);
        const answer = await ask(worker, { kind: 'run', from, to: next - 1 });
        if (answer.kind === 'ran' && !onRan(answer.seeds)) isWanted = false;
      }
    };
    await Promise.all(this.#workers.map(work));
  }

  /** Runs every crash scenario; `stride` 1 crashes at every commit. */
  async runCrashes(count: number, stride: number): Promise<readonly CrashRuns[]> {
    const all: CrashRuns[] = [];
    let next = 0;
    const work = async (worker: Worker): Promise<void> => {
      while (next < count) {
        const scenario = next++;
        const answer = await ask(worker, { kind: 'crashes', scenario, stride });
        if (answer.kind === 'crashed') all[scenario] = answer.runs;
      }
    };
    await Promise.all(this.#workers.map(work));
    return all;
  }

  /** Runs one seed. */
  async runOne(seed: number): Promise<SeedSummary> {
    const answer = await ask(this.#first, { kind: 'run', from: seed, to: seed });
    const ran = answer.kind === 'ran' ? answer.seeds[0] : undefined;
    if (ran === undefined) throw new Error(`seed ${seed} did not run`);
    return ran;
  }

  /** Returns a short story of a seed that fails. */
  async story(seed: number): Promise<Story | undefined> {
    const answer = await ask(this.#first, { kind: 'story', seed });
    return answer.kind === 'story' ? answer.story : undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  get #first(): Worker {
    const [worker] = this.#workers;
    if (worker === undefined) throw new RangeError('the pool has a worker');
    return worker;
  }
}

function ask(worker: Worker, order: WorkerOrder): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const onError = (error: unknown): void => reject(error);
    worker.once('error', onError);
    worker.once('message', (answer: WorkerAnswer) => {
      worker.off('error', onError);
      resolve(answer);
    });
    worker.postMessage(order);
  });
}
