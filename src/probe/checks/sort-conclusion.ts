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
    [...subject.observations.consistentSorts].map(([sort, ordering]) => concludeSort(subject, sort, ordering)),
  );
}

async function concludeSort(
  subject: ProbedResource,
  sort: string,
  { targets, evidence, indistinguishableOrders, equivalentOrders, isNaturalOrder }: SortObservation,
): Promise<CheckResult> {
  const { observations, completeList, resource } = subject;
  const topic = `sort ${sort}`;
  const misplaced = completeList === undefined ? await findMisplacedRecord(subject, sort) : undefined;
  if (misplaced !== undefined)
    return {
      topic,
      verdict: 'refuted',
      evidence: `${misplaced} is missing from the page where it belongs`,
      asked: targets,
    };
  const { property, descending } = parseSortKey(resource, sort);
  const hasReverse = observations.consistentSorts.has(descending ? property : `-${property}`);
  const qualification = completeList === undefined ? ' by the records received, and not all were read' : '';
  const doubts = [
    ...(isNaturalOrder && !hasReverse ? ['the unsorted list is already in this order'] : []),
    ...(completeList === undefined && !hasReverse
      ? ['not all records were read, and the reverse order is wrong or was not requested']
      : []),
    ...(indistinguishableOrders.length > 0
      ? [`not distinguished from ${indistinguishableOrders.join(', ')}${qualification}`]
      : []),
  ];
  if (doubts.length > 0)
    return { topic, verdict: 'consistent', evidence: `${evidence}; but ${doubts.join('; ')}`, asked: targets };
  const scope = completeList === undefined ? '' : `, of ${completeList.reference.size} read`;
  const proved = { topic, verdict: 'proved', asked: targets, grant: { sort } } as const;
  if (equivalentOrders.length === 0) return { ...proved, evidence: `${evidence}${scope}` };
  const caution = `holds for texts like those present today: ${equivalentOrders.join(', ')} would put all of them in the same sequence`;
  return { ...proved, evidence: `${evidence}${scope}; it ${caution}`, caution };
}

/** A record, received on any page, that belongs on a received page of this order and is not there. */
async function findMisplacedRecord(subject: ProbedResource, sort: string): Promise<string | undefined> {
  const { observations, firstPage: first, resource } = subject;
  const reference = collectSeenRecords(subject);
  const compare = await reference.comparator(sort);
  const size = first.page.total ?? 0;
  for (const { page, range } of observations.sortedPages.get(sort) ?? []) {
    const indexes = page.records.map((draft) => reference.indexOf(draft)).filter((index) => index !== undefined);
    const [low, high] = [indexes[0], indexes.at(-1)];
    const onPage = new Set(indexes);
    const belongs = (index: number): boolean =>
      (range.offset === 0 || (low !== undefined && compare(low, index) < 0)) &&
      (range.offset + page.receivedCount >= size || (high !== undefined && compare(index, high) < 0));
    const misplaced = reference.records.find(
      (draft, at) => !onPage.has(at) && reference.indexOf(draft) === at && belongs(at),
    );
    if (misplaced !== undefined) return recordDisplayName(resource, misplaced);
  }
  return undefined;
}
