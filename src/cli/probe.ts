import { randomBytes } from 'node:crypto';
import { createRegistration } from '../app.js';
import { systemClock } from '../model/clock.js';
import { probe } from '../probe/probe.js';
import type { ProbeReport } from '../probe/probe.js';
import { formatSupportsBlock } from '../probe/findings/derive-supports.js';
import { createUndiciTransport } from '../source/client/transport.js';
import { formatIsoDate } from '../text/date.js';
import { loadConfigOrReport } from './load-config-or-report.js';
import { formatProbeReport } from './format-probe-report.js';

/** What the command is asked for. */
export interface ProbeOptions {
  readonly code: string;
  readonly file: string;
  /** Whether the `supports:` block is printed too. */
  readonly write: boolean;
  /** Whether programs read it. */
  readonly json: boolean;
  /** Requests at most. */
  readonly budget: number;
}

/** Requests that a probe sends when nothing else is said (operation.md). */
export const DEFAULT_BUDGET = 20;

/** Exit code where the source could not be asked. */
const EXIT_UNREACHABLE = 2;

/**
 * `rollcall probe` (operation.md): asks one source what it supports. Returns the exit code: 0 probed, 1 a configuration with faults or a code
 * that it does not have, 2 a source that could not be asked.
 */
export async function probeSource({ code, file, write, json, budget }: ProbeOptions): Promise<number> {
  const config = await loadConfigOrReport(file);
  if (config === undefined) return 1;
  const source = config.sources.find((one) => one.code === code);
  if (source === undefined) {
    process.stderr.write(
      `rollcall: no source ${code}; there are ${config.sources.map((one) => one.code).join(', ')}\n`,
    );
    return 1;
  }
  const wire = createUndiciTransport();
  try {
    const report = await probe({
      registration: createRegistration(source, config.sources),
      transport: wire.transport,
      clock: systemClock,
      timeout: source.timeout,
      maxBody: source.maxBody,
      budget,
      name: config.server.name ?? `rollcall-${randomBytes(4).toString('hex')}`,
      signal: new AbortController().signal,
    });
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatProbeReport(report));
    if (write && !json && report.reached) process.stdout.write(`\n${formatBlock(report)}`);
    return report.reached ? 0 : EXIT_UNREACHABLE;
  } finally {
    await wire.close();
  }
}

function formatBlock({ supports, requests, cautions }: ProbeReport): string {
  const day = formatIsoDate({ epochMs: systemClock.now(), precision: 'day' });
  return formatSupportsBlock(supports, `proved by rollcall probe on ${day}, with ${requests} requests`, cautions);
}
