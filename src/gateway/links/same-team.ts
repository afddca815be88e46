import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import { compareCodePoints } from '../../text/code-point-order.js';
import type { RecordSet } from '../../records/record-set.js';
import { hashText } from '../../text/fnv-hash.js';
import { findDisagreements } from './disagreements.js';
import { FactIndex } from './fact-index.js';
import type { FactKey } from './fact-index.js';
import { FactReader, memoize } from './fact-reader.js';
import {
  haveAllNames,
  haveDifferentCountries,
  haveEqualNames,
  haveSameCountry,
  isGenericName,
  readDisplayedName,
  shareName,
} from './team-facts.js';
import type { LinkReason, TeamLink } from './team-link.js';

/**
 * Maximum number of records that are compared because of one fact. A fact that more records share is a word such as
 * "CERT", or invented to make comparing slow.
 */
const MAX_HOLDERS = 100;

/**
 * Finds the records of other repositories that are probably of the same team (decisions 2.38; decision record 0022).
 *
 * A fact that one repository has of two of its records identifies no team, in whichever repository: it is a mailbox, a
 * key or a name that several teams share. So a link is symmetric, and never the consequence of another link.
 */
export class SameTeamFinder {
  private readonly facts = new FactReader();
  private readonly unambiguousNamesakesOf = memoize(
    (record): ReadonlyMap<string, StoredRecord> =>
      new Map(this.othersOf(record, this.findAllNamesakes(record)).map((other) => [other.id, other])),
  );

  private constructor(private readonly indexes: readonly FactIndex[]) {}

  /**
   * Prepares the search in these record sets of directory teams. Sets with only the first records of a large source are
   * left out: nothing proves that a fact is unique there.
   */
  static async over(sets: readonly RecordSet[]): Promise<SameTeamFinder> {
    const complete = sets.filter(({ unfetchedCount, isTruncated }) => unfetchedCount === 0 && !isTruncated);
    return new SameTeamFinder(await Promise.all(complete.map((set) => FactIndex.of(set))));
  }

  /** Returns the links of each record that has any, by its id. */
  async findAll(records: readonly StoredRecord[]): Promise<ReadonlyMap<string, readonly TeamLink[]>> {
    const links = new Map<string, readonly TeamLink[]>();
    await forEachTimeSliced(records, (record) => {
      const found = this.find(record);
      if (found.length > 0) links.set(record.id, found);
    });
    return links;
  }

  /** Returns the links of a record, by the id of the linked record. */
  find(record: StoredRecord): readonly TeamLink[] {
    const reasons = new Map<StoredRecord, LinkReason[]>();
    const add = (other: StoredRecord, reason: LinkReason): void => {
      const known = reasons.get(other);
      if (known === undefined) reasons.set(other, [reason]);
      else known.push(reason);
    };
    for (const fact of this.facts.keysOf(record)) {
      const reason = toReason(fact);
      if (reason === undefined) continue;
      for (const other of this.findByUniqueFact(record, fact)) add(other, reason);
    }
    for (const other of this.findNamesakes(record)) {
      const domain = this.findSharedDomain(record, other);
      if (domain !== undefined) add(other, { kind: 'domain-and-name', domain, name: readDisplayedName(record) });
    }
    return [...reasons]
      .map(([other, why]) => ({ record: other, reasons: why, disagreements: findDisagreements(record, other) }))
      .sort((a, b) => compareCodePoints(a.record.id, b.record.id));
  }

  /** All records with the fact; undefined if they are too many to compare. */
  private findHolders(fact: FactKey): readonly StoredRecord[] | undefined {
    const hash = hashText(fact);
    const found: StoredRecord[] = [];
    for (const index of this.indexes) {
      found.push(...index.findByHash(hash, MAX_HOLDERS + 1 - found.length));
      if (found.length > MAX_HOLDERS) return undefined;
    }
    return [...new Set(found)].filter((holder) => this.facts.keysOf(holder).includes(fact));
  }

  /** The records of other repositories with a key or an address that no repository has of two records. */
  private findByUniqueFact(record: StoredRecord, fact: FactKey): readonly StoredRecord[] {
    const others = this.othersOf(record, this.findHolders(fact) ?? []);
    return others.filter((other) => this.isConfirmed(record, other));
  }

  /** The records of other repositories with the same names, country and domain as this one, where nothing is ambiguous. */
  private findNamesakes(record: StoredRecord): readonly StoredRecord[] {
    const others = [...this.unambiguousNamesakesOf(record).values()];
    return others.filter((other) => this.unambiguousNamesakesOf(other).has(record.id));
  }

  /** All records with the same names, country and domain as this one; itself included unless it has no country and one name. */
  private findAllNamesakes(record: StoredRecord): readonly StoredRecord[] {
    const names = this.facts.namesOf(record);
    const candidates = new Set<StoredRecord>();
    for (const fact of this.facts.keysOf(record).filter(isSpecificName)) {
      const holders = this.findHolders(fact);
      if (holders === undefined) return [];
      for (const holder of holders) candidates.add(holder);
    }
    return [...candidates].filter(
      (other) =>
        (haveSameCountry(record, other)
          ? haveEqualNames(names, this.facts.namesOf(other))
          : this.areEqualWithoutCountry(record, other)) && this.findSharedDomain(record, other) !== undefined,
    );
  }

  /**
   * The holders of a fact in other repositories than the record's. None where a repository has two holders, and where
   * the record is not one of them because its own list is not searched.
   */
  private othersOf(record: StoredRecord, holders: readonly StoredRecord[]): readonly StoredRecord[] {
    const repositories = new Set(holders.map(this.facts.repositoryOf));
    const others = holders.filter(({ id }) => id !== record.id);
    return repositories.size === holders.length && others.length === holders.length - 1 ? others : [];
  }

  /**
   * Whether the names confirm that two records with the same key or address are of one team. Teams of one company or
   * ministry share such things, and each repository may list only one of these teams, so uniqueness proves nothing.
   */
  private isConfirmed(one: StoredRecord, other: StoredRecord): boolean {
    return haveSameCountry(one, other)
      ? shareName(this.facts.namesOf(one), this.facts.namesOf(other))
      : this.areEqualWithoutCountry(one, other);
  }

  /** Whether both names are equal, where at least one of the records does not state its country. */
  private areEqualWithoutCountry(one: StoredRecord, other: StoredRecord): boolean {
    const [names, otherNames] = [this.facts.namesOf(one), this.facts.namesOf(other)];
    return !haveDifferentCountries(one, other) && haveAllNames(names, otherNames) && haveEqualNames(names, otherNames);
  }

  private findSharedDomain(one: StoredRecord, other: StoredRecord): string | undefined {
    const domains = this.facts.domainsOf(other);
    return [...this.facts.domainsOf(one)].find((domain) => domains.has(domain));
  }
}

/** The reason that a fact is by itself; undefined for a name, which is none. */
function toReason(fact: FactKey): LinkReason | undefined {
  const value = valueOf(fact);
  if (fact.startsWith('key ')) return { kind: 'key', fingerprint: value };
  return fact.startsWith('e-mail ') ? { kind: 'e-mail', address: value } : undefined;
}

/** Whether the fact is a name that identifies a team, as `CERT` does not. */
function isSpecificName(fact: FactKey): boolean {
  return toReason(fact) === undefined && !isGenericName(valueOf(fact));
}

function valueOf(fact: FactKey): string {
  return fact.slice(fact.indexOf(' ') + 1);
}
