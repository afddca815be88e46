import { ServerProcess } from '../../../src/cli/serve/server-process.js';
import type { Config } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { Log } from '../../../src/model/log.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';
import { createMetrics } from '../../../src/events/metrics.js';

/** A line of the log, with its level. */
type LogLine = Readonly<Record<string, unknown>>;

/** What `rollcall serve` runs, in the process of the test. */
export interface RunningServer {
  /** Address of the teams of the directory interface. */
  readonly directory: string;
  readonly lines: readonly LogLine[];
  /** Puts another configuration in force, as a reload does. */
  readonly replace: (config: object) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const running = new Set<ServerProcess>();

/** Starts to serve a configuration, and waits until it is ready. `stopServers` stops it, unless the test has. */
export async function startServer(config: object): Promise<RunningServer> {
  const lines: LogLine[] = [];
  const at =
    (level: string): Log['info'] =>
    (facts, msg) =>
      void lines.push({ ...facts, level, msg });
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), audit: at('audit') };
  const [writeLine, metrics] = [createLogSubscriber(log), createMetrics({ ofProcess: false })];
  const server = new ServerProcess({
    file: 'rollcall.yaml',
    log: { setLevel: () => undefined },
    publish: (event) => {
      writeLine(event);
      metrics.note(event);
    },
    metrics,
    program: { version: '1.2.3', build: 'a' },
  });
  await server.open(parse(config));
  running.add(server);
  await server.warmUp();
  return {
    directory: `${server.urls.public}/directory/v1/teams`,
    lines,
    replace: async (next) => {
      await server.replace(parse(next));
    },
    stop: () => stop(server),
  };
}

function parse(config: object): Config {
  const parsed = parseConfig(JSON.stringify(config), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

async function stop(server: ServerProcess): Promise<void> {
  running.delete(server);
  await server.stop();
}

export async function stopServers(): Promise<void> {
  await Promise.all([...running].map(stop));
}
