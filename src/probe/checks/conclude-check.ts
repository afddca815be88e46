import { UNREAD_VALUE_RULES } from '../../source/record/findings.js';
import type { FindingRule } from '../../source/record/findings.js';
import { pluralize } from '../findings/finding.js';
import type { CapabilityGrant, CheckResult } from '../findings/finding.js';
import type { ProbedResource } from '../resource/probed-resource.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import type { ReferenceComparison } from './compare-with-reference.js';

/** A finding without a conclusion: nothing was requested, or the responses prove nothing. */
export function openResult(topic: string, evidence: string): CheckResult[] {
  return [{ topic, verdict: 'open', evidence }];
}

/** Describes a comparison without a mismatch. */
export function describeMatches(
  { expectedCount: matches, targets, reportedTotal: total, sampled }: ReferenceComparison,
  reference: ReferenceRecords,
): string {
  const pages = targets.length > 1 ? `, on ${pluralize(targets.length, 'page')}` : '';
  const count = total === undefined ? '' : `, total ${total}`;
  if (sampled !== undefined)
    return `received exactly the first ${sampled[0]} and the last ${sampled[1]} of ${pluralize(matches, 'matching record')}, out of ${reference.size}${pages}${count}`;
  return `received exactly ${pluralize(matches, 'matching record')} out of ${reference.size}${pages}${count}`;
}

/** Responses that were right, with the behaviours that they do not rule out. */
interface ConsistentResponses {
  readonly evidence: string;
  readonly doubts: readonly string[];
  readonly targets: readonly string[];
  readonly grant: CapabilityGrant;
}

/** A finding that is `proved` without doubts, otherwise `consistent`. */
export function provedOrConsistent(
  topic: string,
  { evidence, doubts, targets, grant }: ConsistentResponses,
): CheckResult {
  const facts = { topic, asked: targets };
  if (doubts.length === 0) return { ...facts, verdict: 'proved', evidence, grant };
  return { ...facts, verdict: 'consistent', evidence: `${evidence}; but ${doubts.join('; ')}` };
}

/**
 * Findings about values that Rollcall normalizes when it reads them: countries such as `UK` and `Brazil`, `mailto:`, surrounding
 * white space, numbers as text, and lists in place of scalars (decisions 4.2); and values that it cannot read (decisions 4.6).
 */
const DOUBTED_RULES: readonly FindingRule[] = [
  'country-form',
  'address-form',
  'white-space',
  'not-text',
  'list-for-scalar',
  ...UNREAD_VALUE_RULES,
];

/**
 * Doubts about a filter by country where received codes differ from the codes they are read as: the source may compare
 * what it wrote, and one request tests only a few codes (decisions 5.12).
 */
export function countryFormDoubts(subject: ProbedResource): readonly string[] {
  return valueDoubts(subject, subject.resource.countryProperties, 'codes');
}

/** The same doubts for any properties. */
export function valueDoubts(
  { completeList, initialPages }: ProbedResource,
  properties: readonly string[],
  what = 'values',
): readonly string[] {
  const receivedFindings = [completeList?.findings ?? [], ...initialPages.map(({ page }) => page.findings)].flatMap(
    (findings) => [...findings.keys()],
  );
  const candidates = properties.flatMap((property) => DOUBTED_RULES.map((rule) => `${rule} ${property}`));
  const found = candidates.filter((finding) => receivedFindings.includes(finding));
  if (found.length === 0) return [];
  return [
    `some ${what} are normalized or cannot be read (${found.join(', ')}); a source that compares its own text omits them`,
  ];
}
