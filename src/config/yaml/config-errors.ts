import { type ConfigIssue, formatPath } from './config-node.js';
import { type ConfigParts, locate } from './config-parts.js';

export interface ConfigError {
  /** Relative to the folder of the configuration file; absent: that file itself. */
  readonly file?: string;
  /** Such as `sources.first.number`; empty for an error of the file as a whole. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
  readonly message: string;
}

/** In the order of the files. Of several errors for one path and offset, only the first is reported. */
export function toConfigErrors(issues: readonly ConfigIssue[], parts: ConfigParts): ConfigError[] {
  const firstIssues = new Map<string, ConfigIssue>();
  for (const issue of issues) {
    const key = `${issue.offset} ${formatPath(issue.path)}`;
    if (!firstIssues.has(key)) firstIssues.set(key, issue);
  }
  return [...firstIssues.values()]
    .sort((a, b) => a.offset - b.offset)
    .map(({ path, offset, message }) => {
      const { part, within } = locate(parts, offset);
      const lines = part.text.slice(0, within).split(/\r\n|\r|\n/);
      const column = Array.from(lines.at(-1) ?? '').length + 1;
      const error = { path: formatPath(path), line: lines.length, column, message };
      return part.name === undefined ? error : { file: part.name, ...error };
    });
}
