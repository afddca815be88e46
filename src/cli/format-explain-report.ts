import { errorCatalogue } from '../model/error-catalogue.js';
import type {
  AnswerReport,
  LargeSourcePlanReport,
  PlanReport,
  ExplainReport,
  RunReport,
  ExplainSourceReport,
} from './explain-report.js';
import { TERMINAL_WIDTH, columnWidth, wrapText, replaceControlCharacters } from './terminal-text.js';

/** Formats a report as text: a table of the plan, and after a run a table of the results (operation 1.6). */
export function formatExplainReport(report: ExplainReport): string {
  const { target, resource, query, sources, answer } = report;
  const subject = resource === 'news-item' ? `news item ${query}` : query;
  const run = answer === undefined ? '' : `\n${runTable(sources)}\n${answerLine(answer)}\n`;
  return `${replaceControlCharacters(target)}\n${replaceControlCharacters(subject)}\n\n${planTable(sources, resource)}${run}`;
}

const INDENT = '  ';

/** Spaces between two cells. */
const GAP = 2;

const PLAN_HEADINGS = ['source', 'cached', 'if size', 'plan', 'pushed down', 'residual'];

const PLAN_LABELS: Readonly<Record<PlanReport['way'], string>> = {
  held: 'cached',
  drain: 'drain',
  'push-down': 'push down',
  'drain-large': 'drain all',
  'too-large': 'too large',
  item: 'one item',
  excluded: 'excluded',
};

const SNAPSHOT_LABELS: Readonly<Record<ExplainSourceReport['held'], string>> = {
  none: 'nothing',
  fresh: 'all',
  stale: 'all, stale',
};

const EXCLUSION_LABELS: ReadonlyMap<string, string> = new Map([
  ['resource', 'it does not have the requested resource'],
  ['source-name', 'the query names other sources'],
  ['coverage', 'its declared coverage has none of the requested countries'],
]);

/** Cells of a row. In a row with fewer cells than the others, the last one takes the rest of the line. */
type TableRow = readonly string[];

function planTable(sources: readonly ExplainSourceReport[], resource: ExplainReport['resource']): string {
  const rows = [PLAN_HEADINGS, ...sources.flatMap((source) => planRows(source, resource))];
  const fixedWidths = PLAN_HEADINGS.slice(0, -2).map((_, at) => columnWidth(rows.map((row) => row[at] ?? '')));
  const room = TERMINAL_WIDTH - INDENT.length - fixedWidths.reduce((sum, width) => sum + width + GAP, 0) - GAP;
  const widest = columnWidth(rows.flatMap((row) => (row.length === PLAN_HEADINGS.length ? (row.at(-2) ?? '') : [])));
  const pushedDownWidth = Math.min(widest, Math.floor(room * PUSHED_DOWN_COLUMN_SHARE));
  const widths = [...fixedWidths, pushedDownWidth, room - pushedDownWidth];
  return rows.map((row) => formatRow(row, widths)).join('');
}

/** Maximum share of the column `pushed down` in the width that is left for the last two columns. */
const PUSHED_DOWN_COLUMN_SHARE = 0.6;

function planRows(report: ExplainSourceReport, resource: ExplainReport['resource']): readonly TableRow[] {
  const { held, plan, drainThreshold } = report;
  const source = report.access === undefined ? report.source : `${report.source} (${report.access})`;
  const translated =
    report.interface === undefined || interfaceOf(resource) === report.interface ? [] : [report.interface];
  if (plan.way === 'excluded')
    return [[source, '', '', PLAN_LABELS.excluded, `${EXCLUSION_LABELS.get(plan.reason) ?? ''} (${plan.reason})`]];
  if (plan.way === 'item')
    return [[source, SNAPSHOT_LABELS[held], '', PLAN_LABELS.item, `id ${plan.id} at the source`]];
  if (plan.way !== 'drain')
    return [[source, SNAPSHOT_LABELS[held], '', PLAN_LABELS[plan.way], ...workCells(plan, drainThreshold, translated)]];
  return [
    [
      source,
      SNAPSHOT_LABELS[held],
      `up to ${drainThreshold}`,
      PLAN_LABELS.drain,
      ...workCells(plan, drainThreshold, translated),
    ],
    ['', '', 'more', PLAN_LABELS[plan.ifLarge.way], ...workCells(plan.ifLarge, drainThreshold, translated)],
  ];
}

function interfaceOf(resource: ExplainReport['resource']): NonNullable<ExplainSourceReport['interface']> {
  return resource === 'directory-teams' ? 'directory' : 'data';
}

type ExecutablePlan = Exclude<PlanReport, { readonly way: 'excluded' | 'item' }> | LargeSourcePlanReport;

