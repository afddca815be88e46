import { serializeVia } from '../../headers/via.js';
import type { Clock } from '../../model/clock.js';
import type { SourceCredential } from '../../model/registration/source-credential.js';
import type { Transport } from '../../source/client/http-client-types.js';
import type { RequestSettings } from '../../source/client/request-settings.js';
import { DrainRequests } from '../../source/drain/drain-requests.js';
import { createSingleAttemptClient } from '../../source/source-client.js';
import type { SourceSettings } from '../../source/source-settings.js';
import type { RequestBudget } from './request-budget.js';

/** Dependencies and limits of a probe. */
export interface ProbeClientOptions extends RequestSettings {
  readonly registration: SourceSettings;
  readonly transport: Transport;
  /** Credential of this gateway at the source (operation 1.5). */
  readonly credential?: SourceCredential | undefined;
  readonly clock: Clock;
  /** Timeout of one request in milliseconds. */
  readonly timeout: number;
  /** Maximum size of a response body in bytes, decoded. */
  readonly maxBody: number;
  /** Maximum number of requests. */
  readonly budget: number;
  /** Name of this gateway in `Via`. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Creates the requests of a probe: one at a time, no retries, and no more than the budget allows. */
export function createProbeRequests(options: ProbeClientOptions, budget: RequestBudget): DrainRequests {
  const { transport, credential, connection, headers, clock, timeout, maxBody, name, signal } = options;
  const fetch = createSingleAttemptClient({
    transport: budget.limitTransport(transport),
    credential,
    connection,
    headers,
    clock,
    gatewayName: name,
    timeout,
    maxBody,
  });
  return new DrainRequests({ fetch, via: serializeVia([name]), signal });
}
