import type { ExplainReport, ExplainSourceReport } from '../explanation/explain-report.js';
import { describeAnswer } from '../explanation/explain-target.js';
import { PLAN_HEADINGS, STRATEGY_LABELS, describeSubject, planRows } from '../explanation/plan-rows.js';
import type { TableRow } from '../explanation/plan-rows.js';
import type { MeasuredRunReport } from './measured-run.js';
import { TERMINAL_WIDTH, columnWidth, wrapText, replaceControlCharacters } from './terminal-text.js';

/** Formats a report as text: a table of the plan, and after a run a table of the results (operation 1.6). */
export function formatExplainReport(report: ExplainReport<MeasuredRunReport>): string {
  const { target, resource, sources, answer } = report;
  const subject = describeSubject(report);
  const run = answer === undefined ? '' : `\n${runTable(sources)}\nanswer: ${describeAnswer(answer)}\n`;
  return `${replaceControlCharacters(target)}\n${replaceControlCharacters(subject)}\n\n${planTable(sources, resource)}${run}`;
}

const INDENT = '  ';

/** Spaces between two cells. */
const GAP = 2;

function planTable(
  sources: readonly ExplainSourceReport<MeasuredRunReport>[],
  resource: ExplainReport['resource'],
): string {
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

const RUN_HEADINGS = ['source', 'state', 'strategy', 'requests', 'records', 'bytes', 'ms'];

/** The columns from this one on are numbers, which are aligned to the right. */
const FIRST_NUMBER_COLUMN = 3;

function runTable(sources: readonly ExplainSourceReport<MeasuredRunReport>[]): string {
  const rows = [RUN_HEADINGS, ...sources.flatMap(({ source, run }) => (run ? [runRow(source, run)] : []))];
  const widths = RUN_HEADINGS.map((_, at) => columnWidth(rows.map((row) => row[at] ?? '')));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at < FIRST_NUMBER_COLUMN ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
  const details = ['', ...sources.flatMap(({ run }) => (run ? [runDetails(run)] : []))];
  return lines.map((cells, at) => `${INDENT}${cells.join(' '.repeat(GAP))}\n${details[at] ?? ''}`).join('');
}

function runRow(source: string, { state, reason, strategy, ...counts }: MeasuredRunReport): TableRow {
  const { requests, records, bytes, milliseconds } = counts;
  const numbers = [requests, records, bytes, milliseconds].map(String);
  return [source, reason === undefined ? state : `${state} (${reason})`, STRATEGY_LABELS[strategy], ...numbers];
}

/** Maximum number of requests that are listed for one source. */
const MAX_REQUESTS = 4;

/** The requests to a source, and its warnings. */
function runDetails({ asked: targets, notes }: MeasuredRunReport): string {
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
