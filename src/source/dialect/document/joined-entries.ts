import type { JoinedLayout } from '../../../model/registration/document-mapping.js';
import { createEntriesReader } from './document-entries.js';
import type { DocumentObserver } from './document-observer.js';
import { compileMapping, readKeys } from './expression.js';
import type { ExpressionFailure, JoinedEntries, PageParser, RawPage } from '../raw-page.js';

/** Joins the entries of several pages. */
export function concatenateJoinedEntries(pages: readonly JoinedEntries[]): JoinedEntries {
  return { keys: pages.flatMap(({ keys }) => keys), texts: pages.flatMap(({ texts }) => texts) };
}

/** Creates the parser of the pages of a second document. An entry without a key is left out: nothing can refer to it. */
export function createJoinedParser(layout: JoinedLayout, observer?: DocumentObserver): PageParser {
  const readEntries = createEntriesReader(layout, observer);
  const key = compileMapping(layout.key);
  return (body, context, findings): RawPage => {
    const { entries, next } = readEntries(body, context, findings);
    const keys: string[] = [];
    const texts: string[] = [];
    for (const entry of entries) {
      const text = JSON.stringify(entry);
      for (const one of readKeys(key(entry))) {
        keys.push(one);
        texts.push(text);
      }
    }
    const facts = {
      entryCount: entries.length,
      valueCounts: new Map<string, number>(),
      failures: new Map<string, ExpressionFailure>(),
      joined: { keys, texts },
    };
    return { records: [], entries, document: { ...facts, ...(next !== undefined && { next }) } };
  };
}

/** The JSON texts of the joined entries by key. */
export function indexJoinedEntries({ keys, texts }: JoinedEntries): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const [at, key] of keys.entries()) {
    const text = texts[at] ?? '';
    const known = index.get(key);
    if (known === undefined) index.set(key, [text]);
    else known.push(text);
  }
  return index;
}
