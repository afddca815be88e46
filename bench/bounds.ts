/** The limit of a figure: at most `most`, or at least `least`. */
interface Bound {
  readonly unit: '×' | 'ms' | '';
  readonly most?: number;
  readonly least?: number;
}

/** All bounds. README.md describes how each figure is measured. */
const bounds = {
  command: { unit: '×', most: 2 },
  check: { unit: '×', most: 5 },
  serve: { unit: '×', most: 8 },
  'serve demo': { unit: '×', most: 12 },
  drain: { unit: '×', most: 5 },
  'cold start': { unit: '×', most: 5 },
  document: { unit: '×', most: 10 },
  filter: { unit: '×', most: 3 },
  memory: { unit: '×', most: 3.5 },
  block: { unit: 'ms', most: 50 },
  page: { unit: 'ms', most: 100 },
  'page CPU': { unit: 'ms', most: 50 },
  usable: { unit: 'ms', most: 1_000 },
  restart: { unit: 'ms', most: 3_000 },
  csv: { unit: '×', most: 4 },
  yaml: { unit: '×', most: 20 },
  xml: { unit: '×', most: 30 },
  xlsx: { unit: '×', most: 20 },
  ndjson: { unit: '×', most: 4 },
  vcf: { unit: '×', most: 40 },
  atom: { unit: '×', most: 150 },
  rss: { unit: '×', most: 150 },
  requests: { unit: '', most: 50 },
  failing: { unit: '×', most: 1.05 },
  'cached response': { unit: '×', least: 0.8 },
  'equal queries': { unit: '×', least: 0.4 },
  'new page': { unit: '×', least: 0.5 },
  'more drains': { unit: '', most: 1 },
  'per instance': { unit: '×', least: 0.85 },
  'first hit': { unit: '', least: 0.95 },
  'first hits': { unit: '', least: 0.99 },
  'searches in time': { unit: '', least: 0.95 },
  search: { unit: 'ms', most: 150 },
  index: { unit: '×', most: 6 },
  others: { unit: '×', most: 10 },
  peak: { unit: '×', most: 5 },
  fresh: { unit: '', least: 1 },
} satisfies Readonly<Record<string, Bound>>;

/** One result of a benchmark. */
export interface Figure {
  /** What is measured, and its baseline. */
  readonly name: string;
  /** In the unit of its bound. */
  readonly value: number;
  readonly bound: keyof typeof bounds;
}

/** Whether a figure is within its bound. */
export function isWithinBound({ value, bound }: Figure): boolean {
  const { most = Infinity, least = -Infinity }: Bound = bounds[bound];
  return least <= value && value <= most;
}

/** Formats a figure and its bound as one line. */
export function formatFigure(figure: Figure): string {
  const { unit, most, least }: Bound = bounds[figure.bound];
  const limit = least === undefined ? `at most ${most ?? ''}` : `at least ${least}`;
  const verdict = isWithinBound(figure) ? 'ok  ' : 'MISS';
  return `  ${verdict} ${figure.name.padEnd(84)} ${figure.value.toFixed(2).padStart(6)} ${unit.padEnd(2)}   ${limit}`;
}
