import { isPgpKeyProperty, findPropertyKind } from '../../model/resource.js';
import type { PropertyKind } from '../../model/resource.js';
import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { foldText } from '../../text/text-folding.js';
import type { CheckResult } from '../findings/finding.js';
import {
  openResult,
  countryFormDoubts,
  describeMatches,
  provedOrConsistent,
  normalizedValueDoubts,
} from './country-filter.js';
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
export function selectTestProperties(subject: ProbedResource, known: ReferenceRecords): readonly PropertyTestValues[] {
  const { resource } = known;
  const names = resource.properties.filter(
    ({ name, kind }) =>
      TEXT_KINDS.has(kind) &&
      !UNTESTED_PROPERTIES.includes(name) &&
      !isPgpKeyProperty(resource, name) &&
      isTestable(known, name),
  );
  const found = names
    .map(({ name }) => selectTestValues(subject, known, name))
    .filter(({ sharedValue: shared }) => shared !== undefined);
  return found.sort((a, b) => Number(b.accentedValue !== undefined) - Number(a.accentedValue !== undefined));
}

/**
 * Only an aggregate has records with several source-names; for another source, the registration decides (decisions
 * 4.11).
 */
function isTestable({ vocabulary, resource }: ReferenceRecords, name: string): boolean {
  return name !== resource.sourceNameProperty || vocabulary.aggregate;
}

function selectTestValues(subject: ProbedResource, known: ReferenceRecords, property: string): PropertyTestValues {
  const read = createPropertyReader(known.resource, property);
  const counts = new Map<string, number>();
  const [marks, lower] = [new Set<string>(), new Set<string>()];
  for (const record of known.recordSet.records) {
    for (const text of new Set(toItems(read(record)).map(String))) {
      const folded = foldText(text);
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
      if (folded !== text.toLowerCase()) marks.add(folded);
      if (text === text.toLowerCase()) lower.add(folded);
    }
  }
  const choosing = [...counts].filter(([, count]) => count < known.size);
  const several = choosing.filter(([, count]) => count > 1);
  const shared = selectTestValue(several.filter(([value]) => marks.has(value))) ?? selectTestValue(several);
  const isMarked = shared !== undefined && marks.has(shared);
  const marked = isMarked ? shared : selectTestValue(choosing.filter(([value]) => marks.has(value)));
  const values = new Set([shared, marked].filter((value) => value !== undefined));
  const cost = [...values].reduce((sum, value) => sum + comparisonCost(subject, counts.get(value) ?? 0), 0);
  const inCase = (value: string): string => (lower.has(value) ? upperCase(value) : value);
  return {
    property,
    cost,
    ...(shared !== undefined && { sharedValue: inCase(shared) }),
    ...(marked !== undefined && { accentedValue: inCase(marked) }),
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
  known: ReferenceRecords,
  telling: PropertyTestValues,
): Promise<CheckResult[]> {
  const { property, sharedValue: shared, accentedValue: marked } = telling;
  const topic = `filter ${property}`;
  if (shared === undefined) return openResult(topic, 'no value that several records share and others do not have');
  const first = await compareWithReference(subject, known, { [property]: shared });
  const second =
    marked === undefined || marked === shared
      ? undefined
      : await compareWithReference(subject, known, { [property]: marked });
  const comparisons = [first, ...(second ? [second] : [])];
  for (const one of comparisons) {
    const fault = describeMismatch(subject, one);
    if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked: one.targets }];
  }
  const asked = comparisons.flatMap((one) => one.targets);
  const evidence = comparisons.map((one) => describeMatches(one, known)).join('; ');
  const isCode = findPropertyKind(known.resource, property) === 'country';
  const doubts = isCode
    ? countryFormDoubts(subject)
    : [...accentDoubts(telling), ...normalizedValueDoubts(subject, [property])];
  return [provedOrConsistent(topic, { evidence, doubts, targets: asked, grant: { filter: property } })];
}

function accentDoubts({ accentedValue: marked }: PropertyTestValues): readonly string[] {
  return marked === undefined
    ? ['no value has letters other than a to z, so it is not known how the source compares those']
    : [];
}
