import { randomBytes } from 'node:crypto';
import type { Config, SourceConfig } from '../config/config.js';
import { systemClock } from '../model/clock.js';
import type { Clock } from '../model/clock.js';
import type { ProbeReport } from '../probe/probe.js';
import type { Transport } from '../source/client/http-client-types.js';
import { fileTransport } from '../source/client/transport/file-transport.js';
import type { ExaminationOptions } from '../lists/reading/examination-requests.js';
import { createSourceSettings, isFile } from './create-sources.js';

export interface ExaminedSourceOptions {
  readonly transport: Transport;
  /** Absent: that of the system. */
  readonly clock?: Clock;
  /** In `Via`. Absent: as configured, else a random one. */
  readonly gatewayName?: string;
  /** Absent: nothing ends the examination. */
  readonly signal?: AbortSignal;
}

/** For a probe or a preview, which use the public credential of the source (operation 1.5, 1.7). */
export function createExaminationOptions(
  source: SourceConfig,
  config: Config,
  { transport, clock = systemClock, gatewayName, signal }: ExaminedSourceOptions,
): ExaminationOptions {
  const { credentials, connection, headers, timeout, maxBody } = source;
  return {
    registration: createSourceSettings(source, config, 'public'),
    transport: isFile(source) ? fileTransport : transport,
    credential: credentials.public,
    ...{ connection, headers, timeout, maxBody, clock },
    name: gatewayName ?? config.server.name ?? `rollcall-${randomBytes(4).toString('hex')}`,
    signal: signal ?? new AbortController().signal,
  };
}

/** A document evaluates nothing, and is read as a whole (operation 1.5.1). */
export function canBeProbed({ origin }: SourceConfig): boolean {
  return origin.kind !== 'document';
}

/** The source can be probed. */
export async function probeSource(...examined: Parameters<typeof createExaminationOptions>): Promise<ProbeReport> {
  const { probe } = await import('../probe/probe.js');
  return probe(createExaminationOptions(...examined));
}
