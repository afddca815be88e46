import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import { compareCodePoints } from '../../text/code-point-order.js';
import type { RecordSet } from '../../records/record-set.js';
import { findDisagreements } from './compare-records.js';
import { FactIndex, hashFact } from './fact-index.js';
import type { FactHolders, FactKey } from './fact-index.js';
import { FactReader, memoize } from './fact-reader.js';
import { followLinks, keepSole } from './linked-groups.js';
import {
  haveAllNames,
  haveDifferentCountries,
  haveEqualNames,
  haveSameCountry,
  isGenericName,
  readDisplayedName,
  shareName,
} from './team-facts.js';
import type { LinkFact, LinkReason, RecordPair, TeamLink } from './team-link.js';

/** Of one source, compared because of one fact. */
const MAX_HOLDERS = 100;

/** Of one group, with the record from which it is found. */
const MAX_GROUP = 20;

/**
 * Finds the records of other repositories that are probably of the same team (decisions 2.38; decision record 0022).
 *
 * A link leads to the only record of its repository with the fact, whose names confirm it. What other repositories
 * list, also the record's own, removes no link.
 */
export class SameTeamFinder {
  private readonly facts = new FactReader();
  private readonly holdersOf = memoize((fact: FactKey) => this.findHolders(fact));

  private constructor(private readonly indexes: readonly FactIndex[]) {}

  /**
   * Prepares the search in record sets of directory teams. No link leads to a set with only the first records of a
   * large source: nothing proves that a fact is unique there.
   */
  static async over(sets: readonly RecordSet[]): Promise<SameTeamFinder> {
    const complete = sets.filter(({ unfetchedCount, isTruncated }) => unfetchedCount === 0 && !isTruncated);
    return new SameTeamFinder(await Promise.all(complete.map((set) => FactIndex.of(set))));
  }

  /** By the id of each record that has links. */
  async findAll(records: readonly StoredRecord[]): Promise<ReadonlyMap<string, readonly TeamLink[]>> {
    const links = new Map<string, readonly TeamLink[]>();
    await forEachTimeSliced(records, (record) => {
      const found = this.find(record);
      if (found.length > 0) links.set(record.id, found);
    });
    return links;
  }

  /** The pairs of records that show who else is probably of the team, also by links of links. */
  findGroup(record: StoredRecord): readonly RecordPair[] {
    const linksOf = memoize((one: StoredRecord) => this.find(one));
    const group = [record, ...followLinks(record, linksOf, MAX_GROUP - 1).map((link) => link.record)];
    return group.flatMap((one, at) =>
      group.slice(at + 1).flatMap((other) => {
        const link =
          linksOf(one).find((forth) => forth.record.id === other.id) ??
          linksOf(other).find((back) => back.record.id === one.id);
        return link === undefined ? [] : [{ records: [one, other], reasons: link.reasons } as const];
      }),
    );
  }

  /** By the id of the linked record. */
  find(record: StoredRecord): readonly TeamLink[] {
    const { repositoryOf } = this.facts;
    const reasons = new Map<StoredRecord, LinkReason[]>();
    const add = (other: StoredRecord, reason: LinkReason): void => {
      const known = reasons.get(other);
      if (known === undefined) reasons.set(other, [reason]);
      else known.push(reason);
    };
    for (const fact of this.facts.keysOf(record)) {
      const reason = toReason(fact);
      if (reason === undefined) continue;
      const confirmed = this.listOthers(record, fact).filter((other) => this.isConfirmed(record, other));
      for (const other of keepSole(confirmed, repositoryOf)) add(other, { ...reason, ...this.countHolders([fact]) });
    }
    for (const other of keepSole(this.findNamesakes(record), repositoryOf)) {
      const domain = this.findSharedDomain(record, other);
      if (domain === undefined) continue;
      const equal = this.facts.keysOf(record).filter((fact) => isName(fact) && this.facts.keysOf(other).includes(fact));
      const reason = { kind: 'domain-and-name', domain, name: readDisplayedName(record) } as const;
      add(other, { ...reason, ...this.countHolders(equal) });
    }
    return [...reasons]
      .map(([other, why]) => ({ record: other, reasons: why, disagreements: findDisagreements(record, other) }))
      .sort((a, b) => compareCodePoints(a.record.id, b.record.id));
  }

  private findHolders(fact: FactKey): FactHolders {
    const found = this.indexes.map((index) => index.findByHash(hashFact(fact), MAX_HOLDERS));
    const records = new Set(found.flatMap((holders) => holders.records));
    return {
      records: [...records].filter((holder) => this.facts.keysOf(holder).includes(fact)),
      count: found.reduce((sum, { count }) => sum + count, 0),
      isShared: found.some(({ isShared }) => isShared),
    };
  }

  /** Of the fact that the fewest records have, if a repository has several holders. */
  private countHolders(facts: readonly FactKey[]): Pick<LinkReason, 'holders'> {
    const [rarest] = facts.map(this.holdersOf).sort((a, b) => a.count - b.count);
    return rarest?.isShared === true ? { holders: rarest.count } : {};
  }

  /** Of other repositories, with a fact of this record. */
  private listOthers(record: StoredRecord, fact: FactKey): readonly StoredRecord[] {
    const { repositoryOf } = this.facts;
    return this.holdersOf(fact).records.filter((holder) => repositoryOf(holder) !== repositoryOf(record));
  }

  /** Of other repositories, with the same names, country and domain. */
  private findNamesakes(record: StoredRecord): readonly StoredRecord[] {
    const names = this.facts.namesOf(record);
    const specific = this.facts.keysOf(record).filter((fact) => isName(fact) && !isGenericName(valueOf(fact)));
    const candidates = new Set(specific.flatMap((fact) => this.listOthers(record, fact)));
    return [...candidates].filter(
      (other) =>
        (haveSameCountry(record, other)
          ? haveEqualNames(names, this.facts.namesOf(other))
          : this.areEqualWithoutCountry(record, other)) && this.findSharedDomain(record, other) !== undefined,
    );
  }

  /**
   * The names confirm a common key or address. Teams of one company or ministry share such things, and each repository
   * may list only one of these teams, so uniqueness proves nothing.
   */
  private isConfirmed(one: StoredRecord, other: StoredRecord): boolean {
    return haveSameCountry(one, other)
      ? shareName(this.facts.namesOf(one), this.facts.namesOf(other))
      : this.areEqualWithoutCountry(one, other);
  }

  /** Both names are equal, and at least one record does not state its country. */
  private areEqualWithoutCountry(one: StoredRecord, other: StoredRecord): boolean {
    const [names, otherNames] = [this.facts.namesOf(one), this.facts.namesOf(other)];
    return !haveDifferentCountries(one, other) && haveAllNames(names, otherNames) && haveEqualNames(names, otherNames);
  }

  private findSharedDomain(one: StoredRecord, other: StoredRecord): string | undefined {
    const domains = this.facts.domainsOf(other);
    return [...this.facts.domainsOf(one)].find((domain) => domains.has(domain));
  }
}

/** Undefined for a name, which is no reason by itself. */
function toReason(fact: FactKey): LinkFact | undefined {
  const value = valueOf(fact);
  if (fact.startsWith('key ')) return { kind: 'key', fingerprint: value };
  return fact.startsWith('e-mail ') ? { kind: 'e-mail', address: value } : undefined;
}

function isName(fact: FactKey): boolean {
  return toReason(fact) === undefined;
}

function valueOf(fact: FactKey): string {
  return fact.slice(fact.indexOf(' ') + 1);
}
