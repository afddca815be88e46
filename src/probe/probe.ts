import type { Supports } from '../model/capabilities.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import type { Vocabulary } from '../query/vocabulary.js';
import { SourceFailure } from '../source/failure.js';
import type { Registration } from '../source/registration.js';
import type { Answered, Finding } from './finding.js';
import { Line } from './line.js';
import type { LineParts } from './line.js';
import { drainCost, look, readWhole, tooMuch } from './look.js';
import type { Look } from './look.js';
import { Ledger } from './ledger.js';
import { concludeTotal, manners } from './manners.js';
import { Spent } from './purse.js';
import { questionsOf } from './questions.js';
import type { Question } from './questions.js';
import { recheck } from './recheck.js';
import { concludeSorts } from './sorted.js';
import { emptyMemory } from './subject.js';
import type { Subject } from './subject.js';
import { cautionsOf, supportsOf } from './supports.js';

/** What a probe found out about a source. */
export interface Report {
  readonly code: string;
  readonly findings: readonly Finding[];
  /** Requests that were sent, redirects included. */
  readonly requests: number;
  readonly budget: number;
  /** What of it is proved. */
  readonly supports: Supports;
  /** What capabilities in `supports` rest on beside what the source does, a sentence each. */
  readonly cautions: readonly string[];
  /** Whether the source could be asked at all. */
  readonly reached: boolean;
}

/** All that a source can be asked for. */
const RESOURCES = [directoryTeams, dataTeams, news, channels] as const;

/** Requests that reading all of the only resource may take before anything is asked; of several resources each has its share. */
const CHEAP = 10;

/** Requests that reading all of a resource may always take first: to know all of a small one is worth them. */
const FEW = 2;

/**
 * Asks one source what it supports (operation.md, `rollcall probe`). Small resources are read first, and questions asked whose exact answers are then known; of large
 * ones sums and samples are asked for, and what these leave open is asked again once all was read, if the budget lets. The sequence of requests
 * depends on the source only, and the budget on where it ends. Never rejects for what the source does.
 */
export async function probe(parts: LineParts): Promise<Report> {
  const line = new Line(parts);
  const { registration, budget } = parts;
  const resources = RESOURCES.filter((resource) => serves(registration, resource));
  const ledger = new Ledger();
  const small = await firstSubjects(line, resources, ledger);
  await askAll(small.flatMap(questionsOf), line, ledger);
  const subjects: Subject[] = [];
  for (const subject of byCost(small)) subjects.push(await concluded(subject, ledger));
  for (const subject of subjects) {
    ledger.enter(subject.resource, [...manners(subject), concludeTotal(subject)]);
  }
  const findings = ledger.inOrder(resources);
  const believed = line.doubtful ? findings.map(doubted) : findings;
  const supports = supportsOf(believed, resources);
  return {
    code: registration.code,
    findings: believed,
    requests: line.spent,
    budget,
    supports,
    cautions: cautionsOf(believed, supports),
    reached: subjects.length > 0,
  };
}

/** Of an aggregate that lacked some of its own sources nothing is proved: what came may have been all of what was there just then. */
function doubted({ grant, ...finding }: Finding): Finding {
  if (grant === undefined || finding.verdict !== 'proved') return finding;
  const { resource, topic, asked = [] } = finding;
  const evidence = `${finding.evidence}; but some of its own sources did not answer`;
  return { resource, topic, verdict: 'consistent', evidence, asked };
}

function serves({ resources, bases }: Registration, { path, face }: Resource): boolean {
  return resources.includes(path) && bases[face] !== undefined;
}

/** A resource that was looked at, and the look itself: whether it was read or is to be read later. */
interface Begun extends Subject {
  readonly look: Look;
}

/** Looks at every resource, then reads the small ones, the smallest first. */
async function firstSubjects(line: Line, resources: readonly Resource[], ledger: Ledger): Promise<readonly Begun[]> {
  const looks: Look[] = [];
  for (const resource of resources) {
    try {
      looks.push(await look(line, resource, vocabularyOf(line.registration, resource)));
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      ledger.enter(resource, [{ topic: 'first page', verdict: 'open', evidence: notAsked(error, line) }]);
    }
  }
  const cheap = Math.max(FEW, Math.floor(CHEAP / resources.length));
  const begun: Begun[] = [];
  for (const one of [...looks].sort((a, b) => costOf(a) - costOf(b))) begun.push(await beginning(one, cheap));
  return looks.flatMap(({ resource }) => begun.find((subject) => subject.resource === resource) ?? []);
}

