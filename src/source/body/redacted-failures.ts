import type { SourceCredential } from '../../model/registration/source-credential.js';
import { createRedaction } from '../client/credentials.js';
import type { Layer } from '../client/http-client-types.js';
import { SourceFailure, asFailure } from '../client/source-failure.js';
import type { FindingExample, FindingExamples } from '../record/findings.js';
import type { SourceRequest, SourceResponse } from './source-fetch-types.js';

/**
 * Replaces the secrets of a credential in the messages of failures, which are logged, and in examples of findings, which
 * are shown to the operator (decisions 8.4). It is the outermost layer: no other layer adds a message. A failure keeps its class and its other properties.
 */
export function withRedactedFailures(credential: SourceCredential): Layer<SourceResponse, SourceRequest> {
  const redact = createRedaction(credential);
  const rethrow = (error: unknown): never => {
    const failure = asFailure(error);
    throw redactMessage(failure, redact) ? failure : error;
  };
  return (next) => (request, signal) => next(request, signal).then((reply) => redactReply(reply, redact), rethrow);
}

/** Redacts what of a response may be logged or shown to the operator. */
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

/** Redacts the message in place and returns whether it had a secret. A copy of the failure would lose its class. */
function redactMessage(failure: SourceFailure, redact: (text: string) => string): boolean {
  const message = redact(failure.message);
  if (message === failure.message) return false;
  failure.message = message;
  return true;
}
