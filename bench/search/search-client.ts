import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { requestComplete } from '../harness/in-process-gateway.js';
import type { InProcessGateway } from '../harness/in-process-gateway.js';

/** Property with the score of a hit. */
const SCORE = '-rollcall-score';

/** One record of an answer to a search. */
export interface SearchHit {
  readonly id: string;
  readonly name: string;
  readonly score: string;
}

/** URL of a search for directory teams. */
export function searchUrl(
  gateway: InProcessGateway,
  q: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const url = new URL('search', gateway.address(directoryTeams));
  url.search = new URLSearchParams({ q, ...parameters }).toString();
  return url.href;
}

/** Searches, and returns the first hits. Rejects if a source is not fresh, because its teams would be missing. */
export async function searchTeams(gateway: InProcessGateway, q: string, limit: number): Promise<readonly SearchHit[]> {
  const fields = ['-rollcall-id', 'short-team-name', 'official-team-name', SCORE].join();
  const body = await requestComplete(searchUrl(gateway, q, { limit: String(limit), fields }));
  return readRecords(body).map((record) => ({
    id: textOf(record['-rollcall-id']),
    name: textOf(record['short-team-name'] ?? record['official-team-name']),
    score: textOf(record[SCORE]),
  }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The records of a list in JSON, without envelope. Throws if the text is no such list. */
export function readRecords(text: string): readonly Readonly<Record<string, unknown>>[] {
  const records: unknown = JSON.parse(text);
  if (!Array.isArray(records)) throw new Error(`not a list: ${text.slice(0, 200)}`);
  return records.filter(isRecord);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
