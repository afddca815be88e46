import { createConditionalHeaders } from '../../source/client/conditional-request.js';
import { LAST_MODIFIED_FIELD } from '../../source/dialect/envelope.js';
import type { FindingCounts } from '../../source/record/findings.js';
import { formatImfFixdate, parseDate } from '../../text/date.js';
import type { PropertyValue } from '../../model/property-value.js';
import { findPropertyPosition } from '../../model/resource.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import type { ProbeResponse } from '../client/probe-client.js';
import { knownSize } from '../resource/probed-resource.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** Findings about format, dates and paging from the pages already received, without further requests. */
export function describeInitialPages(subject: ProbedResource): CheckResult[] {
  return [
    describeRecords(subject),
    describeEnvelope(subject.firstPage),
    describeDates(subject),
    concludeLimit(subject),
    ...describeDataFindings(subject),
  ];
}

function notedResult(topic: string, evidence: string, targets: readonly string[] = []): CheckResult {
  return { topic, verdict: 'noted', evidence, asked: targets };
}

function describeRecords(subject: ProbedResource): CheckResult {
  const { completeList, unreadReason, initialPages } = subject;
  const targets = initialPages.map(({ target }) => target);
  if (completeList !== undefined) {
    return notedResult(
      'records',
      `all ${completeList.reference.size} read in ${pluralize(completeList.requests, 'request')}`,
      targets,
    );
  }
  const size = knownSize(subject);
  return notedResult(
    'records',
    `${size ?? 'an unknown number'}, not all read: ${unreadReason?.reason ?? 'not tried'}`,
    targets,
  );
}

function describeEnvelope({ target, page }: ProbeResponse): CheckResult {
  if (page.envelope === undefined) return notedResult('envelope', 'envelope=true is ignored: bare list', [target]);
  const limit = page.limit === undefined ? '' : `; it reports limit ${page.limit}`;
  return notedResult('envelope', `an object with ${page.envelope.join(', ')}${limit}`, [target]);
}

/** Finding for a response whose Last-Modified is in the future. */
const FUTURE_LAST_MODIFIED = `future-date ${LAST_MODIFIED_FIELD}`;

function describeDates({ firstPage: first, resource, completeList }: ProbedResource): CheckResult {
  const { lastModified, records: drafts, findings } = first.page;
  const position = findPropertyPosition(resource, resource.dateProperty ?? '');
  const times = (completeList?.reference.records ?? drafts).map(({ values }) => parseTime(values[position]));
  const readable = times.filter((at) => at !== undefined);
  const newest = readable.reduce((late, at) => Math.max(late, at), -Infinity);
  const isInFuture = findings.has(FUTURE_LAST_MODIFIED);
  const absence = isInFuture ? 'a Last-Modified in the future' : 'no Last-Modified';
  const listDate = lastModified === undefined ? absence : `Last-Modified ${formatImfFixdate(lastModified)}`;
  const late = lastModified !== undefined && lastModified < newest ? ', which is before its newest record' : '';
  const futureRecord = newest > first.receivedAt ? ', and a record dated in the future' : '';
  const dated =
    resource.dateProperty === undefined
      ? ''
      : `; ${readable.length} of ${times.length} records have a readable ${resource.dateProperty}`;
  const dateFindings = listFindings(completeList?.findings ?? findings, [
    'date-form',
    'unreadable-date',
    'future-date',
  ]);
  return notedResult(
    'dates',
    `${listDate}${late}${futureRecord}${dated}${dateFindings === '' ? '' : `; ${dateFindings}`}`,
  );
}

function parseTime(value: PropertyValue | undefined): number | undefined {
  return value === undefined ? undefined : parseDate(String(value))?.epochMs;
}

function concludeLimit({ limitMax, completeList, firstPage: first, initialPages }: ProbedResource): CheckResult {
  const topic = 'limit';
  const targets = initialPages.map(({ target }) => target);
  const ignored = initialPages.find(({ page, range }) => page.receivedCount > range.limit);
  if (ignored !== undefined) {
    const evidence = `${ignored.page.receivedCount} records received where at most ${ignored.range.limit} were requested`;
    return { topic, verdict: 'refuted', evidence, asked: targets };
  }
  if (limitMax === undefined) {
    const { receivedCount: received, total } = first.page;
    const evidence = completeList !== undefined || received === total ? 'all records are on one page' : 'not reported';
    return { topic, verdict: 'open', evidence: `${evidence}, so the maximum page size is not known`, asked: targets };
  }
  return {
    topic,
    verdict: 'proved',
    evidence: `pages of ${limitMax} records; no larger page received`,
    asked: targets,
    grant: { limitMax },
  };
}

