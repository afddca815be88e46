import type { DocumentShape, FailedResourceReport } from '../../preview/preview-report.js';
import { alignColumns } from '../../text/text-table.js';
import type { TableRow } from '../../text/text-table.js';
import { escapeForTerminal } from '../command-line/terminal-text.js';

/** Includes what was received instead. Each line ends with a line break. */
export function formatFailure({ failure }: FailedResourceReport): string {
  const { reason, message, hint, body, document } = failure;
  const lines = [
    `  could not be read (${reason}): ${message}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...(body === undefined ? [] : ['  the body begins with', `    ${body}`]),
    ...(document === undefined ? [] : formatShape(document)),
  ];
  return lines.map((line) => `${escapeForTerminal(line)}\n`).join('');
}

function formatShape({ type, properties, candidates }: DocumentShape): readonly string[] {
  return [
    `  the document is: ${type}`,
    ...formatPairs(properties.map((property) => [property.path, property.type])),
    ...(candidates.length === 0
      ? ['  it has no list of objects']
      : [
          '  these expressions for records would give a list of objects',
          ...formatPairs(candidates.map((one) => [one.expression, one.type])),
        ]),
  ];
}

function formatPairs(pairs: readonly TableRow[]): readonly string[] {
  return alignColumns(pairs).map((line) => `  ${line}`);
}
