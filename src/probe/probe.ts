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
import { concludeTotal, manners } from './manners.js';
import { Spent } from './purse.js';
import { questionsOf } from './questions.js';
import type { Question } from './questions.js';
import { concludeSorts } from './sorted.js';
import type { Subject } from './subject.js';
import { supportsOf } from './supports.js';

/** What a probe found out about a source. */
export interface Report {
  readonly code: string;
  readonly findings: readonly Finding[];
  /** Requests that were sent, redirects included. */
  readonly requests: number;
  readonly budget: number;
  /** What of it is proved. */
  readonly supports: Supports;
  /** Whether the source could be asked at all. */
  readonly reached: boolean;
}

/** All that a source can be asked for. */
const RESOURCES = [directoryTeams, dataTeams, news, channels] as const;

/** Requests that a drain leaves to the questions about each resource. */
const RESERVED = 8;

/** Requests that a drain may take even so: to know all of a small resource is worth them. */
const FEW = 2;

/**
 * Asks one source what it supports (operation.md, `rollcall probe`): reads each resource where that is cheap, asks questions whose exact
 * answers are then known, and believes what came only where another way of doing it would have shown. Never rejects for what the source does.
 */
export async function probe(parts: LineParts): Promise<Report> {
  const line = new Line(parts);
  const { registration, budget } = parts;
  const resources = RESOURCES.filter((resource) => serves(registration, resource));
  const findings: Finding[] = [];
  const tell = (resource: Resource, answered: readonly Answered[]): void => {
    for (const one of answered) findings.push({ resource: resource.name, ...one });
  };
  const subjects = await allSubjects(line, resources, tell);
  for (const subject of subjects) tell(subject.resource, manners(subject));
  await askAll(subjects.flatMap(questionsOf), line, tell);
  for (const subject of subjects) tell(subject.resource, [...(await concludeSorts(subject)), concludeTotal(subject)]);
  const believed = line.doubtful ? findings.map(doubted) : findings;
  return {
    code: registration.code,
    findings: inOrder(believed, resources),
    requests: line.spent,
    budget,
    supports: supportsOf(believed, resources),
    reached: subjects.length > 0,
  };
}

/** Of an aggregate that lacked some of its own sources nothing is proved: what came may have been all of what was there just then. */
function doubted({ grant, ...finding }: Finding): Finding {
  if (grant === undefined || finding.verdict !== 'proved') return finding;
  const evidence = `${finding.evidence}; but some of its own sources did not answer`;
  return { ...finding, verdict: 'consistent', evidence };
}

type Tell = (resource: Resource, answered: readonly Answered[]) => void;

function serves({ resources, bases }: Registration, { path, face }: Resource): boolean {
  return resources.includes(path) && bases[face] !== undefined;
}

/** Looks at every resource, then reads them whole, the smaller ones first, as far as the budget goes. */
async function allSubjects(line: Line, resources: readonly Resource[], tell: Tell): Promise<readonly Subject[]> {
  const looks: Look[] = [];
  for (const resource of resources) {
    try {
      looks.push(await look(line, resource, vocabularyOf(line.registration, resource)));
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      tell(resource, [{ topic: 'first page', verdict: 'open', evidence: notAsked(error, line) }]);
    }
  }
  const subjects: Subject[] = [];
  const byCost = [...looks].sort((a, b) => (drainCost(a) ?? Infinity) - (drainCost(b) ?? Infinity));
  for (const [at, one] of byCost.entries()) subjects.push(await subjectOf(one, byCost.length - at - 1));
  return looks.flatMap(({ resource }) => subjects.find((subject) => subject.resource === resource) ?? []);
}

function notAsked(failure: SourceFailure, line: Line): string {
  return failure instanceof Spent ? `not asked: ${line.ended}` : `could not be asked: ${failure.message}`;
}

/** `others` are the resources that are yet to be read. */
async function subjectOf({ step, ...seen }: Look, others: number): Promise<Subject> {
  const { line, looked } = seen;
  const cost = drainCost({ step, ...seen });
  const allowed = Math.min(line.left, Math.max(FEW, line.left - RESERVED * (others + 1)));
  const read =
    cost !== undefined && cost > allowed ? { lacks: tooMuch(cost) } : await readWhole({ step, ...seen }, allowed);
  const counts = looked.map(({ target, page: { total, received } }) => ({
    target,
    told: total,
    received,
    ...(read.whole && { right: read.whole.known.size }),
  }));
  return { ...seen, ...read, ...capOf(seen, read), memory: { agreed: new Map(), counts, pages: new Map() } };
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

async function askAll(questions: readonly Question[], line: Line, tell: Tell): Promise<void> {
  for (const { subject, topics, cost, ask } of [...questions].sort((a, b) => a.rank - b.rank)) {
    const none = (evidence: string, more: Pick<Answered, 'cost'> = {}): void =>
      tell(
        subject.resource,
        topics.map((topic) => ({ topic, verdict: 'open', evidence, ...more })),
      );
    if (cost > line.left) {
      none(`not asked: ${line.ended}`, { cost: cost / topics.length });
      continue;
    }
    try {
      tell(subject.resource, await ask());
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      none(notAsked(error, line));
    }
  }
}

function inOrder(findings: readonly Finding[], resources: readonly Resource[]): readonly Finding[] {
  return resources.flatMap(({ name }) =>
    findings.filter(({ resource }) => resource === name).sort((a, b) => placeOf(a) - placeOf(b)),
  );
}

/** Topics as a reader looks for them, by their first word. */
const TOPICS = ['first', 'records', 'paging', 'limit', 'total', 'sort', 'filter', 'search'];

function placeOf({ topic }: Finding): number {
  const at = TOPICS.indexOf(topic.split(' ', 1)[0] ?? '');
  return at < 0 ? TOPICS.length : at;
}
