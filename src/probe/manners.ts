import { conditionOf } from '../source/condition.js';
import { ANSWER_DATE } from '../source/dialect.js';
import type { Findings } from '../source/findings.js';
import { imfFixdate, readDate } from '../text/date.js';
import type { Value } from '../model/value.js';
import { positionOf } from '../model/resource.js';
import { counted } from './finding.js';
import type { Answered } from './finding.js';
import type { Answer } from './line.js';
import { sizeOf } from './subject.js';
import type { Subject } from './subject.js';

/** What the first looks tell of form, dates and paging, without a further request. */
export function manners(subject: Subject): Answered[] {
  return [records(subject), envelope(subject.first), dates(subject), limit(subject), ...quirks(subject)];
}

function noted(topic: string, evidence: string, asked: readonly string[] = []): Answered {
  return { topic, verdict: 'noted', evidence, asked };
}

function records(subject: Subject): Answered {
  const { whole, lacks, looked } = subject;
  const asked = looked.map(({ target }) => target);
  if (whole !== undefined) {
    return noted('records', `${whole.known.size} read, which is all, in ${counted(whole.requests, 'request')}`, asked);
  }
  const size = sizeOf(subject);
  return noted('records', `${size ?? 'an unknown number'}, not all read: ${lacks?.why ?? 'not tried'}`, asked);
}

function envelope({ target, page }: Answer): Answered {
  if (page.envelope === undefined) return noted('envelope', 'envelope=true is not heard: a bare list came', [target]);
  const told = page.limit === undefined ? '' : `; it tells a limit of ${page.limit}`;
  return noted('envelope', `an object with ${page.envelope.join(', ')}${told}`, [target]);
}

/** The finding that an answer's Last-Modified is in the future. */
const FUTURE_ANSWER = `future-date ${ANSWER_DATE}`;

function dates({ first, resource, whole }: Subject): Answered {
  const { lastModified, records: drafts, findings } = first.page;
  const position = positionOf(resource, resource.dated ?? '');
  const times = (whole?.known.drafts ?? drafts).map(({ values }) => timeOf(values[position]));
  const known = times.filter((at) => at !== undefined);
  const newest = known.reduce((late, at) => Math.max(late, at), -Infinity);
  const isAhead = findings.has(FUTURE_ANSWER);
  const without = isAhead ? 'a Last-Modified in the future' : 'no Last-Modified';
  const ofAll = lastModified === undefined ? without : `Last-Modified ${imfFixdate(lastModified)}`;
  const late = lastModified !== undefined && lastModified < newest ? ', which is before its newest record' : '';
  const ahead = newest > first.at ? ', and a record dated in the future' : '';
  const dated =
    resource.dated === undefined
      ? ''
      : `; ${known.length} of ${times.length} records have a readable ${resource.dated}`;
  const odd = oddities(whole?.findings ?? findings, ['date-form', 'unreadable-date', 'future-date']);
  return noted('dates', `${ofAll}${late}${ahead}${dated}${odd === '' ? '' : `; ${odd}`}`);
}

function timeOf(value: Value | undefined): number | undefined {
  return value === undefined ? undefined : readDate(String(value))?.at;
}

function limit({ limitMax, whole, first, looked }: Subject): Answered {
  const topic = 'limit';
  const asked = looked.map(({ target }) => target);
  const ignored = looked.find(({ page, cut }) => page.received > cut.limit);
  if (ignored !== undefined) {
    const evidence = `${ignored.page.received} records came where at most ${ignored.cut.limit} were asked for`;
    return { topic, verdict: 'refuted', evidence, asked };
  }
  if (limitMax === undefined) {
    const { received, total } = first.page;
    const evidence = whole !== undefined || received === total ? 'all records came on one page' : 'not told';
    return { topic, verdict: 'open', evidence: `${evidence}, so that it is not seen how large a page may be`, asked };
  }
  return {
    topic,
    verdict: 'proved',
    evidence: `pages of ${limitMax}, and none larger was seen`,
    asked,
    grant: { limitMax },
  };
}

