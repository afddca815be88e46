import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { SourceParameters } from '../source/dialect/request-url.js';
import type { ProbedList } from './drain-list.js';
import { pluralize } from './finding.js';
import { recordDisplayName, recordKey } from './reference-records.js';
import type { ReferenceRecords } from './reference-records.js';

export type DrainedList = ProbedList & { readonly reference: ReferenceRecords };

export interface Comparison {
  /** With the path of the list. */
  readonly asked: string;
  readonly expected: number;
  readonly received: number;
  /** Absent if nothing was wrong with the response. */
  readonly fault?: string;
  readonly totals: readonly TotalObservation[];
}

export interface TotalObservation {
  readonly reported: number | undefined;
  readonly expected: number;
}

export function formatQuery({ path }: Resource, parameters: SourceParameters): string {
  return `${path}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;
}

/**
 * Requests two pages at least where several records match, so that a source shows that pages after the first are right
 * too. `atLeast`: the source may return further records.
 */
export async function compareWithList(
  list: DrainedList,
  parameters: SourceParameters,
  { atLeast }: { readonly atLeast: boolean },
): Promise<Comparison> {
  const { client, resource, reference, pageSize } = list;
  const expected = (await reference.matchingIndexes(parameters)) ?? [];
  const mostRecords = atLeast ? reference.size : expected.length;
  const facts = { asked: formatQuery(resource, parameters), expected: expected.length };
  const records: DraftRecord[] = [];
  const totals: TotalObservation[] = [];
  const half = Math.ceil((expected.length + 1) / 2);
  let limit = Math.min(pageSize, atLeast && expected.length < 2 ? pageSize : half);
  const further = atLeast ? pageSize : limit;
  for (let offset = 0; offset < resource.pagingWindow; limit = Math.min(further, resource.pagingWindow - offset)) {
    const response = await client.tryFetchPage(resource, parameters, { offset, limit });
    if ('refused' in response)
      return { ...facts, received: records.length, fault: `refused with ${response.refused}`, totals };
    const { page } = response;
    records.push(...page.records);
    totals.push({ reported: page.total, expected: expected.length });
    offset += page.receivedCount;
    if (page.receivedCount < limit || offset > mostRecords) break;
  }
  const received = { ...facts, received: records.length, totals };
  const fault = await findFault(list, { records, totals, expected, parameters, atLeast });
  return fault === undefined ? received : { ...received, fault };
}

interface Received {
  readonly records: readonly DraftRecord[];
  readonly totals: readonly TotalObservation[];
  readonly expected: readonly number[];
  readonly parameters: SourceParameters;
  readonly atLeast: boolean;
}

async function findFault(
  { resource, reference }: DrainedList,
  { records, totals, expected, parameters: { sort, ...filters }, atLeast }: Received,
): Promise<string | undefined> {
  const reachable = expected.slice(0, resource.pagingWindow);
  const remaining = new Map<string, DraftRecord[]>();
  for (const at of reachable) {
    const record = reference.records[at];
    if (record !== undefined) remaining.set(recordKey(record), [...(remaining.get(recordKey(record)) ?? []), record]);
  }
  const extra = records.filter((record) => remaining.get(recordKey(record))?.pop() === undefined);
  const missing = [...remaining.values()].flat();
  const name = (some: readonly DraftRecord[]): string =>
    some
      .slice(0, 3)
      .map((record) => recordDisplayName(resource, record))
      .join(', ');
  const faults = [
    ...(missing.length > 0
      ? [`missing ${missing.length} of ${pluralize(reachable.length, 'record')}, such as ${name(missing)}`]
      : []),
    ...(extra.length > 0 && !atLeast ? [`${pluralize(extra.length, 'record')} too many, such as ${name(extra)}`] : []),
  ];
  if (faults.length > 0) return faults.join('; ');
  if (atLeast) return undefined;
  const wrong = totals.find(({ reported }) => reported !== undefined && reported !== expected.length);
  // Without a filter, a wrong total is no fault of the order.
  if (wrong?.reported !== undefined && Object.keys(filters).length > 0)
    return `total ${wrong.reported}, but ${pluralize(expected.length, 'record')}`;
  const isInOrder = sort === undefined || (await isInSequence(reference, { records, expected, sort }));
  return isInOrder ? undefined : 'the right records, but out of order';
}

/** Records that are equal in the order may have any sequence. */
async function isInSequence(
  reference: ReferenceRecords,
  {
    records,
    expected,
    sort,
  }: { readonly records: readonly DraftRecord[]; readonly expected: readonly number[]; readonly sort: string },
): Promise<boolean> {
  const compare = await reference.comparator(sort);
  return records.every((record, at) => {
    const [index, expectedIndex] = [reference.indexOf(record), expected[at]];
    return index !== undefined && expectedIndex !== undefined && compare(index, expectedIndex) === 0;
  });
}