const PAGING_RULES = ['offset-ignored', 'limit-ignored', 'wrong-total', 'drift'];

function describeDataFindings({ completeList, firstPage: first }: ProbedResource): CheckResult[] {
  const findings = completeList?.findings ?? first.page.findings;
  const paging = listFindings(findings, PAGING_RULES);
  const others = listFindings(
    findings,
    [...findings.keys()]
      .map((key) => key.split(' ', 1)[0] ?? '')
      .filter((rule) => !PAGING_RULES.includes(rule) && !rule.includes('date')),
  );
  const rest = others === '' ? [] : [notedResult('data', others)];
  return paging === '' ? rest : [{ topic: 'paging', verdict: 'refuted', evidence: paging }, ...rest];
}

/** Data-quality findings of some rules, with property and number. */
function listFindings(findings: FindingCounts, rules: readonly string[]): string {
  const found = [...findings].filter(([key]) => rules.includes(key.split(' ', 1)[0] ?? ''));
  return found
    .slice(0, 8)
    .map(([key, times]) => `${key} (${times})`)
    .join(', ');
}

/** Whether the source evaluates conditional requests, and returns the same page if nothing has changed. */
export async function checkValidators({ client, firstPage: first, resource }: ProbedResource): Promise<CheckResult[]> {
  const condition = createConditionalHeaders(first.reply, first.receivedAt);
  const topic = 'validators';
  if (condition === undefined) {
    return [notedResult(topic, 'none usable: no ETag, and no Last-Modified header older than the response')];
  }
  const name = Object.keys(condition).join();
  const page = await client.revalidatePage({ url: first.url, condition, freshnessLifetime: Infinity }, resource);
  const targets = [`${first.target} (${name})`];
  if (page === undefined) return [notedResult(topic, `${name} is answered with 304`, targets)];
  const result =
    page.fingerprint === first.page.fingerprint
      ? 'full response with the same page'
      : 'full response with another page';
  return [notedResult(topic, `${name} is ignored: ${result}`, targets)];
}

/**
 * How the source treats a parameter that no interface has. A source that ignores it also ignores filters that it does
 * not know.
 */
export async function checkUnknownParameter({
  client,
  firstPage: first,
  resource,
}: ProbedResource): Promise<CheckResult[]> {
  const response = await client.tryFetchPage(resource, { 'rollcall-probe': '1' }, first.range);
  const topic = 'unknown parameter';
  if ('refused' in response) return [notedResult(topic, `refused with ${response.refused}`, [response.target])];
  const isSamePage = response.page.fingerprint === first.page.fingerprint;
  const evidence = isSamePage ? 'ignored; same page' : 'not refused, but the page differs from the one before';
  return [notedResult(topic, evidence, [response.target])];
}

/**
 * Concludes whether totals are right: on every response, pages and filtered lists included, and at the end of the
 * list.
 */
export function concludeTotal({ observations, completeList, unreadReason }: ProbedResource): CheckResult {
  const topic = 'total';
  const { totals: counts, lastPage } = observations;
  const missing = counts.find(({ reported }) => reported === undefined);
  if (missing !== undefined)
    return { topic, verdict: 'refuted', evidence: 'no total reported', asked: [missing.target] };
  const wrong = counts.find(({ reported, expected }) => expected !== undefined && reported !== expected);
  if (wrong?.expected !== undefined) {
    const evidence = `total ${wrong.reported ?? 0}, but ${pluralize(wrong.expected, 'record')}`;
    return { topic, verdict: 'refuted', evidence, asked: [wrong.target] };
  }
  if (lastPage !== undefined && !lastPage.ends) {
    return { topic, verdict: 'refuted', evidence: 'the list does not end at its total', asked: [lastPage.target] };
  }
  if (unreadReason?.isOverBudget === false)
    return { topic, verdict: 'open', evidence: `not all records were read: ${unreadReason.reason}` };
  const partial = counts.filter(({ reported, received }) => reported !== undefined && received < reported);
  if (completeList === undefined && lastPage === undefined)
    return { topic, verdict: 'open', evidence: 'the last page was not read' };
  if (partial.length === 0) return { topic, verdict: 'open', evidence: 'no page has fewer records than the total' };
  const targets = [...partial.slice(0, 2).map(({ target }) => target), ...(lastPage ? [lastPage.target] : [])];
  const evidence = `right on ${pluralize(counts.length, 'response')}, of which ${partial.length} had only a part of the records`;
  return { topic, verdict: 'proved', evidence, asked: targets, grant: { total: true } };
}
