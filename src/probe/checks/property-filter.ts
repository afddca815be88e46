import { isPgpKeyProperty, findPropertyKind } from '../../model/resource.js';
import type { PropertyKind } from '../../model/resource.js';
import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { foldText } from '../../text/text-folding.js';
import type { CheckResult } from '../findings/finding.js';
import { openResult, countryFormDoubts, describeMatches, provedOrConsistent, valueDoubts } from './conclude-check.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import { selectTestValue, compareWithReference, comparisonCost, describeMismatch } from './compare-with-reference.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/**
 * A property with values that show how a source compares. Each value is in a letter case that differs from that of a
 * record.
 */
export interface PropertyTestValues {
  readonly property: string;
  /** Number of requests for comparing these values. */
  readonly cost: number;
  /** Folded except for its case. Several records have it, so that omitting one of them shows. */
  readonly sharedValue?: string;
  /**
   * Folded except for its case. A record has it with diacritics or special letters, so a source that does not fold
   * omits that record. May equal `sharedValue`.
   */
  readonly accentedValue?: string;
}

const TEXT_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>(['text', 'texts', 'country']);

/** `country` is a parameter that searches more than the property; ids are created by Rollcall. */
const UNTESTED_PROPERTIES = ['id', 'country'];

/** Properties with values that can reveal a faulty filter, the most informative first. */
export function selectTestProperties(
  subject: ProbedResource,
  reference: ReferenceRecords,
): readonly PropertyTestValues[] {
  const { resource } = reference;
  const names = resource.properties.filter(
    ({ name, kind }) =>
      TEXT_KINDS.has(kind) &&
      !UNTESTED_PROPERTIES.includes(name) &&
      !isPgpKeyProperty(resource, name) &&
      isTestable(reference, name),
  );
  const found = names
    .map(({ name }) => selectTestValues(subject, reference, name))
    .filter(({ sharedValue }) => sharedValue !== undefined);
  return found.sort((a, b) => Number(b.accentedValue !== undefined) - Number(a.accentedValue !== undefined));
}

/**
 * Only an aggregate has records with several source-names; for another source, the registration decides (decisions
 * 4.11).
 */
function isTestable({ vocabulary, resource }: ReferenceRecords, name: string): boolean {
  return name !== resource.sourceNameProperty || vocabulary.aggregate;
}

function selectTestValues(subject: ProbedResource, reference: ReferenceRecords, property: string): PropertyTestValues {
  const read = createPropertyReader(reference.resource, property);
  const counts = new Map<string, number>();
  const [accented, lower] = [new Set<string>(), new Set<string>()];
  for (const record of reference.recordSet.records) {
    for (const text of new Set(toItems(read(record)).map(String))) {
      const folded = foldText(text);
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
      if (folded !== text.toLowerCase()) accented.add(folded);
      if (text === text.toLowerCase()) lower.add(folded);
    }
  }
  const selective = [...counts].filter(([, count]) => count < reference.size);
  const sharedBySeveral = selective.filter(([, count]) => count > 1);
  const sharedValue =
    selectTestValue(sharedBySeveral.filter(([value]) => accented.has(value))) ?? selectTestValue(sharedBySeveral);
  const isAccented = sharedValue !== undefined && accented.has(sharedValue);
  const accentedValue = isAccented ? sharedValue : selectTestValue(selective.filter(([value]) => accented.has(value)));
  const values = new Set([sharedValue, accentedValue].filter((value) => value !== undefined));
  const cost = [...values].reduce((sum, value) => sum + comparisonCost(subject, counts.get(value) ?? 0), 0);
  const inCase = (value: string): string => (lower.has(value) ? upperCase(value) : value);
  return {
    property,
    cost,
    ...(sharedValue !== undefined && { sharedValue: inCase(sharedValue) }),
    ...(accentedValue !== undefined && { accentedValue: inCase(accentedValue) }),
  };
}

/** The value in capital letters, if that folds to the same value. */
function upperCase(folded: string): string {
  const upper = folded.toUpperCase();
  return foldText(upper) === folded ? upper : folded;
}

/** Checks an exact filter on a property with folded values (decisions 2.25). */
export async function checkPropertyFilter(
  subject: ProbedResource,
  reference: ReferenceRecords,
  testValues: PropertyTestValues,
): Promise<CheckResult[]> {
  const { property, sharedValue, accentedValue } = testValues;
  const topic = `filter ${property}`;
  if (sharedValue === undefined) return openResult(topic, 'no value that several records share and others do not have');
  const first = await compareWithReference(subject, reference, { [property]: sharedValue });
  const second =
    accentedValue === undefined || accentedValue === sharedValue
      ? undefined
      : await compareWithReference(subject, reference, { [property]: accentedValue });
  const comparisons = [first, ...(second ? [second] : [])];
  for (const comparison of comparisons) {
    const mismatch = describeMismatch(subject, comparison);
    if (mismatch !== undefined) return [{ topic, verdict: 'refuted', evidence: mismatch, asked: comparison.targets }];
  }
  const targets = comparisons.flatMap((comparison) => comparison.targets);
  const evidence = comparisons.map((comparison) => describeMatches(comparison, reference)).join('; ');
  const isCode = findPropertyKind(reference.resource, property) === 'country';
  const doubts = isCode
    ? countryFormDoubts(subject)
    : [...accentDoubts(testValues), ...valueDoubts(subject, [property])];
  return [provedOrConsistent(topic, { evidence, doubts, targets, grant: { filter: property } })];
}

function accentDoubts({ accentedValue }: PropertyTestValues): readonly string[] {
  return accentedValue === undefined
    ? ['no value has letters other than a to z, so it is not known how the source compares those']
    : [];
}
