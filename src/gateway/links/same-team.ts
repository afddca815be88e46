import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import { compareCodePoints } from '../../text/code-point-order.js';
import type { RecordSet } from '../../records/record-set.js';
import { findDisagreements } from './disagreements.js';
import { FactIndex, listFactKeys } from './fact-index.js';
import type { FactKey } from './fact-index.js';
import {
  haveDifferentCountries,
  haveEqualNames,
  haveSameCountry,
  identifyRepository,
  readDisplayedName,
  readDomains,
  readFoldedNames,
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
    for (const fact of listFactKeys(record)) {
      const reason = toReason(fact);
      if (reason === undefined) continue;
      for (const other of this.findByUniqueFact(record, fact)) add(other, reason);
    }
    for (const other of this.findNamesakes(record)) {
      const [domain] = sharedDomains(record, other);
      if (domain !== undefined) add(other, { kind: 'domain-and-name', domain, name: readDisplayedName(record) });
    }
    return [...reasons]
      .map(([other, why]) => ({ record: other, reasons: why, disagreements: findDisagreements(record, other) }))
      .sort((a, b) => compareCodePoints(a.record.id, b.record.id));
  }

  private findHolders(fact: FactKey): readonly StoredRecord[] {
    const found: StoredRecord[] = [];
    for (const index of this.indexes) found.push(...index.find(fact, MAX_HOLDERS + 1 - found.length));
    return found.length > MAX_HOLDERS ? [] : found;
  }

  /** The records of other repositories with a key or an address that no repository has of two records. */
  private findByUniqueFact(record: StoredRecord, fact: FactKey): readonly StoredRecord[] {
    const holders = this.findHolders(fact);
    return othersOf(record, holders).filter((other) => isConfirmed(record, other));
  }

  /** The records of other repositories with the same names, country and domain as this one, where nothing is ambiguous. */
  private findNamesakes(record: StoredRecord): readonly StoredRecord[] {
    const found = othersOf(record, this.findAllNamesakes(record));
    return found.filter((other) => othersOf(other, this.findAllNamesakes(other)).some(({ id }) => id === record.id));
  }

  /** All records with the same names, country and domain as this one, itself included. */
  private findAllNamesakes(record: StoredRecord): readonly StoredRecord[] {
    const names = readFoldedNames(record);
    const facts = listFactKeys(record).filter((fact) => toReason(fact) === undefined);
    const candidates = new Map(facts.flatMap((fact) => this.findHolders(fact)).map((other) => [other.id, other]));
    return [...candidates.values()].filter(
      (other) =>
        haveEqualNames(names, readFoldedNames(other)) &&
        !haveDifferentCountries(record, other) &&
        sharedDomains(record, other).length > 0,
    );
  }
}

/** The reason that a fact is by itself; undefined for a name, which is none. */
function toReason(fact: FactKey): LinkReason | undefined {
  const value = fact.slice(fact.indexOf(' ') + 1);
  if (fact.startsWith('key ')) return { kind: 'key', fingerprint: value };
  return fact.startsWith('e-mail ') ? { kind: 'e-mail', address: value } : undefined;
}

/**
 * The holders of a fact in other repositories than the record's. None where a repository has two holders, and where the
 * record is not one of them because its own list is not searched.
 */
function othersOf(record: StoredRecord, holders: readonly StoredRecord[]): readonly StoredRecord[] {
  const repositories = new Set(holders.map(identifyRepository));
  const others = holders.filter(({ id }) => id !== record.id);
  return repositories.size === holders.length && others.length === holders.length - 1 ? others : [];
}

/**
 * Whether a name, or the country that both state, confirms that two records with the same key or address are of one
 * team. Teams of one company share such things, and differ in these.
 */
function isConfirmed(one: StoredRecord, other: StoredRecord): boolean {
  return haveSameCountry(one, other) || shareName(readFoldedNames(one), readFoldedNames(other));
}

function sharedDomains(one: StoredRecord, other: StoredRecord): readonly string[] {
  const domains = new Set(readDomains(other));
  return readDomains(one).filter((domain) => domains.has(domain));
}
