import type { JoinedLayout } from '../../../model/registration/document-mapping.js';
import { SourceFailure } from '../../client/source-failure.js';
import { createEntriesReader } from './document-entries.js';
import { compileMapping, readKeys } from './expression.js';
import type { ExpressionFailure, JoinedEntries, PageParser, RawPage } from '../raw-page.js';

/** Of one page of a second document: one for each record of a source. */
const MAX_KEYS = 1_000_000;

/** To those of one page. Two documents with one key for all would multiply. */
const MAX_ADDED = 200_000;

export function concatenateJoinedEntries(pages: readonly JoinedEntries[]): JoinedEntries {
  const joined = { texts: [] as string[], keys: [] as string[], positions: [] as number[] };
  for (const { texts, keys, positions } of pages) {
    const first = joined.texts.length;
    for (const text of texts) joined.texts.push(text);
    for (const key of keys) joined.keys.push(key);
    for (const position of positions) joined.positions.push(first + position);
  }
  return joined;
}

/**
 * Leaves out entries without a key: nothing can refer to them. Throws a `SourceFailure` (`size`) for more keys than any
 * real entries have.
 */
export function createJoinedParser(layout: JoinedLayout): PageParser {
  const readEntries = createEntriesReader(layout);
  const key = compileMapping(layout.key);
  return (body, context, findings): RawPage => {
    const { entries, next, stated } = readEntries(body, context, findings);
    const texts: string[] = [];
    const keys: string[] = [];
    const positions: number[] = [];
    for (const entry of entries) {
      const own = new Set(readKeys(key(entry)));
      if (own.size === 0) continue;
      if (keys.length + own.size > MAX_KEYS) throw new SourceFailure('size', `more than ${MAX_KEYS} keys of entries`);
      for (const one of own) {
        keys.push(one);
        positions.push(texts.length);
      }
      texts.push(JSON.stringify(entry));
    }
    const facts = {
      entryCount: entries.length,
      valueCounts: new Map<string, number>(),
      failures: new Map<string, ExpressionFailure>(),
      joined: { texts, keys, positions },
    };
    const paging = { ...(next !== undefined && { next }), ...(stated && { stated }) };
    return { records: [], entries, document: { ...facts, ...paging } };
  };
}

/** By key; parses each entry once. */
export class JoinedEntryIndex {
  private readonly positionsByKey = new Map<string, number[]>();
  private readonly parsed = new Map<number, unknown>();
  private added = 0;

  constructor(private readonly joined: JoinedEntries) {
    for (const [at, key] of joined.keys.entries()) {
      const position = joined.positions[at] ?? -1;
      const known = this.positionsByKey.get(key);
      if (known === undefined) this.positionsByKey.set(key, [position]);
      else known.push(position);
    }
  }

  /** Each entry once, in order. Throws a `SourceFailure` (`size`) if too many have been returned in all. */
  find(keys: readonly string[]): readonly unknown[] {
    const positions = new Set(keys.flatMap((key) => this.positionsByKey.get(key) ?? []));
    this.added += positions.size;
    if (this.added > MAX_ADDED)
      throw new SourceFailure('size', `more than ${MAX_ADDED} entries of the second document have keys of the first`);
    return [...positions].sort((a, b) => a - b).map((position) => this.parse(position));
  }

  private parse(position: number): unknown {
    if (!this.parsed.has(position)) this.parsed.set(position, JSON.parse(this.joined.texts[position] ?? 'null'));
    return this.parsed.get(position);
  }
}
