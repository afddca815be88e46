import type { Draft } from '../model/record.js';
import { counted } from './finding.js';
import type { Answered } from './finding.js';
import { open, told } from './filters.js';
import { keyOf, nameOf } from './known.js';
import type { Known } from './known.js';
import type { Subject } from './subject.js';
import { sharedFragment } from './searches.js';
import { wordSearches } from './search-words.js';
import type { WordSearches } from './search-words.js';

/** Pages of one search that are read at most, while records that match have not come; they have room for all that a search asks for. */
const PAGES = 8;

/** The searches that are asked for. */
interface Plan extends WordSearches {
  /** A part of a word that several records share: one of them may be left out. */
  readonly shared?: string;
}

async function planOf(known: Known): Promise<Plan> {
  const shared = await sharedFragment(known, 'q');
  return { ...(await wordSearches(known)), ...(shared !== undefined && { shared }) };
}

/** Requests of `askSearch`, where no search gives more than matches before all matches came. */
export async function searchCost({ pageSize }: Subject, known: Known): Promise<number> {
  const { shared, searches } = await planOf(known);
  if (shared === undefined) return searches.length;
  const matches = (await known.exact({ q: shared }))?.length ?? 0;
  const rest = matches - Math.min(pageSize, Math.ceil(matches / 2));
  return searches.length + 1 + Math.ceil(rest / pageSize);
}

/** What came for one search. */
interface Outcome {
  readonly asked: readonly string[];
  readonly matches: number;
  /** Matches that did not come. */
  readonly missing: readonly Draft[];
  /** Records that came and do not match. */
  readonly extra: number;
  /** Whether all was read that the source has for it. */
  readonly ended: boolean;
  /** Whether what came were the first of all records, as if nothing had been searched for. */
  readonly ignored: boolean;
  readonly refused?: string;
}

/**
 * `q` (decisions.md, section 5, `search: true`): whether the source returns no less than the records that match as defined in section 2. One search
 * for what several records share, and some for words of one record each, which test every property that is searched and all that is folded. That
 * it returns no more is said where it was so, and no part of what is proved.
 */
export async function askSearch(subject: Subject, known: Known): Promise<Answered[]> {
  const topic = 'search q';
  const { shared, searches, untested } = await planOf(known);
  if (searches.length === 0) return open(topic, 'no words that occur in one property of a record only');
  const outcomes: Outcome[] = [];
  for (const q of [...(shared === undefined ? [] : [shared]), ...searches.map((one) => one.q)]) {
    const outcome = await searchFor(subject, known, q);
    const { asked, refused, missing, matches, ended, ignored } = outcome;
    if (refused !== undefined) return [{ topic, verdict: 'refuted', evidence: `refused with ${refused}`, asked }];
    const names = missing.slice(0, 3).map((draft) => nameOf(subject.resource, draft));
    const lack = `${missing.length} of ${matches} did not come, such as ${names.join(', ')}`;
    const isOpen = missing.length > 0 && !ignored;
    if (isOpen && ended) return [{ topic, verdict: 'refuted', evidence: lack, asked }];
    if (isOpen)
      return [{ topic, verdict: 'open', evidence: `${lack}; more came than ${counted(PAGES, 'page')} hold`, asked }];
    outcomes.push(outcome);
  }
  const asked = outcomes.flatMap((outcome) => outcome.asked);
  if (outcomes.every(({ ignored }) => ignored))
    return [{ topic, verdict: 'refuted', evidence: 'ignored: what came was the same as without it', asked }];
  if (outcomes.some(({ ignored, missing }) => ignored && missing.length > 0))
    return [
      { topic, verdict: 'open', evidence: 'ignored for some words: what came was the same as without it', asked },
    ];
  const doubts = [
    ...(shared === undefined ? ['no part of a word is shared by some records and not by others'] : []),
    ...(untested.length === 0 ? [] : [`not tested: ${untested.join(', ')}`]),
  ];
  const evidence = `all that match came in ${outcomes.length} of ${outcomes.length} searches${exactness(outcomes)}`;
  return [told(topic, { evidence, doubts, asked, grant: { search: true } })];
}

/** Whether more came than matches: what the operator may declare as `exact`, if the source's own documentation says so too. */
function exactness(outcomes: readonly Outcome[]): string {
  const extra = outcomes.reduce((sum, outcome) => sum + outcome.extra, 0);
  if (extra > 0) return `, and ${counted(extra, 'record')} that do not match, which are filtered again`;
  return outcomes.every(({ ended }) => ended) ? ', and no other' : ', and no other on the pages that were read';
}

async function searchFor(subject: Subject, known: Known, q: string): Promise<Outcome> {
  const { line, resource, pageSize } = subject;
  const due = new Map<string, Draft>();
  for (const at of (await known.exact({ q })) ?? []) {
    const draft = known.drafts[at];
    if (draft !== undefined) due.set(keyOf(draft), draft);
  }
  const [matches, asked] = [due.size, [] as string[]];
  const matching = new Set(due.keys());
  const extra = new Set<string>();
  let [offset, ended, isNatural, ignored] = [0, false, true, false];
  for (let page = 0; page < PAGES && !ended && (page === 0 || due.size > 0); page += 1) {
    // The first page has no room for all, so that an offset that is ignored beside a search shows.
    const limit = page === 0 && matches > 1 ? Math.min(pageSize, Math.ceil(matches / 2)) : pageSize;
    const answer = await line.ask(resource, { q }, { offset, limit });
    asked.push(answer.target);
    if ('refused' in answer)
      return { asked, matches, missing: [], extra: 0, ended: true, ignored: false, refused: answer.refused };
    for (const draft of answer.page.records) {
      const key = keyOf(draft);
      due.delete(key);
      if (!matching.has(key)) extra.add(key);
    }
    isNatural &&= standAt(offset, known, answer.page.records);
    ignored = isNatural && extra.size > 0;
    if (ignored) break;
    offset += answer.page.received;
    ended = answer.page.received < limit;
  }
  return { asked, matches, missing: [...due.values()], extra: extra.size, ended, ignored };
}

/** Whether these are the records that stand at an offset when all are asked for. */
function standAt(offset: number, known: Known, drafts: readonly Draft[]): boolean {
  return drafts.every((draft, at) => {
    const one = known.drafts[offset + at];
    return one !== undefined && keyOf(draft) === keyOf(one);
  });
}
