import { createHash } from 'node:crypto';
import type { Draft, HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { inTurns } from '../model/slices.js';
import { compareCodePoints } from '../text/code-points.js';
import { fold } from '../text/fold.js';

/** Records with their ids. */
export interface Identified {
  readonly records: readonly HeldRecord[];
  /** Ids of those that share their slug with others of the source: which of them has which is decided among what came. */
  readonly contested: ReadonlySet<string>;
  /** Positions among what came of two that are the very same record, in all that they say; of several, of each with the next one. */
  readonly alike: readonly (readonly [one: number, other: number])[];
  /** Positions among what came of two that have the same id of the source's own, and are not alike: of an integer id, the first one of them is kept. */
  readonly repeated: readonly (readonly [one: number, other: number])[];
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Gives every record of a source its id (decisions.md, section 4, "Ids"). Integer ids are there already; of two records with
 * the same one only the first is kept, for the other could never be asked for. Teams get `<code>.<slug>`.
 */
export function identify(resource: Resource, code: string, drafts: readonly Draft[]): Promise<Identified> {
  return resource.id === 'integer' ? byInteger(resource, drafts) : bySlug(resource, code, drafts);
}

async function byInteger(resource: Resource, drafts: readonly Draft[]): Promise<Identified> {
  const position = positionOf(resource, 'id');
  const seen = new Map<unknown, number>();
  const records: HeldRecord[] = [];
  const repeated: (readonly [number, number])[] = [];
  let at = -1;
  await inTurns(drafts, (draft) => {
    at += 1;
    const id = draft.value(position);
    const first = seen.get(id);
    if (first !== undefined) {
      repeated.push([first, at]);
      return;
    }
    seen.set(id, at);
    draft.id = String(id);
    records.push(draft);
  });
  return { records, contested: NONE, alike: [], repeated };
}

/**
 * A team's slug is its source's own id, or made of its short name. Of several that claim one slug, one keeps it and the others
 * get `~` and a hash; which one is decided by their content, so ids do not depend on the order in which an upstream sends.
 */
async function bySlug(resource: Resource, code: string, drafts: readonly Draft[]): Promise<Identified> {
  const shown = resource.id === 'slug' ? positionOf(resource, 'id') : -1;
  const name = positionOf(resource, resource.names[0] ?? '');
  const slugs: string[] = [];
  await inTurns(drafts, (draft) => slugs.push(String(draft.value(shown) ?? slugOf(String(draft.value(name) ?? '')))));
  const without: Claimant[] = [];
  const alike: (readonly [number, number])[] = [];
  const repeated: (readonly [number, number])[] = [];
  const rivals: number[] = [];
  for (const [slug, claimants] of await contested(slugs)) {
    if (claimants.length > 1) for (const at of claimants) rivals.push(at);
    const inOrder = await inOrderOfContent({ resource, shown, drafts }, claimants);
    inOrder.forEach(({ at, key }, nth) => {
      const before = inOrder[nth - 1];
      if (before?.key === key) alike.push([before.at, at]);
      else if (before !== undefined && isOwn(before) && isOwn({ key })) repeated.push([before.at, at]);
    });
    for (const claimant of slug === '' ? inOrder : inOrder.slice(1)) without.push(claimant);
  }
  const taken = new Taken();
  if (without.length > 0) await inTurns(slugs, (slug) => taken.add(slug));
  // All together, for two hashes of different slugs may show the same digits.
  for (const { at, hash } of without.sort(byContent)) slugs[at] = taken.further(hash);
  const records: HeldRecord[] = [];
  await inTurns(drafts, (draft) => records.push(held(draft, [code, slugs[records.length]])));
  return { records, contested: new Set(rivals.map((at) => records[at]?.id ?? '')), alike, repeated };
}

function held(draft: Draft, parts: readonly (string | undefined)[]): HeldRecord {
  // Joined and not written as a template, for what that gives is two texts until somebody compares it.
  draft.id = parts.join('.');
  return draft;
}

function slugOf(name: string): string {
  return (
    fold(name)
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? ''
  );
}

/** Positions of the records of each slug that is not one record's own: it has several claimants, or is empty. */
async function contested(slugs: readonly string[]): Promise<Map<string, number[]>> {
  const firsts = new Map<string, number>();
  const groups = new Map<string, number[]>([['', []]]);
  let at = 0;
  await inTurns(slugs, (slug) => {
    const first = firsts.get(slug);
    const group = groups.get(slug);
    if (group !== undefined) group.push(at);
    else if (first !== undefined) groups.set(slug, [first, at]);
    else firsts.set(slug, at);
    at += 1;
  });
  return groups;
}

interface Claimant {
  readonly at: number;
  readonly hash: string;
  /** Whether the slug is made, then the hash, then a digest of all of the record. */
  readonly key: string;
}

/** Whether the slug is the source's own id. */
function isOwn({ key }: Pick<Claimant, 'key'>): boolean {
  return key.startsWith('0');
}

function byContent(a: Claimant, b: Claimant): number {
  return compareCodePoints(a.key, b.key);
}

interface Claim {
  readonly resource: Resource;
  /** Position of the source's own id, or -1. */
  readonly shown: number;
  readonly drafts: readonly Draft[];
}

/** Those with an id of their own come first: a slug that is made must not take theirs. */
async function inOrderOfContent(
  { resource, shown, drafts }: Claim,
  claimants: readonly number[],
): Promise<readonly Claimant[]> {
  const keyed: Claimant[] = [];
  await inTurns(claimants, (at) => {
    const draft = drafts[at];
    if (draft === undefined) return;
    const hash = hashed(resource, draft);
    const made = draft.value(shown) === undefined ? 1 : 0;
    // A digest of all of it, for thousands of long records that are alike take their time to be compared.
    keyed.push({
      at,
      hash,
      key: `${made} ${hash} ${sha256(JSON.stringify({ values: draft.values, further: draft.further }))}`,
    });
  });
  return keyed.sort(byContent);
}

/** Names, country and e-mail of a team as one text: what one of several with the same slug is known by. */
export function factsOf(resource: Resource, record: HeldRecord): string {
  const facts = [...resource.names, ...resource.countries.slice(0, 1), resource.email ?? ''];
  return JSON.stringify(facts.map((property) => String(record.value(positionOf(resource, property)) ?? '')));
}

/** SHA-256 over these, of which eight hexadecimal digits are shown. */
function hashed(resource: Resource, draft: Draft): string {
  return `~${sha256(factsOf(resource, draft)).slice(0, 8)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The slugs of a source that are given. */
class Taken {
  private readonly slugs = new Set<string>();
  /** By hash: the counter that was given last, for thousands of records may be alike. */
  private readonly counters = new Map<string, number>();

  add(slug: string): void {
    this.slugs.add(slug);
  }

  /** The hash, or it with a counter where another record has it: one that is alike in all that the hash covers, or has it as its own id. */
  further(hash: string): string {
    let count = this.counters.get(hash) ?? 1;
    let slug = count === 1 ? hash : `${hash}-${count}`;
    for (; this.slugs.has(slug); slug = `${hash}-${count}`) count += 1;
    this.slugs.add(slug);
    this.counters.set(hash, count);
    return slug;
  }
}