const PAGING = ['offset-ignored', 'limit-ignored', 'wrong-total', 'drift'];

function quirks({ whole, first }: Subject): Answered[] {
  const findings = whole?.findings ?? first.page.findings;
  const paging = oddities(findings, PAGING);
  const others = oddities(
    findings,
    [...findings.keys()]
      .map((key) => key.split(' ', 1)[0] ?? '')
      .filter((rule) => !PAGING.includes(rule) && !rule.includes('date')),
  );
  const rest = others === '' ? [] : [noted('data', others)];
  return paging === '' ? rest : [{ topic: 'paging', verdict: 'refuted', evidence: paging }, ...rest];
}

/** Findings about the data by rule, with how often and where. */
function oddities(findings: Findings, rules: readonly string[]): string {
  const found = [...findings].filter(([key]) => rules.includes(key.split(' ', 1)[0] ?? ''));
  return found
    .slice(0, 8)
    .map(([key, times]) => `${key} (${times})`)
    .join(', ');
}

/** Whether the source can be asked if anything has changed, and gives the same where nothing has. */
export async function askValidators({ line, first, resource }: Subject): Promise<Answered[]> {
  const condition = conditionOf(first.reply, first.at);
  const topic = 'validators';
  if (condition === undefined) {
    return [
      noted(
        topic,
        'none that could be sent back: no ETag, and no Last-Modified in the header that is older than the answer',
      ),
    ];
  }
  const name = Object.keys(condition).join();
  const page = await line.askAgain({ url: first.url, condition, allowed: Infinity }, resource);
  const asked = [`${first.target} (${name})`];
  if (page === undefined) return [noted(topic, `${name} is answered with 304`, asked)];
  const same = page.fingerprint === first.page.fingerprint ? 'the same page came whole' : 'another page came';
  return [noted(topic, `${name} is not heard: ${same}`, asked)];
}

/** What becomes of a parameter that no interface has. A source that passes over it passes over filters that it does not know, too. */
export async function askUnknown({ line, first, resource }: Subject): Promise<Answered[]> {
  const answer = await line.ask(resource, { 'rollcall-probe': '1' }, first.cut);
  const topic = 'unknown parameter';
  if ('refused' in answer) return [noted(topic, `refused with ${answer.refused}`, [answer.target])];
  const same = answer.page.fingerprint === first.page.fingerprint;
  const evidence = same
    ? 'passed over, and the same page came again'
    : 'passed over, but another page came than before';
  return [noted(topic, evidence, [answer.target])];
}

/** Whether what it counts is what there is: on every answer, pages and filters among them, and behind the end. */
export function concludeTotal({ memory, whole, lacks }: Subject): Answered {
  const topic = 'total';
  const { counts, tail } = memory;
  const silent = counts.find(({ told }) => told === undefined);
  if (silent !== undefined)
    return { topic, verdict: 'refuted', evidence: 'nothing is counted', asked: [silent.target] };
  const wrong = counts.find(({ told, right }) => right !== undefined && told !== right);
  if (wrong?.right !== undefined) {
    const evidence = `${wrong.told ?? 0} counted where there are ${wrong.right}`;
    return { topic, verdict: 'refuted', evidence, asked: [wrong.target] };
  }
  if (tail !== undefined && !tail.ends) {
    return { topic, verdict: 'refuted', evidence: 'the last page is not where the count says', asked: [tail.target] };
  }
  if (lacks?.large === false) return { topic, verdict: 'open', evidence: `not all could be read: ${lacks.why}` };
  const partial = counts.filter(({ told, received }) => told !== undefined && received < told);
  if (whole === undefined && tail === undefined)
    return { topic, verdict: 'open', evidence: 'the last page was not seen' };
  if (partial.length === 0) return { topic, verdict: 'open', evidence: 'no page was smaller than what is counted' };
  const asked = [...partial.slice(0, 2).map(({ target }) => target), ...(tail ? [tail.target] : [])];
  const evidence = `right on ${counted(counts.length, 'answer')}, of which ${partial.length} had less than all`;
  return { topic, verdict: 'proved', evidence, asked, grant: { total: true } };
}
