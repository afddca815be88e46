import { createHash } from 'node:crypto';
import type { HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { compareCodePoints } from '../text/code-points.js';
import { fold } from '../text/fold.js';
import type { Draft } from './record-reader.js';

/**
 * Gives every record of a source its id, `<code>.<slug>` (decisions.md, section 4). Of several that claim one slug, one keeps it
 * and the others get `~` and a hash; which one is decided by their content, so ids do not depend on the order in which an
 * upstream sends.
 */
export function identify(resource: Resource, code: string, drafts: readonly Draft[]): HeldRecord[] {
  const position = positionOf(resource, resource.names[0] ?? '');
  const slugs = drafts.map(({ values }) => slugOf(String(values[position] ?? '')));
  const twins = new Map<string, number>();
  const without = [...contested(slugs)].flatMap(([slug, claimants]) => {
    const inOrder = inOrderOfContent(resource, drafts, claimants);
    return slug === '' ? inOrder : inOrder.slice(1);
  });
  // All together, for two hashes of different slugs may show the same digits.
  for (const { at, hash } of without.sort(byContent)) slugs[at] = distinct(hash, twins);
  // Joined and not written as a template, for what that gives is two texts until somebody compares it.
  return drafts.map(({ values, further }, at) => ({ id: [code, slugs[at]].join('.'), values, further }));
}

function slugOf(name: string): string {
  return (
    fold(name)
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? ''
  );
}

/** Positions of the records of each slug that is not one record's own: it has several claimants, or is empty. */
function contested(slugs: readonly string[]): Map<string, number[]> {
  const firsts = new Map<string, number>();
  const groups = new Map<string, number[]>([['', []]]);
  slugs.forEach((slug, at) => {
    const first = firsts.get(slug);
    const group = groups.get(slug);
    if (group !== undefined) group.push(at);
    else if (first !== undefined) groups.set(slug, [first, at]);
    else firsts.set(slug, at);
  });
  return groups;
}

interface Claimant {
  readonly at: number;
  readonly hash: string;
  /** The hash, then all of the record. */
  readonly key: string;
}

function byContent(a: Claimant, b: Claimant): number {
  return compareCodePoints(a.key, b.key);
}

function inOrderOfContent(resource: Resource, drafts: readonly Draft[], claimants: readonly number[]): Claimant[] {
  const keyed = claimants.flatMap((at) => {
    const draft = drafts[at];
    if (draft === undefined) return [];
    const hash = hashed(resource, draft);
    return [{ at, hash, key: `${hash} ${JSON.stringify(draft)}` }];
  });
  return keyed.sort(byContent);
}

function textAt(resource: Resource, draft: Draft, property: string): string {
  return String(draft.values[positionOf(resource, property)] ?? '');
}

/** SHA-256 over names, country and e-mail, of which eight hexadecimal digits are shown. */
function hashed(resource: Resource, draft: Draft): string {
  const facts = [...resource.names, ...resource.countries.slice(0, 1), resource.email];
  const text = JSON.stringify(facts.map((property) => textAt(resource, draft, property)));
  return `~${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** A further counter for records that are alike in all that the hash covers. */
function distinct(hash: string, twins: Map<string, number>): string {
  const count = (twins.get(hash) ?? 0) + 1;
  twins.set(hash, count);
  return count === 1 ? hash : `${hash}-${count}`;
}