/** What is pushed down and what Rollcall does itself, or why the source is left out. */
function workCells(plan: ExecutablePlan, drainThreshold: number, translated: readonly string[]): TableRow {
  if (plan.way === 'too-large') {
    return [
      `omitted, so that the response is partial: the complete list is too large, and ${tooLargeCause(plan.lacks)}`,
    ];
  }
  const sent = Object.entries(plan.sent).map(([name, value]) => `${name}=${truncateValue(value)}`);
  const residual = [...plan.here, ...translated.map((interfaceName) => `translation from ${interfaceName}`)];
  const pushedDown = plan.way === 'push-down' ? [...sent, recordLimitCell(plan, drainThreshold)] : sent;
  return [joinNames(pushedDown), joinNames(residual)];
}

function tooLargeCause(missing: readonly string[]): string {
  return missing.includes('scope')
    ? 'the scope requires all of its records'
    : `the source has no capability for ${missing.join(', ')}`;
}

/** Bound of the records that are fetched. With filters alone, that is the drain threshold. */
function recordLimitCell(
  { stream }: Extract<LargeSourcePlanReport, { readonly way: 'push-down' }>,
  drainThreshold: number,
): string {
  return stream ? 'limit' : `up to ${drainThreshold} matches`;
}

/** Maximum length of a value, in characters. */
const MAX_VALUE_LENGTH = 60;

function truncateValue(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

function joinNames(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

/** The lines of a row, with each cell wrapped to the width of its column. */
function formatRow(row: TableRow, widths: readonly number[]): string {
  const cells = row.map((text, at) => {
    const rest = widths.slice(at);
    const width = at === row.length - 1 ? rest.reduce((sum, cellWidth) => sum + cellWidth + GAP, -GAP) : (rest[0] ?? 0);
    return { width, parts: wrapText(text, width) };
  });
  const height = Math.max(...cells.map(({ parts }) => parts.length));
  const line = (at: number): string =>
    cells.map(({ width, parts }) => (parts[at] ?? '').padEnd(width)).join(' '.repeat(GAP));
  return Array.from({ length: height }, (_, at) => `${INDENT}${line(at)}`.trimEnd() + '\n').join('');
}

const RUN_HEADINGS = ['source', 'state', 'plan used', 'requests', 'records', 'bytes', 'ms'];

/** The columns from this one on are numbers, which are aligned to the right. */
const FIRST_NUMBER_COLUMN = 3;

function runTable(sources: readonly ExplainSourceReport[]): string {
  const rows = [RUN_HEADINGS, ...sources.flatMap(({ source, run }) => (run ? [runRow(source, run)] : []))];
  const widths = RUN_HEADINGS.map((_, at) => columnWidth(rows.map((row) => row[at] ?? '')));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at < FIRST_NUMBER_COLUMN ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
  const details = ['', ...sources.flatMap(({ run }) => (run ? [runDetails(run)] : []))];
  return lines.map((cells, at) => `${INDENT}${cells.join(' '.repeat(GAP))}\n${details[at] ?? ''}`).join('');
}

function runRow(source: string, { state, reason, way, ...counts }: RunReport): TableRow {
  const { requests, records, bytes, milliseconds } = counts;
  const numbers = [requests, records, bytes, milliseconds].map(String);
  return [source, reason === undefined ? state : `${state} (${reason})`, PLAN_LABELS[way], ...numbers];
}

/** Maximum number of requests that are listed for one source. */
const MAX_REQUESTS = 4;

/** The requests to a source, and its warnings. */
function runDetails({ asked: targets, notes }: RunReport): string {
  const listed = targets.slice(0, MAX_REQUESTS).map(shortenRequest);
  const omitted = targets.length - listed.length;
  const texts = [...listed, ...(omitted > 0 ? [`and ${omitted} more`] : []), ...notes];
  const indent = INDENT.repeat(3);
  return texts
    .flatMap((text) => wrapText(text, TERMINAL_WIDTH - indent.length))
    .map((line) => `${indent}${line}\n`)
    .join('');
}

/** Shortens a request to the resource and its parameters, without those that every request has. */
function shortenRequest(target: string): string {
  const [path = '', query = ''] = target.split('?');
  const resource = /(?:teams|news|channels)(?:\/\d+)?$/.exec(path)?.[0] ?? path;
  const pairs = query.split('&').filter((pair) => !/^(?:envelope=true|pretty=false)?$/.test(pair));
  return [resource, ...(pairs.length === 0 ? [] : [pairs.map(decodePair).join('&')])].join('?');
}

function decodePair(pair: string): string {
  try {
    return decodeURIComponent(pair);
  } catch {
    return pair;
  }
}

function answerLine({ status, message, completeness, total, records }: AnswerReport): string {
  if (message !== undefined) {
    const phrase = Object.values(errorCatalogue).find((error) => error.status === status)?.phrase ?? '';
    return `answer: ${status} ${phrase}: ${message}`;
  }
  return `answer: ${completeness ?? ''}; ${total ?? 0} match, ${records ?? 0} of them on the page`;
}
