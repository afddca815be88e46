import { createApp } from '../app.js';
import type { Config } from '../config/config.js';
import { explainTarget } from '../explanation/explain-target.js';
import { formatExplainReport } from '../explanation/format-explain-report.js';
import { systemClock } from '../model/clock.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { createRedaction } from '../source/client/credentials.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import { loadConfigOrReport } from './load-config-or-report.js';
import { SourceTraffic } from './source-traffic-recorder.js';
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
  const traffic = new SourceTraffic((text, source) => redactCredentials(config, source, text));
  const client = createUndiciTransport(await readUserAgent(config));
  const keyReader = new KeyReader();
  const app = createApp(config, {
    transport: client.transport,
    workers: { public: { keyReader }, members: { keyReader } },
    clock: systemClock,
    publish: traffic.note,
    observeSource: traffic.observe,
  });
  try {
    const report = await explainTarget({
      gateway: app,
      target,
      drainThresholds: new Map(config.sources.map(({ code, drainThreshold }) => [code, drainThreshold])),
      isRun: run,
      trafficOf: (code) => structuredClone(traffic.of(code)),
    });
    if ('problem' in report) return reportProblem(report.problem);
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatExplainReport(report));
    return report.answer?.message === undefined ? 0 : EXIT_NO_ANSWER;
  } finally {
    app.stopBackgroundWork();
    keyReader.close();
    await client.close();
  }
}

function reportProblem({ kind, message }: Problem): number {
  const { status, phrase } = errorCatalogue[kind];
  process.stderr.write(`rollcall: ${status} ${phrase}: ${message}\n`);
  return 1;
}

function redactCredentials({ sources }: Config, code: string, text: string): string {
  const { credentials = {} } = sources.find((source) => source.code === code) ?? {};
  return Object.values(credentials).reduce((redacted, credential) => createRedaction(credential)(redacted), text);
}
