import type { TeamLink } from '../../gateway/links/team-link.js';
import type { LinksById } from '../answer/team-links.js';
import type { StoredRecord } from '../../model/record.js';

/** A record of a page with the records of the same page that it is linked to. */
export interface LinkedGroup {
  readonly record: StoredRecord;
  /** Links from `record`. Each record of the page is in one group. */
  readonly linked: readonly TeamLink[];
}

/**
 * Groups the records of a page: each record that no group has yet is followed by those it is linked to. A link of a link
 * is none, so a group holds the links of its first record only.
 */
export function groupLinked(records: readonly StoredRecord[], links: LinksById): readonly LinkedGroup[] {
  const open = new Map(records.map((record) => [record.id, record]));
  const groups: LinkedGroup[] = [];
  for (const record of records) {
    if (!open.delete(record.id)) continue;
    groups.push({ record, linked: (links.get(record.id) ?? []).filter((link) => open.delete(link.record.id)) });
  }
  return groups;
}
