import type { PreviewReport, ResourceReport } from '../../preview/preview-report.js';
import { escapeForTerminal } from '../command-line/terminal-text.js';
import { formatFailure } from './format-failure.js';

/**
 * Entries of a document are a list; of a document with a second one, of interfaces and of feeds, an object of lists
 * (operation 1.7.1).
 */
export function formatRawEntries({ resources }: PreviewReport): string {
  const lists = resources.flatMap(nameLists);
  const [first] = lists;
  const isPlain = lists.length === 1 && first?.name === DOCUMENT;
  const json = isPlain ? first.entries : Object.fromEntries(lists.map(({ name, entries }) => [name, entries]));
  return `${escapeForTerminal(JSON.stringify(json, undefined, 2), true)}\n`;
}

const DOCUMENT = 'document';

function nameLists(report: ResourceReport): readonly { readonly name: string; readonly entries: readonly unknown[] }[] {
  if (!('received' in report)) return [];
  const { entries, joinedEntries, isDocument, feed = `${report.interface}/${report.resource}` } = report;
  const name = isDocument ? DOCUMENT : feed;
  return [{ name, entries }, ...(joinedEntries === undefined ? [] : [{ name: 'join', entries: joinedEntries }])];
}

export function formatFailures({ source, resources }: PreviewReport): string {
  return resources
    .flatMap((report) =>
      'failure' in report
        ? `rollcall: ${source}, ${escapeForTerminal(report.feed ?? report.resource)}\n${formatFailure(report)}`
        : [],
    )
    .join('');
}
