import { type ConfigIssue, type ConfigNode, type MapEntry, formatPath } from './config-node.js';
import { type ParsedYaml, parseYaml } from './parse-yaml.js';

/** The configuration file, or one of `sources.d` (operation 2.1.5). */
export interface ConfigPart {
  /** Relative to the folder of the configuration file; undefined for that file itself. */
  readonly name: string | undefined;
  /** Without a byte order mark. */
  readonly text: string;
}

/** The configuration file first. */
export type ConfigParts = readonly [ConfigPart, ...ConfigPart[]];

/**
 * One tree, in which the sources of all parts are those of the configuration file. The offsets of a part begin where the
 * text of the one before it ends.
 */
export function parseParts([main, ...included]: ConfigParts): ParsedYaml {
  const parsed = parseYaml(main.text);
  const { root } = parsed;
  if (root?.kind !== 'map' || included.length === 0) return parsed;
  const issues = [...parsed.issues];
  const own = root.entries.get('sources');
  const sources = new Map(own?.value.kind === 'map' ? own.value.entries : []);
  let offset = main.text.length;
  for (const { name, text } of included) {
    const part = parseYaml(text, offset);
    issues.push(...part.issues, ...(part.root === undefined ? [] : addSources(part.root, sources, name)));
    offset += text.length;
  }
  const isEmpty = own === undefined || (own.value.kind === 'scalar' && own.value.value === null);
  // Another value than a mapping keeps its error.
  if (!isEmpty && own.value.kind !== 'map') return { root, issues };
  const value: ConfigNode = { kind: 'map', offset: own?.value.offset ?? root.offset, entries: sources };
  const entries = new Map(root.entries).set('sources', { keyOffset: own?.keyOffset ?? root.offset, value });
  return { root: { ...root, entries }, issues };
}

function addSources(root: ConfigNode, sources: Map<string, MapEntry>, name = ''): readonly ConfigIssue[] {
  if (root.kind !== 'map') return [{ path: [], offset: root.offset, message: ONLY_SOURCES }];
  return [...root.entries].flatMap(([key, { keyOffset, value }]) => {
    if (key !== 'sources') return [{ path: [key], offset: keyOffset, message: ONLY_SOURCES }];
    if (value.kind !== 'map') return [{ path: [key], offset: value.offset, message: 'must be codes to sources' }];
    return [...value.entries].flatMap(([code, entry]) => {
      const isRepeated = sources.has(code);
      if (!isRepeated) sources.set(code, entry);
      const message = `is the code of another source, before ${name}`;
      return isRepeated ? [{ path: [key, code], offset: entry.keyOffset, message }] : [];
    });
  });
}

const ONLY_SOURCES = 'a file of sources.d has the mapping sources, and nothing else';

/** Where an offset is: the part, and the offset in it. */
function locate(parts: ConfigParts, offset: number): { readonly part: ConfigPart; readonly within: number } {
  let begin = 0;
  for (const part of parts.slice(0, -1)) {
    if (offset < begin + part.text.length) return { part, within: offset - begin };
    begin += part.text.length;
  }
  return { part: parts.at(-1) ?? parts[0], within: offset - begin };
}

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
