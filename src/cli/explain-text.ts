import { errorCatalogue } from '../model/error.js';
import type { AnswerReport, LargeReport, PlanReport, Report, RunReport, SourceReport } from './explain-report.js';
import { WIDTH, columnOf, folded, printable } from './text.js';

/** A plan, and what came of it, for people: a table of each. */
export function explainText(report: Report): string {
  const { target, resource, query, sources, answer } = report;
  const about = resource === 'news-item' ? `the news item ${query}` : query;
  const ran = answer === undefined ? '' : `\n${runTable(sources)}\n${answerLine(answer)}\n`;
  return `${printable(target)}\n${printable(about)}\n\n${planTable(sources, resource)}${ran}`;
}

const INDENT = '  ';

/** Columns between two cells. */
const GAP = 2;

const HEADS = ['source', 'held', 'if it has', 'way', 'pushed down', 'done here'];

const WAYS: Readonly<Record<PlanReport['way'], string>> = {
  held: 'held',
  drain: 'drain',
  'push-down': 'push down',
  'drain-large': 'drain all',
  'too-large': 'too large',
  item: 'one item',
  excluded: 'not asked',
};

const HELD: Readonly<Record<SourceReport['held'], string>> = { none: 'nothing', fresh: 'all', stale: 'all, stale' };

const REASONS: ReadonlyMap<string, string> = new Map([
  ['resource', 'it does not have what is asked for'],
  ['source-name', 'the query names other sources'],
  ['coverage', 'the query asks for countries that it is declared not to have'],
]);

/** Cells of a row; of a row that has fewer than the others, the last one takes the rest of the line. */
type Row = readonly string[];

function planTable(sources: readonly SourceReport[], resource: Report['resource']): string {
  const rows = [HEADS, ...sources.flatMap((one) => planRows(one, resource))];
  const fixed = HEADS.slice(0, -2).map((_, at) => columnOf(rows.map((row) => row[at] ?? '')));
  const room = WIDTH - INDENT.length - fixed.reduce((sum, width) => sum + width + GAP, 0) - GAP;
  const pushed = columnOf(rows.flatMap((row) => (row.length === HEADS.length ? (row.at(-2) ?? '') : [])));
  const last = Math.min(pushed, Math.floor(room * PUSHED_SHARE));
  const widths = [...fixed, last, room - last];
  return rows.map((row) => lines(row, widths)).join('');
}

/** Of the columns that are left for both, those of what is pushed down at most. */
const PUSHED_SHARE = 0.6;

function planRows(one: SourceReport, resource: Report['resource']): readonly Row[] {
  const { source, held, plan, drainThreshold } = one;
  const translated = one.interface === undefined || faceOf(resource) === one.interface ? [] : [one.interface];
  if (plan.way === 'excluded')
    return [[source, '', '', WAYS.excluded, `${REASONS.get(plan.reason) ?? ''} (${plan.reason})`]];
  if (plan.way === 'item') return [[source, HELD[held], '', WAYS.item, `by its id there, ${plan.id}`]];
  if (plan.way !== 'drain')
    return [[source, HELD[held], '', WAYS[plan.way], ...shares(plan, drainThreshold, translated)]];
  return [
    [source, HELD[held], `up to ${drainThreshold}`, WAYS.drain, ...shares(plan, drainThreshold, translated)],
    ['', '', 'more', WAYS[plan.ifLarge.way], ...shares(plan.ifLarge, drainThreshold, translated)],
  ];
}

function faceOf(resource: Report['resource']): NonNullable<SourceReport['interface']> {
  return resource === 'directory-teams' ? 'directory' : 'data';
}

type Shared = Exclude<PlanReport, { readonly way: 'excluded' | 'item' }> | LargeReport;

/** What is pushed down, and what is done here; or why neither is. */
function shares(plan: Shared, drainThreshold: number, translated: readonly string[]): Row {
  if (plan.way === 'too-large') {
    return [`left out, the answer partial: it is more than may be held, and ${causeOf(plan.lacks)}`];
  }
  const sent = Object.entries(plan.sent).map(([name, value]) => `${name}=${shortened(value)}`);
  const here = [...plan.here, ...translated.map((face) => `translation from ${face}`)];
  const pushed = plan.way === 'push-down' ? [...sent, bound(plan, drainThreshold)] : sent;
  return [listed(pushed), listed(here)];
}

