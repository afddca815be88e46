import type {
  ChannelReport,
  ExpressionReport,
  PreviewReport,
  ReadResourceReport,
  RequestReport,
  ResourceReport,
} from '../../preview/preview-report.js';
import { alignColumns } from '../../text/text-table.js';
import type { TableRow } from '../../text/text-table.js';
import { escapeForTerminal, shortenText, wrapText } from '../command-line/terminal-text.js';
import { formatFailure } from './format-failure.js';
import { formatChannel, formatRecord } from './format-record.js';
import { formatJson } from './format-value.js';

const MAX_UNUSED = 40;

/** At most `width` columns, as far as names and addresses allow (operation 1.7.2). */
export function formatPreviewReport({ source, sourceName, requests, resources }: PreviewReport, width: number): string {
  const title = `${source} (${escapeForTerminal(sourceName)})\n`;
  return [title, formatRequests(requests), ...resources.map((report) => formatResource(report, width))].join('\n');
}

function formatRequests(requests: readonly RequestReport[]): string {
  const rows = requests.map(({ status, mediaType, format, bytes, milliseconds, target }) => [
    status === undefined ? '-' : String(status),
    bytes === undefined ? '-' : `${bytes} bytes`,
    `${milliseconds} ms`,
    format ?? '-',
    escapeForTerminal(mediaType ?? '-'),
    escapeForTerminal(target),
  ]);
  return `requests\n${formatTable([['status', 'body', 'time', 'read as', 'media type', 'address'], ...rows])}`;
}

function formatResource(report: ResourceReport, width: number): string {
  const { resource, interface: interfaceName, feed } = report;
  const title =
    feed === undefined ? `${resource} of the ${interfaceName} interface\n` : `feed ${escapeForTerminal(feed)}\n`;
  if ('failure' in report) return title + formatFailure(report);
  return [
    title,
    formatCounts(report, width),
    ...(report.channel ? [formatFeedFacts(report.channel), formatChannel(report.channel, width)] : []),
    ...report.records.map((record) => formatRecord(record, width)),
    formatExpressions(report.expressions, width),
    formatUnused(report, width),
    formatFindings(report, width),
  ].join('');
}

function formatCounts(report: ReadResourceReport, width: number): string {
  const { received, leftOut, read, dropped, total, problems, nextPage } = report;
  const reasons = dropped.map(({ rule, count }) => `${count} ${rule}`).join(', ');
  const counts = [
    `${received} ${received === 1 ? 'entry' : 'entries'} received`,
    ...(total === undefined ? [] : [`${total} counted by the source`]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out by only`]),
    `${read} read as records`,
    dropped.length === 0 ? 'none dropped' : `dropped: ${reasons}`,
  ].join('; ');
  return [
    ...indent(counts, width),
    ...problems.flatMap((problem) => indent(`problem: ${escapeForTerminal(problem)}`, width)),
    ...(nextPage === undefined ? [] : [`  next page: ${escapeForTerminal(nextPage)}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function formatFeedFacts({ format = 'unknown', lifetime }: ChannelReport): string {
  const stated = lifetime === undefined ? 'none' : `${lifetime} s`;
  return `  format: ${format}; stated lifetime of copies: ${stated}\n`;
}

function formatExpressions(expressions: readonly ExpressionReport[], width: number): string {
  if (expressions.length === 0) return '';
  const rows = expressions.map(({ property, values, failures, expression }) => [
    property,
    String(values),
    String(failures),
    escapeForTerminal(expression),
  ]);
  const [header = '', ...lines] = alignColumns([['expression for', 'values', 'failed', 'expression'], ...rows]);
  const failures = expressions.map(({ firstFailure: failure }) => {
    return failure === undefined ? [] : indent(escapeForTerminal(failure), width, 6);
  });
  const all = lines.flatMap((line, at) => [shortenText(line, width), ...(failures[at] ?? [])]);
  return `\n${header}\n${all.join('\n')}\n`;
}

function formatUnused({ unused, isDocument, received, leftOut }: ReadResourceReport, width: number): string {
  if (unused.length === 0) return '';
  const title = isDocument ? 'names that no expression mentions' : 'properties that were dropped';
  const rows = unused
    .slice(0, MAX_UNUSED)
    .map(({ name, entries, example }) => [escapeForTerminal(name), String(entries), formatJson(example)]);
  const more = unused.length - MAX_UNUSED;
  const table = formatTable([['name', `of ${received - leftOut || received}`, 'example'], ...rows], width);
  return `\n${title}\n${table}${more > 0 ? `  … and ${more} more\n` : ''}`;
}

function formatFindings({ findings }: ReadResourceReport, width: number): string {
  if (findings.length === 0) return '';
  const rows = findings.map((finding) => [
    escapeForTerminal(finding.field),
    finding.rule,
    String(finding.count),
    'example' in finding ? formatJson(finding.example) : '',
  ]);
  return `\nfindings (docs/data-quality.md explains them)\n${formatTable([['field', 'rule', 'number', 'example'], ...rows], width)}`;
}

/** The last column is cut at `width`. */
function formatTable(rows: readonly TableRow[], width = Infinity): string {
  return alignColumns(rows)
    .map((line) => `${shortenText(line, width)}\n`)
    .join('');
}

function indent(text: string, width: number, columns = 2): readonly string[] {
  return wrapText(text, width - columns).map((line) => shortenText(' '.repeat(columns) + line, width));
}
