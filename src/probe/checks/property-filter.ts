import { isPgpKeyProperty, findPropertyKind } from '../../model/resource.js';
import type { PropertyKind } from '../../model/resource.js';
import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/property-columns.js';
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

/** A property, and values of it that tell how a source compares, each in a case in which no record has it. */
export interface PropertyTestValues {
  readonly property: string;
  /** Requests that it takes to ask for these values. */
  readonly cost: number;
  /** Folded, but for its case; several records share it: one of them may be left out. */
  readonly sharedValue?: string;
  /** Folded, but for its case; a record has it with marks, or letters beyond a to z: asked without them, it may be left out. May be `shared` itself. */
  readonly accentedValue?: string;
}

const TEXT_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>(['text', 'texts', 'country']);

/** `country` is a parameter that looks at more than the property; an id is made here. */
const UNTESTED_PROPERTIES = ['id', 'country'];

/** The properties whose filters could be wrong in a way that shows, those that tell most first. */
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

/** Which source a record is from this house decides by the registration; only an aggregate has records of several. */
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

/** The same value in capital letters, where it is still the same value folded. */
function upperCase(folded: string): string {
  const upper = folded.toUpperCase();
  return foldText(upper) === folded ? upper : folded;
}

/** An exact filter on a property, asked for folded values, as this house compares them. */
export async function checkPropertyFilter(
  subject: ProbedResource,
  known: ReferenceRecords,
  telling: PropertyTestValues,
): Promise<CheckResult[]> {
  const { property, sharedValue: shared, accentedValue: marked } = telling;
  const topic = `filter ${property}`;
  if (shared === undefined) return openResult(topic, 'no value that several records share and others have not');
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
    ? ['no value has letters beyond a to z, so that it is not seen how those are compared']
    : [];
}
