import { createApp } from '../app.js';
import type { App } from '../app.js';
import type { Config } from '../config/config.js';
import type { ExplainReport } from '../explanation/explain-report.js';
import { explainTarget } from '../explanation/explain-target.js';
import { formatExplainReport } from '../explanation/format-explain-report.js';
import { systemClock } from '../model/clock.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { createRedaction } from '../source/client/credentials.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import type { ClosableTransport } from '../source/client/transport/http-transport.js';
import { loadConfigOrReport } from './load-config-or-report.js';
import { SourceTraffic } from './source-traffic.js';
import { readUserAgent } from './version.js';

interface ExplainOptions {
  /** As a client of the public port sends it. */
  readonly target: string;
  readonly file: string;
  readonly run: boolean;
  readonly json: boolean;
}

const EXIT_NO_ANSWER = 2;

/**
 * Explains how a process with an empty cache would answer a query (operation 1.6). Without `run` it has no network
 * access. Returns the exit code: 0 if the query was explained, 1 if the configuration has errors or the server would
 * reject the query, 2 if a run produced no list.
 */
export async function explain({ target, file, run, json }: ExplainOptions): Promise<number> {
  const config = (await loadConfigOrReport(file))?.config;
  if (config === undefined) return 1;
  const session = new ExplainSession(config, await readUserAgent(config));
  try {
    const report = await session.run(target, run);
    if ('problem' in report) return reportProblem(report.problem);
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatExplainReport(report));
    return report.answer?.message === undefined ? 0 : EXIT_NO_ANSWER;
  } finally {
    await session.close();
  }
}

function reportProblem({ kind, message }: Problem): number {
  const { status, phrase } = errorCatalogue[kind];
  process.stderr.write(`rollcall: ${status} ${phrase}: ${message}\n`);
  return 1;
}

/** Serves no client, and counts the traffic and warnings of its sources. */
class ExplainSession {
  private readonly app: App;
  private readonly client: ClosableTransport;
  private readonly traffic: SourceTraffic;
  private readonly keys = new KeyReader();

  constructor(
    private readonly config: Config,
    userAgent: string,
  ) {
    this.traffic = new SourceTraffic((text, source) => redactCredentials(config, source, text));
    this.client = createUndiciTransport(userAgent);
    this.app = createApp(config, {
      transport: this.client.transport,
      workers: { public: { keyReader: this.keys }, members: { keyReader: this.keys } },
      clock: systemClock,
      publish: this.traffic.note,
      observeSource: this.traffic.observe,
    });
  }

  run(target: string, run: boolean): Promise<ExplainReport | { readonly problem: Problem }> {
    return explainTarget({
      gateway: this.app,
      target,
      drainThresholds: new Map(this.config.sources.map(({ code, drainThreshold }) => [code, drainThreshold])),
      isRun: run,
      trafficOf: (code) => structuredClone(this.traffic.of(code)),
    });
  }

  async close(): Promise<void> {
    this.app.stopBackgroundWork();
    this.keys.close();
    await this.client.close();
  }
}

function redactCredentials({ sources }: Config, code: string, text: string): string {
  const { credentials = {} } = sources.find((source) => source.code === code) ?? {};
  return Object.values(credentials).reduce((redacted, credential) => createRedaction(credential)(redacted), text);
}
