import type { ChannelReport, RecordReport } from '../../preview/preview-report.js';
import { columnWidth, escapeForTerminal, shortenText } from '../command-line/terminal-text.js';
import { formatJson, formatShown } from './format-value.js';

const MAX_NAME = 26;

/** Part of the remaining width for the values as read. */
const READ_PART = 0.4;

const MAX_ITEMS = 3;

interface TableRow {
  readonly name: string;
  readonly read: readonly string[];
  readonly sent: readonly string[];
}

const HEADER: TableRow = { name: 'property', read: ['as read'], sent: ['as sent'] };

/** For a document, where an expression gave the value. */
const MAPPED_HEADER: TableRow = { ...HEADER, sent: ['as mapped'] };

/** A table of properties: as read, and as sent (operation 1.7.2). */
export function formatRecord(record: RecordReport, width: number): string {
  const { entry, id, dropped } = record;
  const title = dropped === undefined ? `record ${escapeForTerminal(id ?? '')}` : `dropped (${dropped})`;
  return formatTable(`entry ${entry}: ${title}`, record, width);
}

/** As a table like that of a record. */
export function formatChannel(channel: ChannelReport, width: number): string {
  return formatTable(`channel ${channel.id}`, { ...channel, findings: [] }, width);
}

function formatTable(
  title: string,
  { record, sent, mapped, findings }: Pick<RecordReport, 'record' | 'mapped' | 'sent' | 'findings'>,
  width: number,
): string {
  const source = mapped ?? sent;
  const given = new Map(Object.entries(typeof source === 'object' && source !== null ? source : {}));
  const names = [...new Set([...Object.keys(record), ...given.keys()])];
  const rows = names.map((name): TableRow => {
    const found = findings.filter(({ field }) => field === name).map(({ rule }) => `! ${rule}`);
    return {
      name: escapeForTerminal(name),
      read: formatRead(record[name]),
      sent: [given.has(name) ? formatJson(given.get(name)) : '-', ...new Set(found)],
    };
  });
  const entry = mapped === undefined ? '' : `${shortenText(`  as sent: ${formatJson(sent)}`, width)}\n`;
  const all = [mapped === undefined ? HEADER : MAPPED_HEADER, ...rows];
  return `\n${shortenText(title, width)}\n${entry}${formatRows(all, width)}`;
}

function formatRead(value: unknown): readonly string[] {
  if (value === undefined) return ['-'];
  if (!Array.isArray(value)) return [formatShown(value)];
  const items = value.slice(0, MAX_ITEMS).map(formatShown);
  return value.length > MAX_ITEMS ? [...items, `… and ${value.length - MAX_ITEMS} more`] : items;
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
