import type { PropertyValue } from '../model/property-value.js';
import { findPropertyPosition } from '../model/resource.js';
import { SourceFailure } from '../source/client/source-failure.js';
import { LAST_MODIFIED_FIELD } from '../source/dialect/envelope.js';
import type { FindingCounts } from '../source/record/findings.js';
import { formatImfFixdate, parseDate } from '../text/date.js';
import { checkList, listTopics } from './checks.js';
import type { CheckedList } from './checks.js';
import { formatQuery } from './compare-with-list.js';
import { TOO_LARGE } from './drain-list.js';
import type { ProbedList } from './drain-list.js';
import { pluralize } from './finding.js';
import type { CheckResult } from './finding.js';
import { describeProbeFailure } from './probe-client.js';

export async function examineList(list: ProbedList): Promise<readonly CheckResult[]> {
  const { reference, obstacle } = list;
  const { results, totals }: CheckedList =
    reference === undefined
      ? { results: listTopics(list.resource).map((topic) => openResult(topic, obstacle)), totals: [] }
      : await checkList({ ...list, reference });
  return [
    describeRecords(list),
    ...describePaging(list),
    describeLimit(list),
    ...(reference === undefined ? [] : [concludeTotal(list, reference.size, totals)]),
    ...results,
    await examine('validators', () => describeValidators(list)),
    await examine('unknown parameter', () => describeUnknownParameter(list)),
    describeEnvelope(list),
    describeDates(list),
    ...describeData(list),
  ];
}

async function examine(topic: string, run: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return openResult(topic, describeProbeFailure(error));
  }
}

function openResult(topic: string, evidence: string): CheckResult {
  return { topic, verdict: 'open', evidence: evidence.startsWith(TOO_LARGE) ? TOO_LARGE : evidence };
}

function notedResult(topic: string, evidence: string): CheckResult {
  return { topic, verdict: 'noted', evidence };
}

function describeRecords({ reference, obstacle, pages: [first] }: ProbedList): CheckResult {
  if (reference !== undefined) return notedResult('records', `all ${reference.size} read`);
  const total = first?.page.total;
  return notedResult('records', `${total === undefined ? 'no total' : `total ${total}`}; ${obstacle}`);
}

function describeLimit({ pages, reference, pageSize }: ProbedList): CheckResult {
  const ignored = pages.find(({ page, range }) => page.receivedCount > range.limit);
  if (ignored !== undefined) {
    const { page, range } = ignored;
    return {
      topic: 'limit',
      verdict: 'refuted',
      evidence: `${page.receivedCount} records received where at most ${range.limit} were requested`,
    };
  }
  const largest = Math.max(...pages.map(({ page }) => page.receivedCount));
  return notedResult(
    'limit',
    reference !== undefined && reference.size <= largest
      ? 'all records are on one page'
      : `pages of ${Math.min(pageSize, largest)} records`,
  );
}

/** Every total of the list, and of the filtered lists that were right, is the number of records. */
function concludeTotal({ pages }: ProbedList, size: number, totals: CheckedList['totals']): CheckResult {
  const topic = 'total';
  const all = [...pages.map(({ page }) => ({ reported: page.total, expected: size })), ...totals];
  const wrong = all.find(({ reported, expected }) => reported !== expected);
  if (wrong !== undefined) {
    const { reported, expected } = wrong;
    const evidence =
      reported === undefined ? 'no total reported' : `total ${reported}, but ${pluralize(expected, 'record')}`;
    return { topic, verdict: 'refuted', evidence };
  }
  if (totals.length === 0) return openResult(topic, 'no page with a part of the records was right');
  return { topic, verdict: 'proved', evidence: `right on ${pluralize(all.length, 'page')}`, grant: { total: true } };
}

function describeEnvelope({ pages: [first] }: ProbedList): CheckResult {
  const { envelope, limit } = first?.page ?? {};
  if (envelope === undefined) return notedResult('envelope', 'envelope=true is ignored: bare list');
  const reported = limit === undefined ? '' : `; it reports limit ${limit}`;
  return notedResult('envelope', `an object with ${envelope.join(', ')}${reported}`);
}

