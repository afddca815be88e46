import type { Config, SourceConfig } from '../config/config.js';
import type { Clock } from '../model/clock.js';
import type { ProbeReport } from '../probe/probe.js';
import type { Transport } from '../source/client/http-client-types.js';
import { createSourceSettings } from './create-sources.js';

export interface SourceProbeOptions {
  readonly config: Config;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly gatewayName: string;
  readonly signal: AbortSignal;
}

/** Documents and feeds are read as a whole (operation 1.5.1). */
export function canBeProbed({ origin }: SourceConfig): boolean {
  return origin.kind !== 'document' && origin.kind !== 'feed';
}

/** The source can be probed; its public credential is used (operation 1.5). */
export async function probeRegisteredSource(
  source: SourceConfig,
  { config, transport, clock, gatewayName, signal }: SourceProbeOptions,
): Promise<ProbeReport> {
  const { probe } = await import('../probe/probe.js');
  return probe({
    registration: createSourceSettings(source, config, 'public'),
    transport,
    credential: source.credentials.public,
    connection: source.connection,
    headers: source.headers,
    clock,
    timeout: source.timeout,
    maxBody: source.maxBody,
    name: gatewayName,
    signal,
  });
}
