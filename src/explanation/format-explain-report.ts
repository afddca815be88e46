import { errorCatalogue } from '../model/error-catalogue.js';
import { alignColumns, showOnOneLine } from '../text/text-table.js';
import type { TableRow } from '../text/text-table.js';
import type { AnswerReport, ExplainReport, ExplainSourceReport, PlanReport, TrafficReport } from './explain-report.js';

/**
 * As text: the plan, and of an executed query what each source did, and the answer (operation 1.6, 3.6). No control
 * characters except line ends.
 */
export function formatExplainReport({ target, query, sources, answer }: ExplainReport): string {
  const plan = alignColumns([PLAN_HEADINGS, ...sources.flatMap(planRows)]);
  const run = answer === undefined ? [] : ['', ...runLines(sources), '', `answer: ${describeAnswer(answer)}`];
  return [target, query, '', ...plan, ...run].map((line) => `${showOnOneLine(line)}\n`).join('');
}

const PLAN_HEADINGS = ['source', 'interface', 'cached', 'if size', 'strategy', 'pushed down', 'residual'];

function planRows({ source, access, cached, plan, drainThreshold, ...rest }: ExplainSourceReport): readonly TableRow[] {
  const code = access === undefined ? source : `${source} (${access})`;
  const head = [code, rest.interface ?? '', plan.strategy === 'excluded' ? '' : cached];
  if (!('ifLarge' in plan)) return [[...head, '', plan.strategy, ...planCells(plan, drainThreshold)]];
  return [
    [...head, `up to ${drainThreshold}`, plan.strategy, ...planCells(plan, drainThreshold)],
    ['', '', '', 'more', plan.ifLarge.strategy, ...planCells(plan.ifLarge, drainThreshold)],
  ];
}

function planCells(plan: PlanReport, drainThreshold: number): TableRow {
  switch (plan.strategy) {
    case 'excluded':
      return [plan.reason];
    case 'item':
      return [`id ${plan.id}`];
    case 'too-large':
      return [`lacks ${plan.lacks.join(', ')}`];
    case 'cached':
    case 'drain':
    case 'push-down': {
      const sent = Object.entries(plan.sent).map(([name, value]) => `${name}=${truncateValue(value)}`);
      const bound = plan.strategy !== 'push-down' ? [] : [plan.stream ? 'limit' : `up to ${drainThreshold} matches`];
      return [joinNames([...sent, ...bound]), joinNames(plan.residual)];
    }
  }
}

const MAX_VALUE_LENGTH = 60;

function truncateValue(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

function joinNames(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

const RUN_HEADINGS = ['source', 'state', 'strategy', 'available', 'ms'];

function runLines(sources: readonly ExplainSourceReport[]): readonly string[] {
  const runs = sources.flatMap(({ source, run }) => (run === undefined ? [] : [{ source, ...run }]));
  const rows = runs.map(({ source, state, reason, strategy, available, milliseconds }) => [
    source,
    reason === undefined ? state : `${state} (${reason})`,
    strategy,
    String(available ?? ''),
    String(milliseconds),
  ]);
  const traffic = [undefined, ...runs.map((run) => run.traffic)];
  return alignColumns([RUN_HEADINGS, ...rows]).flatMap((line, at) => [line, ...trafficLines(traffic[at])]);
}

const MAX_REQUESTS = 4;

function trafficLines(traffic: TrafficReport | undefined): readonly string[] {
  if (traffic === undefined) return [];
  const { requests, records, bytes, warnings } = traffic;
  const omitted = requests.length - MAX_REQUESTS;
  const lines = [
    `requests: ${requests.length}, records: ${records}, bytes: ${bytes}`,
    ...requests.slice(0, MAX_REQUESTS),
    ...(omitted > 0 ? [`and ${omitted} more`] : []),
    ...warnings,
  ];
  return lines.map((line) => `      ${line}`);
}

/** In a line: the error, or how complete the list is and how many records match. */
function describeAnswer({ status, message, completeness, total, records }: AnswerReport): string {
  if (message !== undefined) {
    const phrase = Object.values(errorCatalogue).find((error) => error.status === status)?.phrase ?? '';
    return `${status} ${phrase}: ${message}`;
  }
  return `${completeness ?? ''}; ${total ?? 0} match, ${records ?? 0} of them on the page`;
}
