import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { parseCountryCode } from '../../region/country.js';
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

/** A check that compares responses with the complete list. */
export type ReferenceCheck = (subject: ProbedResource, known: ReferenceRecords) => Promise<CheckResult[]>;

/** A finding without a conclusion: nothing was requested, or the responses prove nothing. */
export function openResult(topic: string, evidence: string): CheckResult[] {
  return [{ topic, verdict: 'open', evidence }];
}

/** Describes a comparison without a mismatch. */
export function describeMatches(
  { expectedCount: matches, targets: asked, reportedTotal: total, sampled }: ReferenceComparison,
  known: ReferenceRecords,
): string {
  const pages = asked.length > 1 ? `, on ${pluralize(asked.length, 'page')}` : '';
  const count = total === undefined ? '' : `, total ${total}`;
  if (sampled !== undefined)
    return `received exactly the first ${sampled[0]} and the last ${sampled[1]} of ${pluralize(matches, 'matching record')}, out of ${known.size}${pages}${count}`;
  return `received exactly ${pluralize(matches, 'matching record')} out of ${known.size}${pages}${count}`;
}

/** Maximum number of codes in one request. */
const MAX_CODES = 12;

/**
 * Checks `country` with several codes, because a source may read only the first one. Some record has one of them only
 * as a further country, because a source may compare only the first country.
 */
export const checkCountryFilter: ReferenceCheck = async (subject, known) => {
  const topic = 'filter country';
  const { codes, further } = selectCountries(known);
  if (codes.length === 0) return openResult(topic, 'no country that some records have and others do not');
  const comparison = await compareWithReference(subject, known, { country: codes.join(',') });
  const { targets: asked } = comparison;
  const fault = describeMismatch(subject, comparison);
  if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked }];
  const doubts = [
    ...(further ? [] : ['no record has a further country, so it is not known whether the source compares those']),
    ...(codes.length > 1
      ? []
      : ['no two countries together omit a record, so it is not known whether the source reads a second code']),
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

/** Responses that were right, with the behaviours that they do not rule out. */
interface ConsistentAnswer {
  readonly evidence: string;
  readonly doubts: readonly string[];
  readonly targets: readonly string[];
  readonly grant: CapabilityGrant;
}

/** A finding that is `proved` without doubts, otherwise `consistent`. */
export function provedOrConsistent(
  topic: string,
  { evidence, doubts, targets: asked, grant }: ConsistentAnswer,
): CheckResult {
  const facts = { topic, asked };
  if (doubts.length === 0) return { ...facts, verdict: 'proved', evidence, grant };
  return { ...facts, verdict: 'consistent', evidence: `${evidence}; but ${doubts.join('; ')}` };
}

/**
 * Findings about values that Rollcall normalizes when it reads them: countries such as `UK` and `br`, surrounding
 * white space, numbers as text, and lists and scalars in place of each other (decisions 4.2).
 */
const NORMALIZING_RULES: readonly FindingRule[] = [
  'country-form',
  'white-space',
  'not-text',
  'list-for-scalar',
  'scalar-for-list',
];

/**
 * Doubts about a filter by country where received codes differ from the codes they are read as: the source may compare
 * what it wrote, and one request tests only a few codes (decisions 5.12).
 */
export function countryFormDoubts(subject: ProbedResource): readonly string[] {
  return normalizedValueDoubts(subject, subject.resource.countryProperties, 'codes');
}

/** The same doubts for any properties. */
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
    `some ${what} are normalized when read (${found.join(', ')}); a source that compares its own text omits them`,
  ];
}

/**
 * Selects codes that some records have and others do not. `further`: a record has one of them only as a further
 * country.
 */
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

/** Countries of each record, its own country first. */
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
