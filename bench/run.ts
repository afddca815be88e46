import { readFileSync, writeFileSync } from 'node:fs';
import { drain } from './drain.js';
import { failing } from './failing.js';
import { formatsBench } from './formats.js';
import { hostile } from './hostile.js';
import { memory } from './memory.js';
import type { Figure } from './measure.js';
import { news } from './news.js';
import { query } from './query.js';
import { scale } from './scale.js';
import { serving } from './serving.js';
import { wideRecords } from './wide.js';

/** By the names that the command line takes. Memory first, while nothing else has been held. */
const benchmarks: ReadonlyMap<string, () => Promise<Figure[]>> = new Map([
  ['memory', memory],
  ['drain', drain],
  ['query', query],
  ['news', news],
  ['failing', failing],
  ['scale', scale],
  ['hostile', hostile],
  ['wide', wideRecords],
  ['formats', formatsBench],
  ['serving', serving],
]);

/** The last kept result, figures by name: `npm run bench -- --keep` writes it. */
const KEPT = new URL('results/kept.json', import.meta.url);

type Kept = Readonly<Record<string, unknown>>;

/** Runs the benchmarks that are named, or all; prints each figure beside its bound and the kept one. False when a bound is missed. */
async function run(names: readonly string[], keep: boolean): Promise<boolean> {
  const unknown = names.find((name) => !benchmarks.has(name));
  if (unknown !== undefined) throw new Error(`no benchmark ${unknown}; there are ${[...benchmarks.keys()].join(', ')}`);
  const kept = readKept();
  const figures: Figure[] = [];
  for (const [name, benchmark] of benchmarks) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name}`);
    const found = await benchmark();
    for (const figure of found) console.log(line(figure, kept[figure.name]));
    figures.push(...found);
  }
  if (keep) writeKept({ ...kept, ...Object.fromEntries(figures.map(({ name, value }) => [name, rounded(value)])) });
  return figures.every(holds);
}

function holds({ value, bound = Infinity, least = -Infinity }: Figure): boolean {
  return least <= value && value <= bound;
}

function boundOf({ bound, least }: Figure): string {
  if (least !== undefined) return `at least ${least}`;
  return bound === undefined ? '' : `at most ${bound}`;
}

function line(figure: Figure, before: unknown): string {
  const { name, value, unit } = figure;
  const verdict = holds(figure) ? 'ok  ' : 'MISS';
  const change = typeof before === 'number' ? `   ${(value / before).toFixed(2)} of the kept ${before}` : '';
  return `  ${verdict} ${name.padEnd(88)} ${value.toFixed(2).padStart(6)} ${unit.padEnd(2)}   ${boundOf(figure)}${change}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function readKept(): Kept {
  try {
    const kept: unknown = JSON.parse(readFileSync(KEPT, 'utf8'));
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
}

function writeKept(kept: Kept): void {
  writeFileSync(KEPT, `${JSON.stringify(kept, undefined, 2)}\n`);
}

const words = process.argv.slice(2);
const names = words.filter((word) => word !== '--keep');
process.exitCode = (await run(names, words.includes('--keep'))) ? 0 : 1;
