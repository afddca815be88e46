import type { SourceCredential } from '../../model/registration/source-credential.js';
import { createRedaction } from '../client/credentials.js';
import type { Layer } from '../client/http-client-types.js';
import { SourceFailure, asFailure } from '../client/source-failure.js';
import type { FindingExample, FindingExamples } from '../record/findings.js';
import type { SourceRequest, SourceResponse } from './source-fetch-types.js';

/**
 * Replaces a credential's secrets in messages of failures, which are logged, and in examples of findings (decisions
 * 8.4). The outermost layer: no other adds a message. Failures keep their class and other properties.
 */
export function withRedactedFailures(credential: SourceCredential): Layer<SourceResponse, SourceRequest> {
  const redact = createRedaction(credential);
  const rethrow = (error: unknown): never => {
    const failure = asFailure(error);
    throw redactMessage(failure, redact) ? failure : error;
  };
  return (next) => (request, signal) => next(request, signal).then((reply) => redactReply(reply, redact), rethrow);
}

/** In what may be logged or shown to the operator. */
function redactReply(reply: SourceResponse, redact: (text: string) => string): SourceResponse {
  if (!('pageOrFailure' in reply)) return reply;
  const { pageOrFailure } = reply;
  if (pageOrFailure instanceof SourceFailure) redactMessage(pageOrFailure, redact);
  else if (pageOrFailure.findingExamples !== undefined) {
    const findingExamples = redactExamples(pageOrFailure.findingExamples, redact);
    return { ...reply, pageOrFailure: { ...pageOrFailure, findingExamples } };
  }
  return reply;
}

function redactExamples(examples: FindingExamples, redact: (text: string) => string): FindingExamples {
  const redactExample = ({ record, value }: FindingExample): FindingExample => ({
    record: redact(record),
    value: redact(value),
  });
  return new Map([...examples].map(([key, some]) => [key, some.map(redactExample)]));
}

/** Redacts in place, because a copy would lose its class; returns whether there was a secret. */
function redactMessage(failure: SourceFailure, redact: (text: string) => string): boolean {
  const message = redact(failure.message);
  if (message === failure.message) return false;
  failure.message = message;
  return true;
}
