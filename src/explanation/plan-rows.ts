import type {
  ExplainReport,
  ExplainSourceReport,
  LargeSourcePlanReport,
  PlanReport,
  ReportedStrategy,
} from './explain-report.js';

/** Headings of the table of plans. */
export const PLAN_HEADINGS = ['source', 'cached', 'if size', 'strategy', 'pushed down', 'residual'];

/** The strategies as people read them. */
export const STRATEGY_LABELS: Readonly<Record<ReportedStrategy, string>> = {
  cached: 'cached',
  drain: 'drain',
  'push-down': 'push down',
  'too-large': 'too large',
  item: 'one item',
  excluded: 'excluded',
};

const SNAPSHOT_LABELS: Readonly<Record<ExplainSourceReport['cached'], string>> = {
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
export type TableRow = readonly string[];

/** Describes what is explained: the canonical query, or a single news item. */
export function describeSubject({ resource, query }: ExplainReport<unknown>): string {
  return resource === 'news-item' ? `news item ${query}` : query;
}

/** The rows of a source in the table of plans (operation 1.6, 3.6). */
export function planRows(
  report: ExplainSourceReport<unknown>,
  resource: ExplainReport['resource'],
): readonly TableRow[] {
  const { cached, plan, drainThreshold } = report;
  const source = report.access === undefined ? report.source : `${report.source} (${report.access})`;
  const translated =
    report.interface === undefined || interfaceOf(resource) === report.interface ? [] : [report.interface];
  if (plan.strategy === 'excluded')
    return [[source, '', '', STRATEGY_LABELS.excluded, `${EXCLUSION_LABELS.get(plan.reason) ?? ''} (${plan.reason})`]];
  if (plan.strategy === 'item')
    return [[source, SNAPSHOT_LABELS[cached], '', STRATEGY_LABELS.item, `id ${plan.id} at the source`]];
  if (!('ifLarge' in plan))
    return [
      [
        source,
        SNAPSHOT_LABELS[cached],
        '',
        STRATEGY_LABELS[plan.strategy],
        ...workCells(plan, drainThreshold, translated),
      ],
    ];
  return [
    [
      source,
      SNAPSHOT_LABELS[cached],
      `up to ${drainThreshold}`,
      STRATEGY_LABELS.drain,
      ...workCells(plan, drainThreshold, translated),
    ],
    ['', '', 'more', STRATEGY_LABELS[plan.ifLarge.strategy], ...workCells(plan.ifLarge, drainThreshold, translated)],
  ];
}

function interfaceOf(resource: ExplainReport['resource']): NonNullable<ExplainSourceReport['interface']> {
  return resource === 'directory-teams' ? 'directory' : 'data';
}

type ExecutablePlan = Exclude<PlanReport, { readonly strategy: 'excluded' | 'item' }> | LargeSourcePlanReport;

/** What is pushed down and what Rollcall does itself, or why the source is left out. */
function workCells(plan: ExecutablePlan, drainThreshold: number, translated: readonly string[]): TableRow {
  if (plan.strategy === 'too-large') {
    return [
      `omitted, so that the response is partial: the complete list is too large, and ${tooLargeCause(plan.lacks)}`,
    ];
  }
  const sent = Object.entries(plan.sent).map(([name, value]) => `${name}=${truncateValue(value)}`);
  const residual = [...plan.residual, ...translated.map((interfaceName) => `translation from ${interfaceName}`)];
  const pushedDown = plan.strategy === 'push-down' ? [...sent, recordLimitCell(plan, drainThreshold)] : sent;
  return [joinNames(pushedDown), joinNames(residual)];
}

function tooLargeCause(missing: readonly string[]): string {
  return missing.includes('scope')
    ? 'the scope requires all of its records'
    : `the source has no capability for ${missing.join(', ')}`;
}

/** Bound of the records that are fetched. With filters alone, that is the drain threshold. */
function recordLimitCell(
  { stream }: Extract<LargeSourcePlanReport, { readonly strategy: 'push-down' }>,
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
