/**
 * The long run as a process of its own, whose heap is nothing but the run's. Its argument is the
 * options as JSON; it prints its result as one line of JSON.
 */
import { SoakWorld } from '../support/soak-world.ts';

let unhandled = 0;
process.on('unhandledRejection', (error) => {
  unhandled++;
  console.error(error);
});

const world = new SoakWorld({
  ...JSON.parse(process.argv[2] ?? '{}'),
  onProgress: (text) => console.error(text),
});
const figures = await world.run();
console.log(JSON.stringify({ figures: { ...figures, unhandled }, violations: world.violations }));
