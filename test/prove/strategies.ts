/**
 * Proves what is shipped for strategies, list by list: each list is a file in `strategy-lists/`. To
 * add one, add a line.
 */
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { executorList } from './strategy-lists/executors.ts';
import { indicatorList } from './strategy-lists/indicators.ts';
import type { StrategyList } from './strategy-lists/list.ts';
import { shippedList } from './strategy-lists/shipped.ts';

const lists: readonly StrategyList[] = [executorList, indicatorList, shippedList];
const notesMax = 20;

async function run({ seeds, plant, isSmall = false }: ProverOptions): Promise<ProverResult> {
  const figures: Record<string, unknown> = {};
  const notes: string[] = [];
  let violations = 0;
  for (const list of lists) {
    if (plant !== undefined && !Object.hasOwn(list.plants, plant)) continue;
    const result = await list.run({ seeds, plant, isSmall });
    figures[list.name] = result.entries;
    violations += result.violations;
    notes.push(...result.notes);
  }
  return { figures, violations, notes: notes.slice(0, notesMax) };
}

export const strategiesProver: Prover = {
  name: 'strategies',
  title: 'executors keep totals, indicators equal references, strategies keep their rules',
  compared: lists.map(({ name }) => name),
  plants: Object.assign({}, ...lists.map(({ plants }) => plants)),
  run,
};