function causeOf(lacks: readonly string[]): string {
  return lacks.includes('scope') ? 'scope takes all that it has' : `it is not known to do ${lacks.join(', ')}`;
}

/** A filter alone may let more through than is drained. */
function bound({ stream }: Extract<LargeReport, { readonly way: 'push-down' }>, drainThreshold: number): string {
  return stream ? 'limit' : `up to ${drainThreshold} matches`;
}

/** Characters of a value that are shown. */
const LONGEST_VALUE = 60;

function shortened(value: string): string {
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

/** The lines of a row, each cell folded to its column. */
function lines(row: Row, widths: readonly number[]): string {
  const cells = row.map((text, at) => {
    const rest = widths.slice(at);
    const width = at === row.length - 1 ? rest.reduce((sum, one) => sum + one + GAP, -GAP) : (rest[0] ?? 0);
    return { width, parts: folded(text, width) };
  });
  const height = Math.max(...cells.map(({ parts }) => parts.length));
  const line = (at: number): string =>
    cells.map(({ width, parts }) => (parts[at] ?? '').padEnd(width)).join(' '.repeat(GAP));
  return Array.from({ length: height }, (_, at) => `${INDENT}${line(at)}`.trimEnd() + '\n').join('');
}

const RUN_HEADS = ['source', 'state', 'way taken', 'requests', 'records', 'bytes', 'ms'];

/** Columns from which on there are numbers, which stand at the right. */
const NUMBERS = 3;

function runTable(sources: readonly SourceReport[]): string {
  const rows = [RUN_HEADS, ...sources.flatMap(({ source, run }) => (run ? [runRow(source, run)] : []))];
  const widths = RUN_HEADS.map((_, at) => columnOf(rows.map((row) => row[at] ?? '')));
  const shown = rows.map((row) =>
    row.map((cell, at) => (at < NUMBERS ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
  const below = ['', ...sources.flatMap(({ run }) => (run ? [beneath(run)] : []))];
  return shown.map((cells, at) => `${INDENT}${cells.join(' '.repeat(GAP))}\n${below[at] ?? ''}`).join('');
}

function runRow(source: string, { state, reason, way, ...counts }: RunReport): Row {
  const { requests, records, bytes, milliseconds } = counts;
  const numbers = [requests, records, bytes, milliseconds].map(String);
  return [source, reason === undefined ? state : `${state} (${reason})`, WAYS[way], ...numbers];
}

/** Requests that are shown of one source. */
const MOST_REQUESTS = 4;

/** What it was asked, and what was said of it. */
function beneath({ asked, notes }: RunReport): string {
  const shown = asked.slice(0, MOST_REQUESTS).map(readable);
  const more = asked.length - shown.length;
  const texts = [...shown, ...(more > 0 ? [`and ${more} more`] : []), ...notes];
  const indent = INDENT.repeat(3);
  return texts
    .flatMap((text) => folded(text, WIDTH - indent.length))
    .map((line) => `${indent}${line}\n`)
    .join('');
}

/** A request as a person reads it: the resource and what is asked of it, without what is asked of every one. */
function readable(asked: string): string {
  const [path = '', query = ''] = asked.split('?');
  const resource = /(?:teams|news|channels)(?:\/\d+)?$/.exec(path)?.[0] ?? path;
  const pairs = query.split('&').filter((pair) => !/^(?:envelope=true|pretty=false)?$/.test(pair));
  return [resource, ...(pairs.length === 0 ? [] : [pairs.map(decoded).join('&')])].join('?');
}

function decoded(pair: string): string {
  try {
    return decodeURIComponent(pair);
  } catch {
    return pair;
  }
}

function answerLine({ status, message, completeness, total, records }: AnswerReport): string {
  if (message !== undefined) {
    const phrase = Object.values(errorCatalogue).find((one) => one.status === status)?.phrase ?? '';
    return `answer: ${status} ${phrase}: ${message}`;
  }
  return `answer: ${completeness ?? ''}; ${total ?? 0} match, ${records ?? 0} of them on the page`;
}
