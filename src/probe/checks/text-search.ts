import type { DraftRecord } from '../../model/record.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { openResult, provedOrConsistent } from './conclude-check.js';
import { recordKey, recordDisplayName } from '../resource/reference-records.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import type { ProbedResource } from '../resource/probed-resource.js';
import { findSharedFragment } from './team-and-region-search.js';
import { planWordSearches } from './text-search-words.js';
import type { WordSearchPlan } from './text-search-words.js';

/**
 * Maximum number of pages read for one search while matching records are missing. They have room for all matches of
 * any of the searches.
 */
const MAX_PAGES = 8;

/** The searches to send. */
interface TextSearchPlan extends WordSearchPlan {
  /** A part of a word that several records share, so that omitting one of them shows. */
  readonly sharedFragment?: string;
}

async function planTextSearch(reference: ReferenceRecords): Promise<TextSearchPlan> {
  const sharedFragment = await findSharedFragment(reference, 'q');
  return { ...(await planWordSearches(reference)), ...(sharedFragment !== undefined && { sharedFragment }) };
}

/** Number of requests of `checkTextSearch`, unless a search returns records that do not match before all matches. */
export async function textSearchCost({ pageSize }: ProbedResource, reference: ReferenceRecords): Promise<number> {
  const { sharedFragment, searches } = await planTextSearch(reference);
  if (sharedFragment === undefined) return searches.length;
  const matches = (await reference.matchingIndexes({ q: sharedFragment }))?.length ?? 0;
  const rest = matches - Math.min(pageSize, Math.ceil(matches / 2));
  return searches.length + 1 + Math.ceil(rest / pageSize);
}

/** Result of one search. */
interface TextSearchResult {
  readonly targets: readonly string[];
  readonly expectedCount: number;
  /** Matching records that were not received. */
  readonly missing: readonly DraftRecord[];
  /** Number of records received that do not match. */
  readonly extraCount: number;
  /** Whether all results of the source were read. */
  readonly hasReachedEnd: boolean;
  /** Whether the records received are the first of the unfiltered list, as if there were no search. */
  readonly isIgnored: boolean;
  readonly refused?: string;
}

/**
 * Checks `q`: whether the source returns no less than the matching records (decisions 5.13, 2.27). One search matches
 * several records. The others match words of one record each and test every searched property and every kind of
 * folding. Whether the source also returns no more is reported but not proved.
 */
export async function checkTextSearch(subject: ProbedResource, reference: ReferenceRecords): Promise<CheckResult[]> {
  const topic = 'search q';
  const { sharedFragment, searches, untested } = await planTextSearch(reference);
  if (searches.length === 0) return openResult(topic, 'no word that occurs in only one property of a record');
  const outcomes: TextSearchResult[] = [];
  for (const q of [...(sharedFragment === undefined ? [] : [sharedFragment]), ...searches.map((search) => search.q)]) {
    const outcome = await runTextSearch(subject, reference, q);
    const { targets, refused, missing, expectedCount: matches, hasReachedEnd, isIgnored } = outcome;
    if (refused !== undefined)
      return [{ topic, verdict: 'refuted', evidence: `refused with ${refused}`, asked: targets }];
    const names = missing.slice(0, 3).map((draft) => recordDisplayName(subject.resource, draft));
    const missingText = `missing ${missing.length} of ${pluralize(matches, 'matching record')}, such as ${names.join(', ')}`;
    const isIncomplete = missing.length > 0 && !isIgnored;
    if (isIncomplete && hasReachedEnd) return [{ topic, verdict: 'refuted', evidence: missingText, asked: targets }];
    if (isIncomplete)
      return [
        {
          topic,
          verdict: 'open',
          evidence: `${missingText}; more results than fit on ${pluralize(MAX_PAGES, 'page')}`,
          asked: targets,
        },
      ];
    outcomes.push(outcome);
  }
  const targets = outcomes.flatMap((outcome) => outcome.targets);
  if (outcomes.every(({ isIgnored }) => isIgnored))
    return [{ topic, verdict: 'refuted', evidence: 'ignored: same records as without q', asked: targets }];
  if (outcomes.some(({ isIgnored, missing }) => isIgnored && missing.length > 0))
    return [{ topic, verdict: 'open', evidence: 'ignored for some words: same records as without q', asked: targets }];
  const doubts = [
    ...(sharedFragment === undefined ? ['no part of a word is shared by some records and not by others'] : []),
    ...(untested.length === 0 ? [] : [`not tested: ${untested.join(', ')}`]),
  ];
  const evidence = `received all matching records in ${outcomes.length} of ${outcomes.length} searches${describeExactness(outcomes)}`;
  return [provedOrConsistent(topic, { evidence, doubts, targets, grant: { search: true } })];
}

/**
 * Describes whether more than the matches was received. The operator may declare `exact` if the source's documentation
 * also says so.
 */
function describeExactness(outcomes: readonly TextSearchResult[]): string {
  const extra = outcomes.reduce((sum, outcome) => sum + outcome.extraCount, 0);
  if (extra > 0) return `, and ${pluralize(extra, 'non-matching record')}, which Rollcall filters out`;
  return outcomes.every(({ hasReachedEnd }) => hasReachedEnd) ? ', and no others' : ', and no others on the pages read';
}

async function runTextSearch(
  subject: ProbedResource,
  reference: ReferenceRecords,
  q: string,
): Promise<TextSearchResult> {
  const { client, resource, pageSize } = subject;
  const missing = new Map<string, DraftRecord>();
  for (const at of (await reference.matchingIndexes({ q })) ?? []) {
    const draft = reference.records[at];
    if (draft !== undefined) missing.set(recordKey(draft), draft);
  }
  const [matches, targets] = [missing.size, [] as string[]];
  const matching = new Set(missing.keys());
  const extra = new Set<string>();
  let [offset, hasReachedEnd, isNatural, isIgnored] = [0, false, true, false];
  for (let page = 0; page < MAX_PAGES && !hasReachedEnd && (page === 0 || missing.size > 0); page += 1) {
    // The first page has no room for all matches, so that an `offset` that is ignored together with a search shows.
    const limit = page === 0 && matches > 1 ? Math.min(pageSize, Math.ceil(matches / 2)) : pageSize;
    const response = await client.tryFetchPage(resource, { q }, { offset, limit });
    targets.push(response.target);
    if ('refused' in response)
      return {
        targets,
        expectedCount: matches,
        missing: [],
        extraCount: 0,
        hasReachedEnd: true,
        isIgnored: false,
        refused: response.refused,
      };
    for (const draft of response.page.records) {
      const key = recordKey(draft);
      missing.delete(key);
      if (!matching.has(key)) extra.add(key);
    }
    isNatural &&= isUnfilteredPage(offset, reference, response.page.records);
    isIgnored = isNatural && extra.size > 0;
    if (isIgnored) break;
    offset += response.page.receivedCount;
    hasReachedEnd = response.page.receivedCount < limit;
  }
  return {
    targets,
    expectedCount: matches,
    missing: [...missing.values()],
    extraCount: extra.size,
    hasReachedEnd,
    isIgnored,
  };
}

/** Whether these are the records of the unfiltered list at this offset. */
function isUnfilteredPage(offset: number, reference: ReferenceRecords, drafts: readonly DraftRecord[]): boolean {
  return drafts.every((draft, at) => {
    const expected = reference.records[offset + at];
    return expected !== undefined && recordKey(draft) === recordKey(expected);
  });
}
