import type { CheckResult } from '../findings/finding.js';
import { recordDisplayName } from '../resource/reference-records.js';
import { parseSortKey } from './sort-order.js';
import { collectSeenRecords } from '../resource/probed-resource.js';
import type { SortObservation, ProbedResource } from '../resource/probed-resource.js';

/**
 * Concludes which of the consistent sort orders are proved, after all were requested. An order that the records have
 * anyway needs its reverse to show that `sort` is evaluated. An order of which only some pages were seen needs its
 * reverse too: pages that are each sorted separately may appear ascending by chance, or because the records are, but
 * not descending as well.
 */
export function concludeSorts(subject: ProbedResource): Promise<CheckResult[]> {
  return Promise.all(
    [...subject.state.consistentSorts].map(([sort, ordering]) => concludeSort(subject, sort, ordering)),
  );
}

async function concludeSort(
  subject: ProbedResource,
  sort: string,
  {
    targets: asked,
    evidence,
    indistinguishableOrders: alike,
    equivalentOrders: equal,
    isNaturalOrder: natural,
  }: SortObservation,
): Promise<CheckResult> {
  const { state: memory, completeList: whole, resource } = subject;
  const topic = `sort ${sort}`;
  const stray = whole === undefined ? await findMisplacedRecord(subject, sort) : undefined;
  if (stray !== undefined)
    return { topic, verdict: 'refuted', evidence: `${stray} is missing from the page where it belongs`, asked };
  const { property, descending } = parseSortKey(resource, sort);
  const both = memory.consistentSorts.has(descending ? property : `-${property}`);
  const unseen = whole === undefined ? ' by the records received, and not all were read' : '';
  const doubts = [
    ...(natural && !both ? ['the unsorted list is already in this order'] : []),
    ...(whole === undefined && !both
      ? ['not all records were read, and the reverse order is wrong or was not requested']
      : []),
    ...(alike.length > 0 ? [`not distinguished from ${alike.join(', ')}${unseen}`] : []),
  ];
  if (doubts.length > 0)
    return { topic, verdict: 'consistent', evidence: `${evidence}; but ${doubts.join('; ')}`, asked };
  const among = whole === undefined ? '' : `, of ${whole.reference.size} read`;
  const proved = { topic, verdict: 'proved', asked, grant: { sort } } as const;
  if (equal.length === 0) return { ...proved, evidence: `${evidence}${among}` };
  const caution = `holds for texts like those present today: ${equal.join(', ')} would put all of them in the same sequence`;
  return { ...proved, evidence: `${evidence}${among}; it ${caution}`, caution };
}

/** A record, received on any page, that belongs on a received page of this order and is not there. */
async function findMisplacedRecord(subject: ProbedResource, sort: string): Promise<string | undefined> {
  const { state: memory, firstPage: first, resource } = subject;
  const known = collectSeenRecords(subject);
  const order = await known.comparator(sort);
  const size = first.page.total ?? 0;
  for (const { page, range: cut } of memory.sortedPages.get(sort) ?? []) {
    const places = page.records.map((draft) => known.indexOf(draft)).filter((place) => place !== undefined);
    const [low, high] = [places[0], places.at(-1)];
    const here = new Set(places);
    const belongs = (place: number): boolean =>
      (cut.offset === 0 || (low !== undefined && order(low, place) < 0)) &&
      (cut.offset + page.receivedCount >= size || (high !== undefined && order(place, high) < 0));
    const stray = known.records.find((draft, at) => !here.has(at) && known.indexOf(draft) === at && belongs(at));
    if (stray !== undefined) return recordDisplayName(resource, stray);
  }
  return undefined;
}
