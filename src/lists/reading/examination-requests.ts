import { serializeVia } from '../../headers/via.js';
import type { Clock } from '../../model/clock.js';
import { CircuitBreaker } from '../../source/client/circuit-breaker.js';
import { createLimiter } from '../../source/client/concurrency-limit.js';
import type { SourceCredential } from '../../model/registration/source-credential.js';
import type { HttpResponse, Layer, Transport } from '../../source/client/http-client-types.js';
import type { RequestSettings } from '../../source/client/request-settings.js';
import { createSourceClient } from '../../source/source-client.js';
import type { SourceSettings } from '../../source/source-settings.js';
import { DrainRequests } from './drain-requests.js';

export interface ExaminationOptions extends RequestSettings {
  readonly registration: SourceSettings;
  readonly transport: Transport;
  /** Public. */
  readonly credential?: SourceCredential | undefined;
  readonly clock: Clock;
  readonly timeout: number;
  /** Decoded bytes. */
  readonly maxBody: number;
  /** In `Via`. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** For a command: one request at a time, without retries and circuit breaker; bodies are parsed in this thread. */
export function createExaminationRequests(
  { name, signal, ...options }: ExaminationOptions,
  requestObserver?: Layer<HttpResponse>,
): DrainRequests {
  const { transport, credential, connection, headers, clock, timeout, maxBody } = options;
  const breaker = new CircuitBreaker({
    failures: Number.MAX_SAFE_INTEGER,
    cooldown: 1,
    onChange: () => undefined,
    clock,
  });
  const fetch = createSourceClient({
    ...{ transport, credential, connection, headers, clock, timeout, maxBody, requestObserver },
    gatewayName: name,
    sharedLimit: createLimiter(1),
    sourceLimit: createLimiter(1),
    breakers: { of: () => breaker },
    retry: { retries: 0, maxDelay: 0, random: () => 0 },
  });
  return new DrainRequests({ fetch, via: serializeVia([name]), signal });
}
