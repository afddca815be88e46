import { toItems } from '../../model/property-value.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { regionNames } from '../../region/region.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { foldText } from '../../text/text-folding.js';
import type { CheckResult } from '../findings/finding.js';
import { openResult, describeMatches } from './conclude-check.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import {
  MAX_COMPLETE_COMPARISON,
  selectTestValue,
  compareWithReference,
  describeMismatch,
} from './compare-with-reference.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** Why no comparison proves a search (decisions 5.13). */
const SINGLE_SEARCH_DOUBT = 'one search proves nothing about others, so only the operator can declare it (exact: true)';

/** Checks the directory's `team`, a search in names (decisions 2.27). */
export async function checkTeamSearch(subject: ProbedResource, reference: ReferenceRecords): Promise<CheckResult[]> {
  const team = await findSharedFragment(reference, 'team');
  return team === undefined
    ? openResult('search team', 'no fragment of a name that distinguishes records')
    : checkSearchParameter(subject, reference, { team });
}

/** Checks `region` by the name of one region (decisions 2.29). */
export async function checkRegionSearch(subject: ProbedResource, reference: ReferenceRecords): Promise<CheckResult[]> {
  const counts = await Promise.all(
    regionNames.map(async (region) => ({ region, count: (await reference.matchingIndexes({ region }))?.length ?? 0 })),
  );
  const selective = counts.filter(({ count }) => count > 1 && count < reference.size);
  const best = selectTestValue(selective.map(({ region, count }) => [region, count] as const));
  if (best === undefined) return openResult('search region', 'no region that some records are in and others are not');
  return checkSearchParameter(subject, reference, { region: best });
}

async function checkSearchParameter(
  subject: ProbedResource,
  reference: ReferenceRecords,
  parameters: SourceParameters,
): Promise<CheckResult[]> {
  const topic = `search ${Object.keys(parameters).join()}`;
  const comparison = await compareWithReference(subject, reference, parameters);
  const mismatch = describeMismatch(subject, comparison);
  const facts = { topic, asked: comparison.targets };
  if (mismatch !== undefined) return [{ ...facts, verdict: 'refuted', evidence: mismatch }];
  return [
    {
      ...facts,
      verdict: 'consistent',
      evidence: `${describeMatches(comparison, reference)}; but ${SINGLE_SEARCH_DOUBT}`,
    },
  ];
}

/** Maximum number of word fragments tried. */
const MAX_CANDIDATES = 40;

/** A word of a name, folded and without its first letter, that several records match and others do not. */
export async function findSharedFragment(
  reference: ReferenceRecords,
  parameter: 'q' | 'team',
): Promise<string | undefined> {
  const { resource, recordSet: set } = reference;
  const read = createPropertyReader(resource, resource.nameProperties.at(-1) ?? '');
  const first = createPropertyReader(resource, resource.nameProperties[0] ?? '');
  const words = set.records.flatMap((record) =>
    [...toItems(read(record)), ...toItems(first(record))].flatMap(wordFragments),
  );
  const counts: (readonly [string, number])[] = [];
  for (const word of [...new Set(words)].slice(0, MAX_CANDIDATES)) {
    const count = (await reference.matchingIndexes({ [parameter]: word }))?.length ?? 0;
    if (count > 1 && count <= MAX_COMPLETE_COMPARISON) return word;
    if (count > 1 && count < reference.size) counts.push([word, count]);
  }
  return selectTestValue(counts);
}

function wordFragments(value: unknown): readonly string[] {
  const words = String(value)
    .split(/\s+/)
    .filter((word) => /^\p{L}{4,}$/u.test(word));
  // Words with diacritics first: requested without them, they show whether the source folds diacritics.
  const ranked = words.sort(
    (a, b) => Number(foldText(b) !== b.toLowerCase()) - Number(foldText(a) !== a.toLowerCase()),
  );
  return ranked.map((word) => foldText(word).slice(1));
}
