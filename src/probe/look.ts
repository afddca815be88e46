import type { Draft } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import type { Vocabulary } from '../query/vocabulary.js';
import type { Parameters } from '../source/dialect.js';
import { drain } from '../source/drain.js';
import type { Drained } from '../source/drain.js';
import { SourceFailure } from '../source/failure.js';
import type { FetchPage } from '../source/page.js';
import { requireReadable } from '../source/read-body.js';
import { drainPastWindow } from '../source/window.js';
import { Known } from './known.js';
import type { Answer, Line } from './line.js';
import { Spent } from './purse.js';
import { counted } from './finding.js';
import type { Lack, Subject, Whole } from './subject.js';

/** Records of one large page at most: more is not asked of a source that nobody knows. */
const LARGE = 1_000;

/** A large page is so many times the registered one. */
const TIMES = 10;

/** What a first look at a resource brought. */
export interface Look extends Pick<
  Subject,
  'line' | 'resource' | 'vocabulary' | 'first' | 'pageSize' | 'limitMax' | 'looked'
> {
  /** Records of the page that the drain begins with: it need not be asked for again. */
  readonly step: number;
}

/** Asks for the first page; where it is full, for a larger one, which tells how large a page may be. Rejects when the first page fails. */
export async function look(line: Line, resource: Resource, vocabulary: Vocabulary): Promise<Look> {
  const limit = line.registration.pageSize;
  const first = await line.fetch(resource, {}, { offset: 0, limit });
  requireReadable(first.page, resource);
  const base = { line, resource, vocabulary, first };
  const { received, total } = first.page;
  const capped = received < limit && total !== undefined && received < total && received > 0;
  if (capped) return { ...base, pageSize: received, limitMax: received, looked: [first], step: limit };
  const whole = received !== limit || total === received || line.left === 0;
  if (whole) return { ...base, pageSize: limit, looked: [first], step: limit };
  return { ...base, ...(await larger(line, resource, first)) };
}

/** What a larger page than the registered one tells. */
async function larger(
  line: Line,
  resource: Resource,
  first: Answer,
): Promise<Pick<Look, 'pageSize' | 'limitMax' | 'looked' | 'step'>> {
  const { limit } = first.cut;
  const { total = Infinity } = first.page;
  const wanted = Math.max(limit, Math.min(limit * TIMES, LARGE, total));
  const answer = await line.ask(resource, {}, { offset: 0, limit: wanted });
  const usual = { pageSize: limit, step: limit, looked: [first] };
  if ('refused' in answer) return { ...usual, limitMax: limit };
  const { received } = answer.page;
  const looked = [first, answer];
  const sane = received >= limit && received <= wanted;
  // As many as there are says nothing of how many there could be.
  const known = sane && (received === wanted ? wanted !== total : Number.isFinite(total)) ? { limitMax: received } : {};
  return { ...usual, ...known, looked, step: sane ? wanted : limit };
}

/** Requests that a drain takes from here on, at most; undefined where the source does not count, or not rightly. */
export function drainCost({ first, looked, step }: Look): number | undefined {
  const { total } = first.page;
  const start = looked.at(-1)?.page.received ?? 0;
  if (start === 0) return 0;
  if (total === undefined) return start < step ? 1 : undefined;
  if (start > total) return undefined;
  return Math.ceil(total / start) - 1 + (total % start === 0 ? 1 : 0);
}

/**
 * Reads all that a resource has. What is in doubt, or takes more requests than are left, is no ground to compare answers with: `lacks` says why.
 */
export async function readWhole(look: Look): Promise<Pick<Subject, 'whole' | 'lacks'>> {
  const { line, resource, vocabulary } = look;
  const before = line.spent;
  const pages = pagesOf(look);
  const bounds = { pageSize: look.step, concurrency: 1, bytes: Infinity, records: Infinity };
  try {
    const drained = await (resource.window < Infinity ? drainPastWindow(pages, bounds) : drain(pages({}), bounds));
    const lacks = doubtOf(drained, line) ?? twins(resource, drained.records);
    if (lacks !== undefined) return { lacks: { why: lacks, large: false } };
    const known = new Known(vocabulary, drained.records);
    const whole: Whole = { known, requests: line.spent - before + look.looked.length, findings: drained.findings };
    return { whole };
  } catch (error) {
    if (error instanceof Spent) return { lacks: tooMuch(drainCost(look)) };
    if (!(error instanceof SourceFailure)) throw error;
    return { lacks: { why: `a page that failed (${error.message})`, large: false } };
  }
}

/** `requests` is what it would take, where that is known. */
export function tooMuch(requests: number | undefined): Lack {
  const takes = requests === undefined ? 'nobody knows how many requests' : counted(requests, 'further request');
  return { why: `reading all takes ${takes}`, large: true };
}

/** Pages of the resource; those that came already are handed over once, for a drain that starts again must see anew. */
function pagesOf({ line, resource, looked }: Look): (parameters: Parameters) => FetchPage<Draft> {
  const given = new Map(looked.map((answer) => [answer.url.href, answer]));
  return (parameters) => async (offset, limit) => {
    const known = [...given.values()].find(
      ({ cut }) => Object.keys(parameters).length === 0 && cut.offset === offset && cut.limit === limit,
    );
    if (known !== undefined) given.delete(known.url.href);
    return (known ?? (await line.fetch(resource, parameters, { offset, limit }))).page;
  };
}

/** Of two records with one id this house shows one: what the source counts and gives is something else. */
function twins(resource: Resource, drafts: readonly Draft[]): string | undefined {
  const position = positionOf(resource, 'id');
  const ids = drafts.map((draft) => draft.value(position)).filter((id) => id !== undefined);
  return resource.id === 'integer' && new Set(ids).size < ids.length ? 'several records with one id' : undefined;
}

/** Why what was read is not surely all, or not surely what the source would filter. */
function doubtOf({ doubt }: Drained<Draft>, line: Line): string | undefined {
  if (doubt !== undefined) return `a doubt whether what was read is all (${doubt})`;
  return line.doubtful ? 'an aggregate whose own answer was not complete' : undefined;
}
