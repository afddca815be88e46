import type { DraftRecord } from '../../../src/model/record.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { FetchPage, SourcePage } from '../../../src/source/body/page.js';
import type { DrainResult } from '../../../src/source/record/drain-result.js';
import { packRecord } from '../../support/unit/pack-records.js';

const draft = (name: string): DraftRecord => packRecord(directoryTeams, { values: [name] });

export const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));

/** A list of names that is paged by offset, and the requests for it. */
export interface FakeList {
  readonly requests: (readonly [offset: number, limit: number])[];
  readonly fetchPage: FetchPage<DraftRecord>;
  names: readonly string[];
}

export interface FakeListBehaviour {
  /** Maximum number of records of a page, whatever the requested limit. */
  readonly cap?: number;
  readonly total?: (names: readonly string[]) => number | undefined;
  readonly lastModified?: (list: FakeList) => number;
  /** Names that cannot be read. */
  readonly unreadable?: readonly string[];
  /** Before each response. */
  readonly change?: (list: FakeList, offset: number) => void;
}

export function fakeList(
  names: readonly string[],
  { cap = Infinity, total = (all) => all.length, unreadable = [], lastModified, change }: FakeListBehaviour = {},
): FakeList {
  const list: FakeList = {
    requests: [],
    names,
    fetchPage: (offset, limit) => {
      list.requests.push([offset, limit]);
      change?.(list, offset);
      const sent = list.names.slice(offset, offset + Math.min(limit, cap));
      const counted = total(list.names);
      const page: SourcePage<DraftRecord> = {
        records: sent.filter((name) => !unreadable.includes(name)).map(draft),
        receivedCount: sent.length,
        fingerprint: sent.join(),
        bytes: 10 * sent.length,
        findings: new Map(),
        limit: Math.min(limit, cap),
        ...(counted !== undefined && { total: counted }),
        ...(lastModified && { lastModified: lastModified(list) }),
      };
      return Promise.resolve(page);
    },
  };
  return list;
}

export function namesOf({ records }: DrainResult<DraftRecord>): readonly unknown[] {
  return records.map(({ values: [name] }) => name);
}
