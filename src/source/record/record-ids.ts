import { createHash } from 'node:crypto';
import type { DraftRecord, StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { ContestedIds } from '../../records/record-set.js';
import { compareCodePoints } from '../../text/code-point-order.js';
import { foldText } from '../../text/text-folding.js';
import { assignNumbers } from './hash-textual-ids.js';
import type { AssignedNumbers } from './hash-textual-ids.js';
import { ID_FACTOR } from './record-reader.js';

export interface IdentifiedRecords {
  readonly records: readonly StoredRecord[];
  /** Of records that claim the same slug, by the id that each would have alone (decisions 4.18). */
  readonly contestedIds: ContestedIds;
  /** Positions of received records identical in all properties; of more than two, each is paired with the next. */
  readonly identicalPairs: readonly (readonly [one: number, other: number])[];
  /**
   * Positions of received records with the same own id that are not in `identicalPairs`. Of records with the same
   * integer id only the first is kept.
   */
  readonly repeatedIdPairs: readonly (readonly [one: number, other: number])[];
  /** The source's own ids that another record is given, or could be given (decisions 4.17). */
  readonly collisions: number;
}

/**
 * Integer ids are read with the records, textual ones of news get numbers; of records with the same id only the first
 * is kept, because the others could never be requested. Teams get `<code>.<slug>`.
 */
export function assignIds(
  resource: Resource,
  { code, number }: { readonly code: string; readonly number: number },
  drafts: readonly DraftRecord[],
): Promise<IdentifiedRecords> {
  switch (resource.idKind) {
    case 'integer':
      return assignIntegerIds(resource, number, drafts);
    case 'identity':
      return assignIdentities(resource, drafts);
    case 'slug':
    case 'hidden':
      return assignSlugIds(resource, code, drafts);
  }
}

const UNCONTESTED = { contestedIds: new Map(), identicalPairs: [], repeatedIdPairs: [], collisions: 0 } as const;

/** Several items may share the identity with which records were read (decisions 4.32.3). */
async function assignIdentities(resource: Resource, drafts: readonly DraftRecord[]): Promise<IdentifiedRecords> {
  const position = findPropertyPosition(resource, 'identity');
  await forEachTimeSliced(drafts, (draft) => {
    draft.id = String(draft.valueAt(position));
  });
  return { records: drafts, ...UNCONTESTED };
}

async function assignIntegerIds(
  resource: Resource,
  sourceNumber: number,
  drafts: readonly DraftRecord[],
): Promise<IdentifiedRecords> {
  const position = findPropertyPosition(resource, 'id');
  const { numbers, collisions } = await numberTextualIds(drafts, (draft) =>
    Math.floor(Number(draft.valueAt(position)) / ID_FACTOR),
  );
  const seen = new Map<unknown, number>();
  const records: StoredRecord[] = [];
  const repeatedIdPairs: (readonly [number, number])[] = [];
  let at = -1;
  await forEachTimeSliced(drafts, (draft) => {
    at += 1;
    const number = numbers.get(draft.id);
    const id = number === undefined ? draft.valueAt(position) : number * ID_FACTOR + sourceNumber;
    const first = seen.get(id);
    if (first !== undefined) {
      repeatedIdPairs.push([first, at]);
      return;
    }
    seen.set(id, at);
    draft.id = String(id);
    records.push(draft);
  });
  return { records, ...UNCONTESTED, repeatedIdPairs, collisions };
}

/** An integer id of the list stays with its item. */
async function numberTextualIds(
  drafts: readonly DraftRecord[],
  integerOf: (draft: DraftRecord) => number,
): Promise<AssignedNumbers> {
  const texts: string[] = [];
  const integers: DraftRecord[] = [];
  await forEachTimeSliced(drafts, (draft) => {
    if (draft.id === '') integers.push(draft);
    else texts.push(draft.id);
  });
  return assignNumbers(texts, { taken: texts.length === 0 ? [] : integers.map(integerOf) });
}

/**
 * The slug is the source's own id or is derived from the short name. If several records claim one, all of them get `~`
 * and a hash of their content instead, and so does the claimant of a slug of that form. So ids do not depend on the
 * order of records, and a newcomer never inherits another team's id.
 */
async function assignSlugIds(
  resource: Resource,
  code: string,
  drafts: readonly DraftRecord[],
): Promise<IdentifiedRecords> {
  const idPosition = resource.idKind === 'slug' ? findPropertyPosition(resource, 'id') : -1;
  const name = findPropertyPosition(resource, resource.nameProperties[0] ?? '');
  const slugs: string[] = [];
  await forEachTimeSliced(drafts, (draft) => {
    const slug = ownSlug(draft, idPosition) ?? slugify(String(draft.valueAt(name) ?? ''));
    slugs.push(slug.length > MAX_SLUG_LENGTH ? '' : slug);
  });
  const withoutSlug: SlugCandidate[] = [];
  const copies = new Set<number>();
  const identicalPairs: (readonly [number, number])[] = [];
  const repeatedIdPairs: (readonly [number, number])[] = [];
  const contestedPositions = new Map<string, readonly number[]>();
  let collisions = 0;
  for (const [slug, claimants] of await groupSharedSlugs(slugs)) {
    const sorted = await sortCandidates({ resource, idPosition, drafts }, claimants);
    sorted.forEach(({ position: at, sortKey: key }, nth) => {
      const before = sorted[nth - 1];
      if (before?.sortKey === key) {
        identicalPairs.push([before.position, at]);
        // Only a document's expression `id` gives a draft its id.
        if (drafts[at]?.id !== '') copies.add(at);
      } else if (before !== undefined && hasOwnId(before) && hasOwnId({ sortKey: key }))
        repeatedIdPairs.push([before.position, at]);
    });
    const remaining = sorted.filter(({ position: at }) => !copies.has(at));
    const isComputedForm = COMPUTED_SLUG.test(slug);
    if (isComputedForm) collisions += remaining.length;
    else if (slug !== '' && remaining.length === 1) continue;
    if (claimants.length > 1 || isComputedForm)
      contestedPositions.set(
        slug,
        claimants.filter((at) => !copies.has(at)),
      );
    for (const claimant of remaining) withoutSlug.push(claimant);
  }
  // In one order: records with different slugs may have the same hash digits.
  const counts = new Map<string, number>();
  for (const { position: at, hash } of withoutSlug.sort(compareCandidates)) {
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    slugs[at] = count === 1 ? hash : `${hash}-${count}`;
  }
  let position = 0;
  await forEachTimeSliced(drafts, (draft) => {
    setQualifiedId(draft, [code, slugs[position]]);
    position += 1;
  });
  return {
    records: copies.size === 0 ? drafts : drafts.filter((_, at) => !copies.has(at)),
    contestedIds: new Map(
      [...contestedPositions].map(([slug, positions]) => [
        [code, slug].join('.'),
        positions.map((at) => drafts[at]?.id ?? ''),
      ]),
    ),
    identicalPairs,
    repeatedIdPairs,
    collisions,
  };
}

/** In characters. A page has the address of its team many times. */
const MAX_SLUG_LENGTH = 200;

/** A document's expression for the id, else the property at `idPosition`. */
function ownSlug(draft: DraftRecord, idPosition: number): string | undefined {
  const id = draft.id === '' ? draft.valueAt(idPosition) : draft.id;
  return id === undefined ? undefined : String(id);
}

function setQualifiedId(draft: DraftRecord, parts: readonly (string | undefined)[]): StoredRecord {
  // V8 keeps the result of a template literal, unlike that of `join`, as two parts until it is compared.
  draft.id = parts.join('.');
  return draft;
}

function slugify(name: string): string {
  return (
    foldText(name)
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? ''
  );
}

/** Claimants of the empty slug, which stands for a too long one too, of slugs of the computed form, and of slugs that several claim. */
async function groupSharedSlugs(slugs: readonly string[]): Promise<Map<string, number[]>> {
  const firsts = new Map<string, number>();
  const groups = new Map<string, number[]>([['', []]]);
  let at = 0;
  await forEachTimeSliced(slugs, (slug) => {
    const first = firsts.get(slug);
    const group = groups.get(slug);
    if (group !== undefined) group.push(at);
    else if (first !== undefined) groups.set(slug, [first, at]);
    else if (COMPUTED_SLUG.test(slug)) groups.set(slug, [at]);
    else firsts.set(slug, at);
    at += 1;
  });
  return groups;
}

interface SlugCandidate {
  readonly position: number;
  readonly hash: string;
  /** `0` for the source's own id, `1` for a derived slug; then the hash; then a digest of the whole record. */
  readonly sortKey: string;
}

function hasOwnId({ sortKey: key }: Pick<SlugCandidate, 'sortKey'>): boolean {
  return key.startsWith('0');
}

function compareCandidates(a: SlugCandidate, b: SlugCandidate): number {
  return compareCodePoints(a.sortKey, b.sortKey);
}

interface SlugContext {
  readonly resource: Resource;
  /** Of the source's own id, or -1. */
  readonly idPosition: number;
  readonly drafts: readonly DraftRecord[];
}

/** Records with an id of their own are first: a derived slug must not take theirs. */
async function sortCandidates(
  { resource, idPosition, drafts }: SlugContext,
  claimants: readonly number[],
): Promise<readonly SlugCandidate[]> {
  const keyed: SlugCandidate[] = [];
  await forEachTimeSliced(claimants, (at) => {
    const draft = drafts[at];
    if (draft === undefined) return;
    const hash = hashIdentity(resource, draft);
    const rank = ownSlug(draft, idPosition) === undefined ? 1 : 0;
    // Comparing thousands of long, similar records would take too long.
    keyed.push({
      position: at,
      hash,
      sortKey: `${rank} ${hash} ${sha256(JSON.stringify({ values: draft.values, further: draft.extraProperties }))}`,
    });
  });
  return keyed.sort(compareCandidates);
}

/** Names, country and e-mail, which identify a team among those with the same slug. */
export function identityKey(resource: Resource, record: StoredRecord): string {
  const facts = [...resource.nameProperties, ...resource.countryProperties.slice(0, 1), resource.emailProperty ?? ''];
  return JSON.stringify(
    facts.map((property) => String(record.valueAt(findPropertyPosition(resource, property)) ?? '')),
  );
}

/** `~` and the first eight hexadecimal digits of a SHA-256. */
function hashIdentity(resource: Resource, draft: DraftRecord): string {
  return `~${sha256(identityKey(resource, draft)).slice(0, 8)}`;
}

/** From {@link hashIdentity}, with or without a counter. */
const COMPUTED_SLUG = /^~[0-9a-f]{8}(?:-\d+)?$/;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
