import { randomBytes } from 'node:crypto';
import { canBeProbed, probeRegisteredSource } from '../composition/probe-source.js';
import { systemClock } from '../model/clock.js';
import { NOTHING_TO_PROBE } from '../probe/finding.js';
import type { ProbeReport } from '../probe/probe.js';
import { formatSupportsBlock } from '../probe/supports-block.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import { formatIsoDate } from '../text/date.js';
import { findSourceOrReport, loadConfigOrReport } from './load-config-or-report.js';
import { formatProbeReport } from './format-probe-report.js';
import { readUserAgent } from './user-agent.js';

interface ProbeOptions {
  readonly code: string;
  readonly file: string;
  readonly write: boolean;
  readonly json: boolean;
}

const EXIT_UNREACHABLE = 2;

/**
 * Finds out which capabilities a source has (operation 1.5). Returns the exit code: 0 if the source was probed, 1 if the
 * configuration has errors or no source that can be probed has the code, 2 if the source could not be queried.
 */
export async function probeSource({ code, file, write, json }: ProbeOptions): Promise<number> {
  const config = (await loadConfigOrReport(file))?.config;
  if (config === undefined) return 1;
  const source = findSourceOrReport(config, code);
  if (source === undefined) return 1;
  if (!canBeProbed(source)) {
    process.stderr.write(`rollcall: ${code}: ${NOTHING_TO_PROBE}\n`);
    return 1;
  }
  const client = createUndiciTransport(await readUserAgent(config));
  try {
    const report = await probeRegisteredSource(source, {
      config,
      transport: client.transport,
      clock: systemClock,
      gatewayName: config.server.name ?? `rollcall-${randomBytes(4).toString('hex')}`,
      signal: new AbortController().signal,
    });
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatProbeReport(report));
    if (write && !json && report.reached) process.stdout.write(`\n${formatBlock(report)}`);
    return report.reached ? 0 : EXIT_UNREACHABLE;
  } finally {
    await client.close();
  }
}

function formatBlock({ supports, requests, tooLarge }: ProbeReport): string {
  const day = formatIsoDate({ epochMs: systemClock.now(), precision: 'day' });
  return formatSupportsBlock(supports, `proved by rollcall probe on ${day}, with ${requests} requests`, tooLarge);
}
