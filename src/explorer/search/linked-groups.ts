import { identifyRepository, readFoldedNames } from '../../gateway/links/team-facts.js';
import type { TeamLink } from '../../gateway/links/team-link.js';
import type { LinksById } from '../answer/team-links.js';
import type { StoredRecord } from '../../model/record.js';

export interface LinkedGroup {
  readonly record: StoredRecord;
  /** From `record`. Each record of the page is in one group. */
  readonly linked: readonly TeamLink[];
}

/**
 * Each record that no group has yet is followed by those it is linked to, where a link leads back. No link leads to one
 * of several copies of a record, so that no copy stands above other records. A link of a link is none, so a group holds
 * the links of its first record only.
 */
export function groupLinked(records: readonly StoredRecord[], links: LinksById): readonly LinkedGroup[] {
  const open = new Map(records.map((record) => [record.id, record]));
  const leadsBack = (record: StoredRecord, link: TeamLink): boolean =>
    links.get(link.record.id)?.some((back) => back.record.id === record.id) === true;
  const groups: LinkedGroup[] = [];
  for (const record of records) {
    if (!open.delete(record.id)) continue;
    const linked = (links.get(record.id) ?? []).filter(
      (link) => leadsBack(record, link) && open.delete(link.record.id),
    );
    groups.push({ record, linked });
  }
  return groups;
}

/** Groups whose first records have equal names in one repository stand at the place of the first of them. */
export function collectNamesakes(groups: readonly LinkedGroup[]): readonly (readonly LinkedGroup[])[] {
  const collected = new Map<string, LinkedGroup[]>();
  for (const group of groups) {
    const { short, official } = readFoldedNames(group.record);
    const isNamed = short !== undefined || official !== undefined;
    const key = isNamed ? JSON.stringify([identifyRepository(group.record), short, official]) : group.record.id;
    const known = collected.get(key);
    if (known === undefined) collected.set(key, [group]);
    else known.push(group);
  }
  return [...collected.values()];
}
