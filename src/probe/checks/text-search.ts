import type { DraftRecord } from '../../model/record.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { openResult, provedOrConsistent } from './country-filter.js';
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

async function planTextSearch(known: ReferenceRecords): Promise<TextSearchPlan> {
  const shared = await findSharedFragment(known, 'q');
  return { ...(await planWordSearches(known)), ...(shared !== undefined && { sharedFragment: shared }) };
}

/** Number of requests of `checkTextSearch`, unless a search returns records that do not match before all matches. */
export async function textSearchCost({ pageSize }: ProbedResource, known: ReferenceRecords): Promise<number> {
  const { sharedFragment: shared, searches } = await planTextSearch(known);
  if (shared === undefined) return searches.length;
  const matches = (await known.matchingIndexes({ q: shared }))?.length ?? 0;
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
export async function checkTextSearch(subject: ProbedResource, known: ReferenceRecords): Promise<CheckResult[]> {
  const topic = 'search q';
  const { sharedFragment: shared, searches, untested } = await planTextSearch(known);
  if (searches.length === 0) return openResult(topic, 'no word that occurs in only one property of a record');
  const outcomes: TextSearchResult[] = [];
  for (const q of [...(shared === undefined ? [] : [shared]), ...searches.map((one) => one.q)]) {
    const outcome = await runTextSearch(subject, known, q);
    const {
      targets: asked,
      refused,
      missing,
      expectedCount: matches,
      hasReachedEnd: ended,
      isIgnored: ignored,
    } = outcome;
    if (refused !== undefined) return [{ topic, verdict: 'refuted', evidence: `refused with ${refused}`, asked }];
    const names = missing.slice(0, 3).map((draft) => recordDisplayName(subject.resource, draft));
    const lack = `missing ${missing.length} of ${pluralize(matches, 'matching record')}, such as ${names.join(', ')}`;
    const isOpen = missing.length > 0 && !ignored;
    if (isOpen && ended) return [{ topic, verdict: 'refuted', evidence: lack, asked }];
    if (isOpen)
      return [
        {
          topic,
          verdict: 'open',
          evidence: `${lack}; more results than fit on ${pluralize(MAX_PAGES, 'page')}`,
          asked,
        },
      ];
    outcomes.push(outcome);
  }
  const asked = outcomes.flatMap((outcome) => outcome.targets);
  if (outcomes.every(({ isIgnored: ignored }) => ignored))
    return [{ topic, verdict: 'refuted', evidence: 'ignored: same records as without q', asked }];
  if (outcomes.some(({ isIgnored: ignored, missing }) => ignored && missing.length > 0))
    return [{ topic, verdict: 'open', evidence: 'ignored for some words: same records as without q', asked }];
  const doubts = [
    ...(shared === undefined ? ['no part of a word is shared by some records and not by others'] : []),
    ...(untested.length === 0 ? [] : [`not tested: ${untested.join(', ')}`]),
  ];
  const evidence = `received all matching records in ${outcomes.length} of ${outcomes.length} searches${describeExactness(outcomes)}`;
  return [provedOrConsistent(topic, { evidence, doubts, targets: asked, grant: { search: true } })];
}

/**
 * Describes whether more than the matches was received. The operator may declare `exact` if the source's documentation
 * also says so.
 */
function describeExactness(outcomes: readonly TextSearchResult[]): string {
  const extra = outcomes.reduce((sum, outcome) => sum + outcome.extraCount, 0);
  if (extra > 0) return `, and ${pluralize(extra, 'non-matching record')}, which Rollcall filters out`;
  return outcomes.every(({ hasReachedEnd: ended }) => ended) ? ', and no others' : ', and no others on the pages read';
}

async function runTextSearch(subject: ProbedResource, known: ReferenceRecords, q: string): Promise<TextSearchResult> {
  const { client: line, resource, pageSize } = subject;
  const due = new Map<string, DraftRecord>();
  for (const at of (await known.matchingIndexes({ q })) ?? []) {
    const draft = known.records[at];
    if (draft !== undefined) due.set(recordKey(draft), draft);
  }
  const [matches, asked] = [due.size, [] as string[]];
  const matching = new Set(due.keys());
  const extra = new Set<string>();
  let [offset, ended, isNatural, ignored] = [0, false, true, false];
  for (let page = 0; page < MAX_PAGES && !ended && (page === 0 || due.size > 0); page += 1) {
    // The first page has no room for all matches, so that an `offset` that is ignored together with a search shows.
    const limit = page === 0 && matches > 1 ? Math.min(pageSize, Math.ceil(matches / 2)) : pageSize;
    const answer = await line.tryFetchPage(resource, { q }, { offset, limit });
    asked.push(answer.target);
    if ('refused' in answer)
      return {
        targets: asked,
        expectedCount: matches,
        missing: [],
        extraCount: 0,
        hasReachedEnd: true,
        isIgnored: false,
        refused: answer.refused,
      };
    for (const draft of answer.page.records) {
      const key = recordKey(draft);
      due.delete(key);
      if (!matching.has(key)) extra.add(key);
    }
    isNatural &&= isUnfilteredPage(offset, known, answer.page.records);
    ignored = isNatural && extra.size > 0;
    if (ignored) break;
    offset += answer.page.receivedCount;
    ended = answer.page.receivedCount < limit;
  }
  return {
    targets: asked,
    expectedCount: matches,
    missing: [...due.values()],
    extraCount: extra.size,
    hasReachedEnd: ended,
    isIgnored: ignored,
  };
}

/** Whether these are the records of the unfiltered list at this offset. */
function isUnfilteredPage(offset: number, known: ReferenceRecords, drafts: readonly DraftRecord[]): boolean {
  return drafts.every((draft, at) => {
    const one = known.records[offset + at];
    return one !== undefined && recordKey(draft) === recordKey(one);
  });
}
