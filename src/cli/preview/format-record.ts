import type { ChannelReport, PathValue, PropertyReport, RecordReport } from '../../preview/preview-report.js';
import { columnWidth, escapeForTerminal, shortenText } from '../terminal-text.js';
import { formatJson, formatPathValues, formatShown } from './format-value.js';

/** Maximum width of the names of properties. */
const MAX_NAME = 26;

/** Part of the remaining width for the values as read. */
const READ_PART = 0.4;

/** Maximum number of items of a list, and of unused values of an entry, in the text output. */
const MAX_ITEMS = 3;
const MAX_UNUSED = 8;

/** One row of the table: the lines of each cell. */
interface TableRow {
  readonly name: string;
  readonly read: readonly string[];
  readonly sent: readonly string[];
}

const HEADER: TableRow = { name: 'property', read: ['as read'], sent: ['as sent'] };

/** Formats one record as a table of its properties: as read, and as sent (operation 1.7.2). */
export function formatRecord(record: RecordReport, width: number): string {
  const { entry, id, dropped } = record;
  const title = dropped === undefined ? `record ${escapeForTerminal(id ?? '')}` : `dropped (${dropped})`;
  return formatTable(`entry ${entry}: ${title}`, record, width);
}

/** Formats the channel of a feed as such a table. */
export function formatChannel(channel: ChannelReport, width: number): string {
  return formatTable(`channel ${channel.id}`, { ...channel, unused: [] }, width);
}

function formatTable(
  title: string,
  { properties, unused }: Pick<RecordReport, 'properties' | 'unused'>,
  width: number,
): string {
  const rows = [HEADER, ...properties.map(formatProperty), ...formatUnused(unused)];
  return `\n${shortenText(title, width)}\n${formatRows(rows, width)}`;
}

function formatProperty({ name, value, origin, from, failure, findings }: PropertyReport): TableRow {
  const [first] = from;
  const isSameName = from.length === 1 && [name, JSON.stringify(name)].includes(first?.path ?? '');
  const sent = isSameName ? [formatJson(first?.value)] : formatPathValues(from);
  const notes = [
    ...(failure === undefined ? [] : ['! the expression failed']),
    ...findings.filter((rule) => rule !== 'expression-failed').map((rule) => `! ${rule}`),
  ];
  const origins =
    origin === 'source' ? (value !== undefined && from.length === 0 ? ['(constant)'] : []) : [`(${origin})`];
  return { name: escapeForTerminal(name), read: formatRead(value), sent: [...sent, ...origins, ...notes] };
}

function formatRead(value: unknown): readonly string[] {
  if (value === undefined) return ['-'];
  if (!Array.isArray(value)) return [formatShown(value)];
  const items = value.slice(0, MAX_ITEMS).map(formatShown);
  return value.length > MAX_ITEMS ? [...items, `… and ${value.length - MAX_ITEMS} more`] : items;
}

function formatUnused(unused: readonly PathValue[]): readonly TableRow[] {
  if (unused.length === 0) return [];
  const lines = formatPathValues(unused);
  const more = lines.length > MAX_UNUSED ? [`… and ${lines.length - MAX_UNUSED} more`] : [];
  return [{ name: '(not used)', read: [], sent: [...lines.slice(0, MAX_UNUSED), ...more] }];
}

function formatRows(rows: readonly TableRow[], width: number): string {
  const name = Math.min(MAX_NAME, columnWidth(rows.map((row) => row.name)));
  const rest = width - name - 6;
  const longest = columnWidth(rows.flatMap(({ read }) => read));
  const left = Math.min(longest, Math.floor(rest * READ_PART));
  return rows
    .flatMap((row) => {
      const height = Math.max(1, row.read.length, row.sent.length);
      return Array.from({ length: height }, (_, at) => {
        const cells = [
          shortenText(at === 0 ? row.name : '', name).padEnd(name),
          shortenText(row.read[at] ?? '', left).padEnd(left),
          shortenText(row.sent[at] ?? '', rest - left),
        ];
        return `  ${cells.join('  ')}`.trimEnd();
      });
    })
    .map((line) => `${line}\n`)
    .join('');
}
