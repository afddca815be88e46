import type { SourceCredential } from '../../model/registration/source-credential.js';
import { createRedaction } from '../client/credentials.js';
import type { Layer } from '../client/http-client-types.js';
import { SourceFailure, asFailure } from '../client/source-failure.js';
import type { SourceRequest, SourceResponse } from './source-fetch-types.js';

/**
 * Replaces the secrets of a credential in the messages of failures, which are logged (decisions 8.4). It is the outermost
 * layer: no other layer adds a message. A failure keeps its class and its other properties.
 */
export function withRedactedFailures(credential: SourceCredential): Layer<SourceResponse, SourceRequest> {
  const redact = createRedaction(credential);
  const rethrow = (error: unknown): never => {
    const failure = asFailure(error);
    throw redactMessage(failure, redact) ? failure : error;
  };
  return (next) => (request, signal) =>
    next(request, signal).then((reply) => {
      if ('pageOrFailure' in reply && reply.pageOrFailure instanceof SourceFailure)
        redactMessage(reply.pageOrFailure, redact);
      return reply;
    }, rethrow);
}

/** Redacts the message in place and returns whether it had a secret. A copy of the failure would lose its class. */
function redactMessage(failure: SourceFailure, redact: (text: string) => string): boolean {
  const message = redact(failure.message);
  if (message === failure.message) return false;
  failure.message = message;
  return true;
}
