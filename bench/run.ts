import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { blocks } from './event-loop-blocks.js';
import { isWithinBound, formatFigure } from './bounds.js';
import type { Figure } from './bounds.js';
import { documentBench } from './document.js';
import { drain } from './drain.js';
import { failing } from './failing-sources.js';
import { feedsBench } from './feeds.js';
import { formatsBench } from './formats.js';
import { hostile } from './hostile/hostile.js';
import { instances } from './instances/instances.js';
import { memory } from './memory.js';
import { news } from './news.js';
import { pages } from './pages.js';
import { query } from './query.js';
import { restart } from './restart.js';
import { latency } from './search/latency.js';
import { relevance } from './search/relevance.js';
import { serving } from './serving/serving.js';
import { start } from './start.js';

/** All benchmarks by their names on the command line. */
const benchmarks: ReadonlyMap<string, () => Promise<Figure[]>> = new Map([
  ['start', start],
  ['drain', drain],
  ['document', documentBench],
  ['query', query],
  ['memory', memory],
  ['blocks', blocks],
  ['pages', pages],
  ['search', async () => [...(await relevance()), ...(await latency())]],
  ['restart', restart],
  ['formats', formatsBench],
  ['news', news],
  ['feeds', feedsBench],
  ['failing', failing],
  ['hostile', hostile],
  ['serving', serving],
  ['instances', instances],
]);

/** Runs one benchmark and prints its figures. Returns false if one misses its bound. */
async function run(name: string): Promise<boolean> {
  const benchmark = benchmarks.get(name);
  if (benchmark === undefined)
    throw new Error(`unknown benchmark ${name}; known: ${[...benchmarks.keys()].join(', ')}`);
  console.log(`\n${name}`);
  const figures = await benchmark();
  for (const figure of figures) console.log(formatFigure(figure));
  return figures.every(isWithinBound);
}

/** Runs a benchmark in a separate process, so that garbage and compiled code of other benchmarks do not affect it. */
function runAlone(name: string): boolean {
  const command = [...process.execArgv, fileURLToPath(import.meta.url), name];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}

const requested = process.argv.slice(2);
const [first] = requested;
const names = requested.length === 0 ? [...benchmarks.keys()] : requested;
const results = first !== undefined && requested.length === 1 ? [await run(first)] : names.map(runAlone);
process.exitCode = results.every(Boolean) ? 0 : 1;