const DATE_RULES = ['date-form', 'unreadable-date', 'future-date'];

const PAGING_RULES = ['offset-ignored', 'limit-ignored', 'wrong-total', 'drift'];

function describeDates({ pages: [first], resource, reference, findings }: ProbedList): CheckResult {
  if (first === undefined) throw new Error('no page was read');
  const { lastModified, records } = first.page;
  const position = findPropertyPosition(resource, resource.dateProperty ?? '');
  const times = (reference?.records ?? records).map((record) => parseTime(record.valueAt(position)));
  const readable = times.filter((at) => at !== undefined);
  const newest = readable.reduce((late, at) => Math.max(late, at), -Infinity);
  const isInFuture = first.page.findings.has(`future-date ${LAST_MODIFIED_FIELD}`);
  const absence = isInFuture ? 'a Last-Modified in the future' : 'no Last-Modified';
  const parts = [
    lastModified === undefined ? absence : `Last-Modified ${formatImfFixdate(lastModified)}`,
    ...(lastModified !== undefined && lastModified < newest ? ['which is before its newest record'] : []),
    ...(newest > first.reply.readAt ? ['and a record dated in the future'] : []),
  ];
  const dated =
    resource.dateProperty === undefined
      ? ''
      : `; ${readable.length} of ${times.length} records have a readable ${resource.dateProperty}`;
  const found = listFindings(findings, (rule) => DATE_RULES.includes(rule));
  return notedResult('dates', `${parts.join(', ')}${dated}${found === '' ? '' : `; ${found}`}`);
}

function parseTime(value: PropertyValue | undefined): number | undefined {
  return value === undefined ? undefined : parseDate(String(value))?.epochMs;
}

function describePaging({ findings }: ProbedList): readonly CheckResult[] {
  const found = listFindings(findings, (rule) => PAGING_RULES.includes(rule));
  return found === '' ? [] : [{ topic: 'paging', verdict: 'refuted', evidence: found }];
}

function describeData({ findings }: ProbedList): readonly CheckResult[] {
  const found = listFindings(findings, (rule) => ![...DATE_RULES, ...PAGING_RULES].includes(rule));
  return found === '' ? [] : [notedResult('data', found)];
}

const MAX_FINDINGS = 8;

function listFindings(findings: FindingCounts, isListed: (rule: string) => boolean): string {
  return [...findings]
    .filter(([key]) => isListed(key.split(' ', 1)[0] ?? ''))
    .slice(0, MAX_FINDINGS)
    .map(([key, times]) => `${key} (${times})`)
    .join(', ');
}

async function describeValidators({ client, pages: [first], resource }: ProbedList): Promise<CheckResult> {
  const topic = 'validators';
  const second = first && (await client.revalidate(first, resource));
  if (second === undefined)
    return notedResult(topic, 'none usable: no ETag, and no Last-Modified header older than the response');
  const { condition, page } = second;
  if (page === undefined) return notedResult(topic, `${condition} is answered with 304`);
  const isSame = page.fingerprint === first?.page.fingerprint;
  return notedResult(topic, `${condition} is ignored: full response with ${isSame ? 'the same' : 'another'} page`);
}

/** A source that ignores a parameter that no interface has also ignores filters that it does not know. */
async function describeUnknownParameter({ client, pages: [first], resource }: ProbedList): Promise<CheckResult> {
  const topic = 'unknown parameter';
  if (first === undefined) throw new Error('no page was read');
  const parameters = { 'rollcall-probe': '1' };
  const response = await client.tryFetchPage(resource, parameters, first.range);
  const asked = [formatQuery(resource, parameters)];
  if ('refused' in response) return { ...notedResult(topic, `refused with ${response.refused}`), asked };
  const isSame = response.page.fingerprint === first.page.fingerprint;
  return {
    ...notedResult(topic, isSame ? 'ignored; same page' : 'not refused, but the page differs from the one before'),
    asked,
  };
}
