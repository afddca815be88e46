import { findRegistrableDomain } from '../../identifiers/host-name.js';
import { findIdentifierHits } from './identifier-hits.js';
import { ScoreSheet } from './score-sheet.js';
import { SearchIndex } from '../index/search-index.js';
import type { SearchRequest } from '../text/search-request.js';
import { BEST_SCORE, OFFICIAL_NAME_SCORE } from './scores.js';
import { takeTurns } from './take-turns.js';
import type { Hit } from './take-turns.js';
import { TERM_KINDS } from '../index/terms.js';
import { findWordHits } from './word-hits.js';

interface SearchedRecords {
  readonly index: SharedArrayBuffer;
  /** 1 for a record that may be a hit, else 0. Absent: each may. */
  readonly allowed?: Uint8Array | undefined;
}

export interface SearchTask {
  readonly request: SearchRequest;
  readonly searchesKeys: boolean;
  readonly sources: readonly SearchedRecords[];
  readonly offset: number;
  readonly limit: number;
}

/** Hits are in the order of {@link takeTurns}. */
export interface SearchResult {
  readonly total: number;
  readonly hits: readonly Hit[];
  /** By source. */
  readonly positions: readonly Uint32Array[];
  /** The text with its misspelled words as the records spell them; absent where none is misspelled. */
  readonly suggestion?: string | undefined;
}

/**
 * Searches several sources as one list (decisions 2.40). A text that is an identifier, such as a host name, is searched
 * as words only where no record has the identifier.
 */
export function searchRecords({ request, searchesKeys, sources, offset, limit }: SearchTask): SearchResult {
  const sheets = sources.map(({ index, allowed }) => new ScoreSheet(new SearchIndex(index), allowed));
  const registrable = request.host === undefined ? undefined : findRegistrableDomain(request.host);
  const isIdentified = findIdentifierHits(sheets, { request, registrable, searchesKeys });
  const suggestion = isIdentified ? undefined : findWordHits(sheets, request);
  const named = sheets.filter((sheet) => addCompleteNameHits(sheet, request));
  const positions = sheets.map(listHits);
  const total = positions.reduce((sum, { length }) => sum + length, 0);
  const ranked = sheets.map((sheet) => ({ ranked: rankHits(sheet), scores: sheet.scores }));
  const hits = takeTurns(ranked, { offset, limit });
  return { total, hits, positions, suggestion: named.length > 0 ? undefined : suggestion };
}

/** Returns whether there are any. */
function addCompleteNameHits(sheet: ScoreSheet, { joinedSpellings }: SearchRequest): boolean {
  const { index } = sheet;
  const raised = joinedSpellings.flatMap((name) => [
    sheet.raiseAll(index.terms.find(TERM_KINDS.officialName + name), OFFICIAL_NAME_SCORE),
    sheet.raiseAll(index.terms.find(TERM_KINDS.shortName + name), BEST_SCORE),
  ]);
  return raised.includes(true);
}

function listHits({ scores }: ScoreSheet): Uint32Array {
  const hits: number[] = [];
  for (const [position, score] of scores.entries()) if (score > 0) hits.push(position);
  return Uint32Array.from(hits);
}

/** The best first, of equal ones in the order of their ids. Counts the hits of each score instead of sorting. */
function rankHits({ index, scores }: ScoreSheet): Uint32Array {
  const counts = new Uint32Array(BEST_SCORE + 1);
  for (const score of scores) counts[score] = (counts[score] ?? 0) + 1;
  const ranks = new Uint32Array(BEST_SCORE + 1);
  for (let score = BEST_SCORE; score > 0; score -= 1) ranks[score - 1] = (ranks[score] ?? 0) + (counts[score] ?? 0);
  const ranked = new Uint32Array(ranks[0] ?? 0);
  for (const position of index.positionsById) {
    const score = scores[position] ?? 0;
    if (score === 0) continue;
    const rank = ranks[score] ?? 0;
    ranks[score] = rank + 1;
    ranked[rank] = position;
  }
  return ranked;
}
