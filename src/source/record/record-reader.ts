import type { ExtraProperty, RecordRow } from '../../model/record.js';
import { RESERVED_CODE, listStoredProperties, findPropertyPosition } from '../../model/resource.js';
import type { DerivedProperty, ExpectedFormat, Property, Resource } from '../../model/resource.js';
import type { PropertyValue } from '../../model/property-value.js';
import { getCountryNames } from '../../region/country-names.js';
import { foldText } from '../../text/text-folding.js';
import { checkValue } from './check-value.js';
import { FindingCounter, WHOLE_RECORD } from './findings.js';
import { createFindingExample } from './finding-examples.js';
import type { FindingExample, FindingRule, FindingSink, FindingSubject } from './findings.js';
import { ExtraPropertyFilter, REPOSITORY_PROPERTY } from './extra-property-filter.js';
import { createLinkResolver, valueReaders, readExtraValue, withoutScheme } from './read-value.js';
import type { ReportFinding, ReadingTime, ReadValue } from './read-value.js';

/** From a registration: what determines how records are read (decisions 4.11, 4.12, 4.17). */
export interface Provenance {
  readonly sourceName: string;
  /** The last three digits of the source's integer ids. */
  readonly sourceNumber: number;
  /** Of relative links (decisions 4.2). */
  readonly site?: string;
  /** Own code and prefixes, whose `-<code>-…` properties the source may send. */
  readonly codes: readonly string[];
  /** Of all sources. The longest that fits wins: `-a-b-c` belongs to `a-b` if that is registered. */
  readonly registeredCodes: readonly string[];
  /** Its records keep their source-name, and it may send any `-<code>-…` property. */
  readonly isAggregate: boolean;
  /** For an aggregate: other registered sources, which are queried themselves. */
  readonly otherSourceNames: readonly string[];
  /** Named by any registration, and always kept (decisions 4.13). */
  readonly registeredProperties?: readonly string[];
}

/** A team's membership in a repository (interfaces 2.1). */
const MEMBER_TYPE = /^-[a-z][a-z0-9-]*-member-type$/;
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['', '__proto__', 'constructor', 'prototype']);

/** In characters. A longer name is text in the place of a name. */
const MAX_NAME_LENGTH = 200;

/** Leaves room for the numbers of 999 sources. */
export const ID_FACTOR = 1_000;

/** A hostile source sends new names in every record. */
const MAX_CACHED_FIELDS = 1_000;

type RecordFinding = readonly [field: string, rule: FindingRule];

interface PropertyReader {
  /** Among the record's values. Absent for a further property. */
  readonly position?: number;
  readonly read: ReadValue;
  readonly report: ReportFinding;
}

/** Property by property in a fixed shape. Of parsed input only scalars are kept. */
export class RecordReader implements FindingSubject {
  /** Those of the table and of further properties met so far: a source sends the same few names again and again. */
  private readonly fields = new Map<string, PropertyReader>();
  private readonly emptyValues: readonly undefined[];
  private readonly sourceNamePosition: number;
  private readonly namePositions: readonly number[];
  private readonly idPosition: number;
  private readonly urlPositions: readonly number[];
  private readonly derivations: readonly {
    readonly to: number;
    readonly from: number;
    readonly derivation: DerivedProperty['derivation'];
  }[];
  private readonly otherSourceNames: ReadonlySet<string>;
  private readonly resolveLink: ReturnType<typeof createLinkResolver>;
  private readonly extraPropertyFilter: ExtraPropertyFilter;
  /** The record being read. */
  private raw: unknown;
  private findings: FindingSink = new FindingCounter();

  constructor(
    readonly resource: Resource,
    readonly provenance: Provenance,
  ) {
    const at = (name: string): number => findPropertyPosition(resource, name);
    const trailing = resource.trailingProperty === undefined ? [] : [resource.trailingProperty];
    for (const property of [...resource.properties, ...trailing]) {
      const { name } = property;
      this.fields.set(name, {
        position: at(name),
        read: createValueReader(property),
        report: this.createReporter(name),
      });
    }
    for (const property of resource.knownExtraProperties) {
      this.fields.set(property.name, { read: createValueReader(property), report: this.createReporter(property.name) });
    }
    for (const name of resource.detailProperties ?? [])
      this.fields.set(name, { read: () => undefined, report: this.createReporter(name) });
    this.emptyValues = listStoredProperties(resource).map(() => undefined);
    this.sourceNamePosition = at(resource.sourceNameProperty);
    this.namePositions = resource.nameProperties.map(at);
    this.idPosition = resource.idKind === 'integer' ? at('id') : -1;
    this.urlPositions = resource.properties.filter(({ kind }) => kind === 'url').map(({ name }) => at(name));
    this.derivations = resource.derivedProperties.map(({ name, from, derivation }) => ({
      to: at(name),
      from: at(from),
      derivation,
    }));
    this.resolveLink = createLinkResolver(provenance.site);
    this.extraPropertyFilter = new ExtraPropertyFilter(resource, provenance.registeredProperties);
    this.otherSourceNames = new Set(provenance.otherSourceNames.map(visibleText));
  }

  private createReporter(name: string): ReportFinding {
    return (rule) => this.findings.add(name, rule, this);
  }

  /**
   * Returns undefined with a finding for a record that is left out (decisions 4.7): no object, without a name or a
   * usable id, or of another registered source.
   */
  read(raw: unknown, findings: FindingSink, now: ReadingTime): RecordRow | undefined {
    this.findings = findings;
    this.raw = raw;
    const row = isObject(raw) ? this.build(raw, now) : undefined;
    const fault = this.findFault(row);
    if (fault !== undefined) findings.add(...fault, this);
    this.raw = undefined;
    return fault === undefined ? row : undefined;
  }

