import { confirmEachOther } from './compare-records.js';
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
 * The links of the record, those of the linked records, and so on. A link of a link counts only if it and those before
 * it lead back, and to a repository and a country that leave room for it: a record that has facts of two teams makes
 * them no group.
 */
export function followLinks(
  record: StoredRecord,
  linksOf: (record: StoredRecord) => readonly TeamLink[],
  maximum: number,
): readonly TeamLink[] {
  const linked = linksOf(record).slice(0, maximum);
  const leadBack = (from: StoredRecord, links: readonly TeamLink[]): readonly TeamLink[] =>
    links.filter((link) => linksOf(link.record).some((back) => back.record.id === from.id));
  let step = leadBack(record, linked);
  while (step.length > 0) {
    const group = [record, ...linked.map((link) => link.record)];
    const reached = step.flatMap(({ record: from }) => leadBack(from, linksOf(from)));
    const further = new Map(reached.map((link) => [link.record, link]));
    const sole = keepSole(
      [...further.keys()].filter((one) => group.every((other) => mayBeOneTeam(one, other))),
      identifyRepository,
    );
    const fitting = sole.filter((one) => sole.every((other) => !haveDifferentCountries(one, other)));
    step = fitting.flatMap((one) => further.get(one) ?? []).slice(0, maximum - linked.length);
    linked.push(...step);
  }
  return linked;
}

function mayBeOneTeam(one: StoredRecord, other: StoredRecord): boolean {
  return identifyRepository(one) !== identifyRepository(other) && !haveDifferentCountries(one, other);
}

/** Keeps the record of each repository that has exactly one: any of several could be meant. */
export function keepSole(
  records: readonly StoredRecord[],
  repositoryOf: (record: StoredRecord) => string,
): readonly StoredRecord[] {
  const counts = new Map<string, number>();
  const repositories = records.map(repositoryOf);
  for (const repository of repositories) counts.set(repository, (counts.get(repository) ?? 0) + 1);
  return records.filter((_, at) => counts.get(repositories[at] ?? '') === 1);
}

/**
 * Each record that no group has yet is followed by those to which its links lead, where these lead back. No link leads
 * to one of several copies of a record, so that no copy stands above other records. The record whose keys and telephone
 * numbers most others of its group confirm is the first of it: an impostor may be the best hit.
 */
export function groupLinked(records: readonly StoredRecord[], links: LinksById): readonly LinkedGroup[] {
  const open = new Set(records.map(({ id }) => id));
  const listLinks = ({ id }: StoredRecord): readonly TeamLink[] =>
    (links.get(id) ?? []).filter(
      ({ record }) => open.has(record.id) && links.get(record.id)?.some((back) => back.record.id === id) === true,
    );
  return records.flatMap((record) => {
    if (!open.has(record.id)) return [];
    const linked = followLinks(record, listLinks, records.length);
    const group = [record, ...linked.map((link) => link.record)] as const;
    const first = findMostConfirmed(group);
    const others = followLinks(first, listLinks, records.length);
    for (const { id } of group) open.delete(id);
    const isWhole = others.length === linked.length && others.every((link) => group.includes(link.record));
    return [isWhole ? { record: first, linked: others } : { record, linked }];
  });
}

/** The first of several. */
function findMostConfirmed(group: readonly [StoredRecord, ...StoredRecord[]]): StoredRecord {
  const count = (one: StoredRecord): number =>
    group.filter((other) => other !== one && confirmEachOther(one, other)).length;
  const [best] = group
    .map((record) => ({ record, confirmed: count(record) }))
    .sort((a, b) => b.confirmed - a.confirmed);
  return best?.record ?? group[0];
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
