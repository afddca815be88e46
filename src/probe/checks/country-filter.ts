import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/property-columns.js';
import { parseCountryCode } from '../../region/region.js';
import type { FindingRule } from '../../source/record/findings.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult, CapabilityGrant } from '../findings/finding.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import {
  MAX_COMPLETE_COMPARISON,
  selectTestValue,
  compareWithReference,
  describeMismatch,
} from './compare-with-reference.js';
import type { ReferenceComparison } from './compare-with-reference.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** A question that has its answer, or none. */
export type ReferenceCheck = (subject: ProbedResource, known: ReferenceRecords) => Promise<CheckResult[]>;

/** Nothing was asked, or what came tells nothing. */
export function openResult(topic: string, evidence: string): CheckResult[] {
  return [{ topic, verdict: 'open', evidence }];
}

/** What was right, in words. */
export function describeMatches(
  { expectedCount: matches, targets: asked, reportedTotal: total, sampled }: ReferenceComparison,
  known: ReferenceRecords,
): string {
  const pages = asked.length > 1 ? ` on ${pluralize(asked.length, 'page')}` : '';
  const count = total === undefined ? '' : `, counted as ${total}`;
  if (sampled !== undefined)
    return `of the ${matches} of ${known.size} that match the first ${sampled[0]} and the last ${sampled[1]} came, and no other${pages}${count}`;
  return `the ${matches} of ${known.size} that match came, and no other${pages}${count}`;
}

/** Codes that one question names at most. */
const MAX_CODES = 12;

/**
 * `country`, with several codes (a source may hear the first only), one of which some record has only as a further country (a source may look
 * at the first country only).
 */
export const checkCountryFilter: ReferenceCheck = async (subject, known) => {
  const topic = 'filter country';
  const { codes, further } = selectCountries(known);
  if (codes.length === 0) return openResult(topic, 'no countries that some records have and others have not');
  const comparison = await compareWithReference(subject, known, { country: codes.join(',') });
  const { targets: asked } = comparison;
  const fault = describeMismatch(subject, comparison);
  if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked }];
  const doubts = [
    ...(further ? [] : ['no record is in a further country, so that it is not seen whether those are looked at']),
    ...(codes.length > 1
      ? []
      : ['no two countries leave out a record, so that it is not seen whether a second code is read']),
    ...countryFormDoubts(subject),
  ];
  return [
    provedOrConsistent(topic, {
      evidence: describeMatches(comparison, known),
      doubts,
      targets: asked,
      grant: { filter: 'country' },
    }),
  ];
};

/** An answer that was right, and what it still leaves open. */
interface ConsistentAnswer {
  readonly evidence: string;
  readonly doubts: readonly string[];
  readonly targets: readonly string[];
  readonly grant: CapabilityGrant;
}

/** A finding that is proved where there is no doubt, and consistent else. */
export function provedOrConsistent(
  topic: string,
  { evidence, doubts, targets: asked, grant }: ConsistentAnswer,
): CheckResult {
  const facts = { topic, asked };
  if (doubts.length === 0) return { ...facts, verdict: 'proved', evidence, grant };
  return { ...facts, verdict: 'consistent', evidence: `${evidence}; but ${doubts.join('; ')}` };
}

/** What is done to a value that is not written as it is read: to `UK` and `br`, to what has white space at an end, to a number, and to a list. */
const NORMALIZING_RULES: readonly FindingRule[] = [
  'country-form',
  'white-space',
  'not-text',
  'list-for-scalar',
  'scalar-for-list',
];

/** The doubt about a filter that names countries where some were written otherwise: the source may compare what it wrote, and a question names a few only. */
export function countryFormDoubts(subject: ProbedResource): readonly string[] {
  return normalizedValueDoubts(subject, subject.resource.countryProperties, 'codes');
}

/** The same of any properties. */
export function normalizedValueDoubts(
  { completeList: whole, initialPages: looked }: ProbedResource,
  properties: readonly string[],
  what = 'values',
): readonly string[] {
  const met = [whole?.findings ?? [], ...looked.map(({ page }) => page.findings)].flatMap((findings) => [
    ...findings.keys(),
  ]);
  const written = properties.flatMap((property) => NORMALIZING_RULES.map((rule) => `${rule} ${property}`));
  const found = written.filter((finding) => met.includes(finding));
  if (found.length === 0) return [];
  return [
    `there are ${what} that are written otherwise than they are read (${found.join(', ')}), and who compares what is written leaves those out`,
  ];
}

/** Codes that some records have and others have not, and whether a record has one of them as a further country only. */
function selectCountries(known: ReferenceRecords): { readonly codes: readonly string[]; readonly further: boolean } {
  const rows = recordCountries(known);
  const matching = (codes: readonly string[]): number =>
    rows.filter(({ all }) => codes.some((code) => all.includes(code))).length;
  const chooses = (codes: readonly string[]): boolean => matching(codes) < known.size;
  const start = new Map<string, { readonly own: string; readonly code: string }>();
  for (const { own, all } of rows)
    for (const code of all) if (code !== own && !start.has(code)) start.set(code, { own, code });
  const seeds = [...start.values()].filter(({ code }) => chooses([code]));
  const seed = selectTestValue(seeds.map((one) => [one, matching([one.code])] as const));
  const codes = seed === undefined ? [] : [seed.code];
  const others = [...new Set(rows.flatMap(({ all }) => all))].filter(
    (code) => code !== seed?.own && code !== seed?.code,
  );
  for (const code of others.map((one) => [one, matching([one])] as const).sort(([, a], [, b]) => a - b)) {
    const more = [...codes, code[0]];
    const isSecond = codes.length < 2;
    if (more.length <= MAX_CODES && chooses(more) && (isSecond || matching(more) <= MAX_COMPLETE_COMPARISON))
      codes.push(code[0]);
  }
  return { codes, further: seed !== undefined };
}

/** The countries of each record, its own first. */
export function recordCountries({
  resource,
  recordSet: set,
}: ReferenceRecords): { readonly own: string; readonly all: readonly string[] }[] {
  const reads = resource.countryProperties.map((property) => createPropertyReader(resource, property));
  return set.records.map((record) => {
    const [own, ...others] = reads.map((read) => toItems(read(record)).map(String));
    const all = [...(own ?? []), ...others.flat()].filter((code) => parseCountryCode(code) === code);
    return { own: own?.[0] ?? '', all };
  });
}
