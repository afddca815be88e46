import { createApp } from '../app.js';
import type { App } from '../app.js';
import type { Config } from '../config/config.js';
import { explain } from '../gateway/explain.js';
import type { Explained } from '../gateway/explain.js';
import type { Answer } from '../gateway/gateway.js';
import { canonical } from '../http/facts.js';
import { NO_ITEM } from '../http/list.js';
import { preferencesOf } from '../http/preferences.js';
import { questionOf } from '../http/question.js';
import type { Question } from '../http/question.js';
import { isGiven, refusalFacts, refusalOf } from '../http/refused.js';
import { systemClock } from '../model/clock.js';
import { errorCatalogue } from '../model/error.js';
import type { Problem } from '../model/error.js';
import { openly } from '../source/asking.js';
import { KeyReader } from '../source/key-reader.js';
import { Tally } from '../source/tally.js';
import { undiciWire } from '../source/transport.js';
import type { Wire } from '../source/transport.js';
import { configOrFaults } from './check.js';
import { sourceReport } from './explain-report.js';
import type { AnswerReport, Counted, Report } from './explain-report.js';
import { explainText } from './explain-text.js';
import { Notes } from './notes.js';

/** What the command is asked for. */
export interface ExplainOptions {
  /** Path and query, as a client of the public port sends them. */
  readonly target: string;
  readonly file: string;
  /** Whether the sources are asked, too. */
  readonly run: boolean;
  /** Whether programs read it. */
  readonly json: boolean;
}

/** Exit code where it was run and no list came of it. */
const UNANSWERED = 2;

/**
 * `rollcall explain` (operation.md): how a query would be answered by a process that holds nothing yet. Touches no network unless it is run. Returns
 * the exit code: 0 explained, 1 a configuration with faults or a target that would be refused, 2 run, and no list came of it.
 */
export async function explainTarget({ target, file, run, json }: ExplainOptions): Promise<number> {
  const config = await configOrFaults(file);
  if (config === undefined) return 1;
  const trial = new Trial(config);
  try {
    const report = await trial.report(target, run);
    if ('problem' in report) return refused(report.problem);
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : explainText(report));
    return report.answer?.message === undefined ? 0 : UNANSWERED;
  } finally {
    await trial.end();
  }
}

/** As the server would tell it. */
function refused({ kind, message }: Problem): number {
  const { status, phrase } = errorCatalogue[kind];
  process.stderr.write(`rollcall: ${status} ${phrase}: ${message}\n`);
  return 1;
}

/** A gateway of its own that serves nobody, and what it asks its sources for. */
class Trial {
  private readonly app: App;
  private readonly wire: Wire = undiciWire();
  private readonly tallies = new Map<string, Tally>();
  private readonly notes = new Notes();
  private readonly keys = new KeyReader();

  constructor(private readonly config: Config) {
    this.app = createApp(config, {
      transport: this.wire.transport,
      keys: this.keys,
      clock: systemClock,
      log: this.notes,
      watch: (code) => this.tally(code),
    });
  }

  async report(target: string, run: boolean): Promise<Report | { readonly problem: Problem }> {
    const question = questionOf(target, this.app.served);
    if ('problem' in question) return question;
    const plan = this.plan(question);
    if (plan === undefined) return { problem: NO_ITEM };
    const { query, item } = question;
    const told = { target, resource: query.resource.name, query: canonical(query, item) };
    if (!run) return { ...told, sources: this.sources(plan, new Map()) };
    const answer = await question.served.options.answer(query, item, openly);
    return { ...told, sources: this.sources(plan, this.counted(question, answer)), answer: answered(question, answer) };
  }

  async end(): Promise<void> {
    this.app.stop();
    this.keys.close();
    await this.wire.close();
  }

  private plan({ query, item }: Question): readonly Explained[] | undefined {
    return explain(query, item, this.app.sources);
  }

  private sources(plan: readonly Explained[], counted: ReadonlyMap<string, Counted>): Report['sources'] {
    const thresholds = new Map(this.config.sources.map(({ code, drainThreshold }) => [code, drainThreshold]));
    return plan.map((one) => sourceReport(one, thresholds.get(one.code) ?? 0, counted.get(one.code)));
  }

  /** By code. */
  private counted(question: Question, answer: Answer | undefined): ReadonlyMap<string, Counted> {
    const after = new Map(this.plan(question)?.map(({ code, part }) => [code, part]));
    const { outcomes = [] } = answer ?? {};
    const counts = outcomes.flatMap((outcome): [string, Counted][] => {
      const { code } = outcome;
      const part = after.get(code);
      return part ? [[code, { outcome, after: part, tally: this.tally(code), notes: this.notes.of(code) }]] : [];
    });
    return new Map(counts);
  }

  private tally(code: string): Tally {
    const tally = this.tallies.get(code) ?? new Tally();
    this.tallies.set(code, tally);
    return tally;
  }
}

function answered({ item }: Question, answer: Answer | undefined): AnswerReport {
  if (answer === undefined) return told(NO_ITEM);
  const preferences = preferencesOf('');
  if (!isGiven(answer, preferences, item)) {
    return told(refusalOf(answer.outcomes, refusalFacts(answer, preferences)));
  }
  const { total, records, completeness } = answer.list;
  if (item !== undefined && total === 0) return told(NO_ITEM);
  return { status: 200, completeness, total, records: records.length };
}

function told({ kind, message }: Problem): AnswerReport {
  return { status: errorCatalogue[kind].status, message };
}