/** Requests that reading all takes; Infinity where the source does not count. */
function costOf(one: Look): number {
  return drainCost(one) ?? Infinity;
}

function byCost(all: readonly Begun[]): readonly Begun[] {
  return [...all].sort((a, b) => costOf(a.look) - costOf(b.look));
}

function notAsked(failure: SourceFailure, line: Line): string {
  return failure instanceof Spent ? `not asked: ${line.ended}` : `could not be asked: ${failure.message}`;
}

async function beginning(look: Look, cheap: number): Promise<Begun> {
  const { line, resource, vocabulary, first, pageSize, limitMax, looked } = look;
  const seen = { line, resource, vocabulary, first, pageSize, looked, ...(limitMax !== undefined && { limitMax }) };
  const cost = drainCost(look);
  const reads = cost !== undefined && cost <= cheap && line.affords(cost);
  const read = reads ? await readWhole(look) : { lacks: tooMuch(cost) };
  const counts = looked.map(({ target, page: { total, received } }) => ({
    target,
    told: total,
    received,
    ...(read.whole && { right: read.whole.known.size }),
  }));
  return { ...seen, look, ...read, ...capOf(seen, read), memory: emptyMemory(counts) };
}

/** What the orders are worth; and where reading all was left for later, and the budget lets now, all that is still open. */
async function concluded(begun: Begun, ledger: Ledger): Promise<Subject> {
  const { resource, line, look, lacks } = begun;
  ledger.enter(resource, await concludeSorts(begun));
  const cost = drainCost(look);
  if (lacks?.large !== true || !line.affords(cost ?? 1)) return begun;
  const read = await readWhole(look);
  if (read.whole === undefined) {
    const subject = { ...begun, ...read };
    await askAll(openOf(subject, ledger), line, ledger);
    return subject;
  }
  const { known } = read.whole;
  const wrong = await recheck(begun, known);
  ledger.enter(resource, wrong);
  const counts = begun.memory.counts.map((count) => ({ right: known.size, ...count }));
  const agreed = [...begun.memory.agreed].filter(([sort]) => wrong.every(({ topic }) => topic !== `sort ${sort}`));
  const memory = { ...begun.memory, counts, agreed: new Map(agreed) };
  const subject: Begun = { ...begun, ...read, ...capOf(begun, read), memory };
  await askAll(openOf(subject, ledger), line, ledger);
  ledger.enter(resource, await concludeSorts(subject));
  return subject;
}

/** Questions that are still open. */
function openOf(subject: Subject, ledger: Ledger): readonly Question[] {
  return questionsOf(subject).filter(({ topics }) => topics.some((one) => !ledger.isSettled(subject.resource, one)));
}

/** The largest page of a source that does not count, once it is known that there is more than it had. */
function capOf(
  { looked, limitMax }: Omit<Look, 'step'>,
  { whole }: Pick<Subject, 'whole'>,
): Partial<Pick<Subject, 'limitMax' | 'pageSize'>> {
  const last = looked.at(-1);
  const silent = last !== undefined && last.page.total === undefined && limitMax === undefined;
  if (!silent || whole === undefined) return {};
  const { received } = last.page;
  const cut = received < last.cut.limit && whole.known.size > received;
  return cut ? { limitMax: received, pageSize: Math.min(received, looked[0]?.cut.limit ?? received) } : {};
}

function vocabularyOf({ provenance }: Registration, resource: Resource): Vocabulary {
  const { sourceName, codes, aggregate } = provenance;
  return { resource, sourceNames: [sourceName], codes, properties: [], aggregate };
}

async function askAll(questions: readonly Question[], line: Line, ledger: Ledger): Promise<void> {
  for (const { subject, topics, cost, ask } of [...questions].sort((a, b) => a.rank - b.rank)) {
    const none = (evidence: string, more: Pick<Answered, 'cost'> = {}): void =>
      ledger.enter(
        subject.resource,
        topics.map((topic) => ({ topic, verdict: 'open', evidence, ...more })),
      );
    const requests = await cost();
    if (!line.affords(requests)) {
      none(`not asked: ${line.ended}`, { cost: requests / topics.length });
      continue;
    }
    try {
      ledger.enter(subject.resource, await ask());
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      none(notAsked(error, line));
    }
  }
}
