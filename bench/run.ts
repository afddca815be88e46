import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { limitHeapGrowth } from '../src/runtime/heap-growth-limit.js';
import { blocks } from './event-loop-blocks.js';
import { isWithinBound, formatFigure } from './bounds.js';
import type { Figure } from './bounds.js';
import { drain } from './drain.js';
import { failing } from './failing-sources.js';
import { formatsBench } from './formats.js';
import { memory } from './memory.js';
import { news } from './news.js';
import { query } from './query.js';
import { serving } from './serving/serving.js';

/** By the names that the command line takes. */
const benchmarks: ReadonlyMap<string, () => Promise<Figure[]>> = new Map([
  ['drain', drain],
  ['query', query],
  ['memory', memory],
  ['blocks', blocks],
  ['formats', formatsBench],
  ['news', news],
  ['failing', failing],
  ['serving', serving],
]);

/** Runs one benchmark and prints its figures. False where one misses its bound. */
async function run(name: string): Promise<boolean> {
  const benchmark = benchmarks.get(name);
  if (benchmark === undefined) throw new Error(`no benchmark ${name}; there are ${[...benchmarks.keys()].join(', ')}`);
  console.log(`\n${name}`);
  const figures = await benchmark();
  for (const figure of figures) console.log(formatFigure(figure));
  return figures.every(isWithinBound);
}

/** Runs a benchmark in a process of its own, so that it finds no garbage and no compiled code of another one. */
function runAlone(name: string): boolean {
  const command = [...process.execArgv, fileURLToPath(import.meta.url), name];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}

// As the program does.
limitHeapGrowth();
const named = process.argv.slice(2);
const [only] = named;
const all = named.length === 0 ? [...benchmarks.keys()] : named;
const held = only !== undefined && named.length === 1 ? [await run(only)] : all.map(runAlone);
process.exitCode = held.every(Boolean) ? 0 : 1;
