import { type ConfigIssue, type ConfigNode, type MapEntry } from './config-node.js';
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
    const part = parseYaml(text);
    issues.push(...part.issues.map((issue) => ({ ...issue, offset: issue.offset + offset })));
    issues.push(...(part.root === undefined ? [] : addSources(shift(part.root, offset), sources, name)));
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

function shift(node: ConfigNode, by: number): ConfigNode {
  const offset = node.offset + by;
  if (node.kind === 'list') return { ...node, offset, items: node.items.map((item) => shift(item, by)) };
  if (node.kind !== 'map') return { ...node, offset };
  const entries = Array.from(node.entries, ([key, { keyOffset, value }]) => {
    return [key, { keyOffset: keyOffset + by, value: shift(value, by) }] as const;
  });
  return { ...node, offset, entries: new Map(entries) };
}

/** Where an offset is: the part, and the offset in it. */
export function locate(parts: ConfigParts, offset: number): { readonly part: ConfigPart; readonly within: number } {
  let begin = 0;
  for (const part of parts.slice(0, -1)) {
    if (offset < begin + part.text.length) return { part, within: offset - begin };
    begin += part.text.length;
  }
  return { part: parts.at(-1) ?? parts[0], within: offset - begin };
}