  /** From the record being read. */
  createExample(field: string): FindingExample {
    return createFindingExample(this.raw, field, this.resource.nameProperties);
  }

  private findFault(row: RecordRow | undefined): RecordFinding | undefined {
    if (row === undefined) return [WHOLE_RECORD, 'not-a-record'];
    if (this.namePositions.every((position) => row.values[position] === undefined)) return [WHOLE_RECORD, 'no-name'];
    if (this.idPosition >= 0 && row.values[this.idPosition] === undefined) return [WHOLE_RECORD, 'no-id'];
    if (this.idPosition >= 0 && !Number.isSafeInteger(row.values[this.idPosition])) return [WHOLE_RECORD, 'id-range'];
    return this.isOfRegisteredSource(row) ? [this.resource.sourceNameProperty, 'registered-source'] : undefined;
  }

  private build(raw: JsonObject, now: ReadingTime): RecordRow {
    const values: (PropertyValue | undefined)[] = this.emptyValues.slice();
    const further: ExtraProperty[] = [];
    // Objects of JSON.parse have no inherited enumerable properties.
    for (const name in raw) {
      const { position, read, report } = this.fields.get(name) ?? this.createExtraField(name);
      const value = read(raw[name], report, now);
      if (position !== undefined) values[position] = value;
      else if (value !== undefined) further.push([name, value]);
    }
    this.completeValues(values);
    const kept = this.extraPropertyFilter.filterRecord(further);
    if (kept.length < further.length) this.findings.add(WHOLE_RECORD, 'too-many-properties', this);
    return { values, extraProperties: kept };
  }

  /** Values that are not read: source-name, qualified id, absolute links, and what is derived from links before. */
  private completeValues(values: (PropertyValue | undefined)[]): void {
    const sent = this.provenance.isAggregate ? values[this.sourceNamePosition] : undefined;
    values[this.sourceNamePosition] = sent ?? this.provenance.sourceName;
    for (const { to, from, derivation } of this.derivations)
      values[to] = derivation === 'as-written' ? values[from] : countryNamesOf(values[from]);
    for (const position of this.urlPositions) values[position] = this.resolveLink(values[position]);
    const native = values[this.idPosition];
    if (native !== undefined) values[this.idPosition] = Number(native) * ID_FACTOR + this.provenance.sourceNumber;
  }

  private createExtraField(name: string): PropertyReader {
    const refused = this.findNameFault(name);
    const known = MEMBER_TYPE.test(name) ? withCheck(readExtraValue, 'member-type') : readExtraValue;
    const read = refused === undefined ? known : this.createRejectingReader(refused);
    const field = { read, report: this.createReporter(name) };
    if (this.fields.size < MAX_CACHED_FIELDS) this.fields.set(name, field);
    return field;
  }

  private createRejectingReader(refused: RecordFinding): ReadValue {
    return () => {
      this.findings.add(...refused, this);
      return undefined;
    };
  }

  private findNameFault(name: string): RecordFinding | undefined {
    if (UNSAFE_NAMES.has(name) || name.length > MAX_NAME_LENGTH) return ['(unsafe)', 'unsafe-name'];
    return this.isAllowedProperty(name) ? undefined : [name, 'foreign-property'];
  }

  private isAllowedProperty(name: string): boolean {
    const { isAggregate: aggregate, codes, registeredCodes } = this.provenance;
    if (!REPOSITORY_PROPERTY.test(name)) return true;
    const own = longestPrefix(name, codes);
    if (aggregate) return own > RESERVED_CODE.length || !name.startsWith(`-${RESERVED_CODE}-`);
    return own > 0 && own >= longestPrefix(name, registeredCodes);
  }

  /** For an aggregate: that source is queried itself. */
  private isOfRegisteredSource({ values }: RecordRow): boolean {
    const { isAggregate: aggregate, sourceName } = this.provenance;
    const name = values[this.sourceNamePosition];
    return aggregate && name !== sourceName && this.otherSourceNames.has(visibleText(String(name)));
  }
}

/** By kind, addresses without their URL's scheme; then checks the expected format. */
function createValueReader({ kind, expectedFormat: expects, searchedAs }: Property): ReadValue {
  const readPlain = valueReaders[kind];
  const isPhone = searchedAs === 'phone';
  const read = isPhone || expects === 'e-mail' ? withoutScheme(readPlain, isPhone ? 'tel' : 'mailto') : readPlain;
  return expects === undefined ? read : withCheck(read, expects);
}

function withCheck(read: ReadValue, expects: ExpectedFormat): ReadValue {
  return (raw, report, now) => {
    const value = read(raw, report, now);
    if (value !== undefined) checkValue(value, expects, report);
    return value;
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(raw: unknown): raw is JsonObject {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** Names that differ only in case, diacritics and invisible characters are equal. */
function visibleText(name: string): string {
  return foldText(name).replace(/\p{C}/gu, '').trim();
}

function countryNamesOf(country: PropertyValue | undefined): PropertyValue | undefined {
  const names = getCountryNames(String(country));
  return names.length === 0 ? undefined : names;
}

function longestPrefix(name: string, codes: readonly string[]): number {
  return codes.reduce((longest, code) => (name.startsWith(`-${code}-`) ? Math.max(longest, code.length) : longest), 0);
}
