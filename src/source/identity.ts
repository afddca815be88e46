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
  const slugs = drafts.map((draft) => slugOf(textAt(resource, draft, resource.names[0])));
  const ids = new Map<Draft, string>();
  const twins = new Map<string, number>();
  for (const [slug, claimants] of groupBySlug(slugs, drafts)) {
    const [first, ...others] = inOrderOfContent(resource, claimants);
    if (slug !== '' && first !== undefined) ids.set(first, slug);
    for (const draft of slug === '' && first !== undefined ? [first, ...others] : others) {
      ids.set(draft, distinct(hashed(resource, draft), twins));
    }
  }
  return drafts.map((draft) => ({
    id: `${code}.${ids.get(draft) ?? ''}`,
    values: draft.values,
    further: draft.further,
  }));
}

function slugOf(name: string): string {
  return fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function textAt(resource: Resource, draft: Draft, property: string | undefined): string {
  return property === undefined ? '' : String(draft.values[positionOf(resource, property)] ?? '');
}

function groupBySlug(slugs: readonly string[], drafts: readonly Draft[]): Map<string, Draft[]> {
  const groups = new Map<string, Draft[]>();
  drafts.forEach((draft, at) => {
    const slug = slugs[at] ?? '';
    const group = groups.get(slug);
    if (group === undefined) groups.set(slug, [draft]);
    else group.push(draft);
  });
  return groups;
}

function inOrderOfContent(resource: Resource, drafts: readonly Draft[]): readonly Draft[] {
  if (drafts.length < 2) return drafts;
  const keyed = drafts.map((draft) => ({ draft, key: `${hashed(resource, draft)} ${JSON.stringify(draft)}` }));
  return keyed.sort((a, b) => compareCodePoints(a.key, b.key)).map(({ draft }) => draft);
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
