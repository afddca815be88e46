import { haveDifferentCountries, identifyRepository, readFoldedNames } from './team-facts.js';
import type { TeamLink } from './team-link.js';
import type { StoredRecord } from '../../model/record.js';

/** By the id of the record from which they lead; none for a record without links. */
export type LinksById = ReadonlyMap<string, readonly TeamLink[]>;

export interface LinkedGroup {
  readonly record: StoredRecord;
  /** From `record`, or from one that is linked to it. Each record of the page is in one group. */
  readonly linked: readonly TeamLink[];
}

/**
 * Each record that no group has yet is followed by those it is linked to, and those these are linked to, where a link
 * leads back. No link leads to one of several copies of a record, so that no copy stands above other records. A link of
 * a link counts only where the group has no record of its repository and of another country: a record that has facts of
 * two teams makes them no group.
 */
export function groupLinked(records: readonly StoredRecord[], links: LinksById): readonly LinkedGroup[] {
  const open = new Set(records.map(({ id }) => id));
  const leadsBack = (record: StoredRecord, link: TeamLink): boolean =>
    links.get(link.record.id)?.some((back) => back.record.id === record.id) === true;
  const groups: LinkedGroup[] = [];
  for (const record of records) {
    if (!open.delete(record.id)) continue;
    const follow = (from: StoredRecord): readonly TeamLink[] =>
      (links.get(from.id) ?? []).filter((link) => open.has(link.record.id) && leadsBack(from, link));
    const linked = [...follow(record)];
    for (const link of linked) open.delete(link.record.id);
    for (const { record: from } of linked) {
      const group = [record, ...linked.map((link) => link.record)];
      const fits = (link: TeamLink): boolean =>
        group.every(
          (other) =>
            identifyRepository(other) !== identifyRepository(link.record) &&
            !haveDifferentCountries(other, link.record),
        );
      for (const link of keepSole(follow(from).filter(fits))) if (open.delete(link.record.id)) linked.push(link);
    }
    groups.push({ record, linked });
  }
  return groups;
}

/** Where several records of a repository could be of the team, none of them is known to be. */
function keepSole(links: readonly TeamLink[]): readonly TeamLink[] {
  const repositories = links.map((link) => identifyRepository(link.record));
  return links.filter(
    (_, at) => repositories.indexOf(repositories[at] ?? '') === repositories.lastIndexOf(repositories[at] ?? ''),
  );
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
