import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { parseCountryCode } from '../../region/country.js';
import type { CheckResult } from '../findings/finding.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import {
  MAX_COMPLETE_COMPARISON,
  selectTestValue,
  compareWithReference,
  describeMismatch,
} from './compare-with-reference.js';
import { countryFormDoubts, describeMatches, openResult, provedOrConsistent } from './conclude-check.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** Maximum number of codes in one request. */
const MAX_CODES = 12;

/**
 * Checks `country` with several codes, because a source may read only the first one. Some record has one of them only
 * as a further country, because a source may compare only the first country.
 */
export async function checkCountryFilter(subject: ProbedResource, reference: ReferenceRecords): Promise<CheckResult[]> {
  const topic = 'filter country';
  const { codes, hasFurther } = selectCountries(reference);
  if (codes.length === 0) return openResult(topic, 'no country that some records have and others do not');
  const comparison = await compareWithReference(subject, reference, { country: codes.join(',') });
  const { targets } = comparison;
  const mismatch = describeMismatch(subject, comparison);
  if (mismatch !== undefined) return [{ topic, verdict: 'refuted', evidence: mismatch, asked: targets }];
  const doubts = [
    ...(hasFurther ? [] : ['no record has a further country, so it is not known whether the source compares those']),
    ...(codes.length > 1
      ? []
      : ['no two countries together omit a record, so it is not known whether the source reads a second code']),
    ...countryFormDoubts(subject),
  ];
  return [
    provedOrConsistent(topic, {
      evidence: describeMatches(comparison, reference),
      doubts,
      targets,
      grant: { filter: 'country' },
    }),
  ];
}

/**
 * Selects codes that some records have and others do not. `hasFurther`: a record has one of them only as a further
 * country.
 */
function selectCountries(reference: ReferenceRecords): {
  readonly codes: readonly string[];
  readonly hasFurther: boolean;
} {
  const rows = recordCountries(reference);
  const matching = (codes: readonly string[]): number =>
    rows.filter(({ all }) => codes.some((code) => all.includes(code))).length;
  const isSelective = (codes: readonly string[]): boolean => matching(codes) < reference.size;
  const pairs = new Map<string, { readonly own: string; readonly code: string }>();
  for (const { own, all } of rows)
    for (const code of all) if (code !== own && !pairs.has(code)) pairs.set(code, { own, code });
  const selectivePairs = [...pairs.values()].filter(({ code }) => isSelective([code]));
  const pair = selectTestValue(selectivePairs.map((item) => [item, matching([item.code])] as const));
  const codes = pair === undefined ? [] : [pair.code];
  const others = [...new Set(rows.flatMap(({ all }) => all))].filter(
    (code) => code !== pair?.own && code !== pair?.code,
  );
  for (const code of others.map((item) => [item, matching([item])] as const).sort(([, a], [, b]) => a - b)) {
    const extended = [...codes, code[0]];
    const isSecond = codes.length < 2;
    if (
      extended.length <= MAX_CODES &&
      isSelective(extended) &&
      (isSecond || matching(extended) <= MAX_COMPLETE_COMPARISON)
    )
      codes.push(code[0]);
  }
  return { codes, hasFurther: pair !== undefined };
}

/** Countries of each record, its own country first. */
export function recordCountries({
  resource,
  recordSet: set,
}: ReferenceRecords): { readonly own: string; readonly all: readonly string[] }[] {
  const readers = resource.countryProperties.map((property) => createPropertyReader(resource, property));
  return set.records.map((record) => {
    const [own, ...others] = readers.map((read) => toItems(read(record)).map(String));
    const all = [...(own ?? []), ...others.flat()].filter((code) => parseCountryCode(code) === code);
    return { own: own?.[0] ?? '', all };
  });
}
