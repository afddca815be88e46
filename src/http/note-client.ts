import type { ServerResponse } from 'node:http';
import type { Client } from '../access/authenticated-client.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Admission } from './admission-control.js';
import type { AccessLog, RequestLogFields } from './log/access-log.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';

/** Undefined without a valid credential. */
export function findClient(admission: Admission | undefined): Client | undefined {
  return admission?.state === 'admitted' ? admission.client : undefined;
}

interface NoteClientContext {
  readonly accessLog: AccessLog;
  readonly logFields: RequestLogFields;
  readonly response: ServerResponse;
}

/**
 * Adds the client's rate limit to the response and its name to the log line. Members data gets an audit line, which is
 * written before the data is sent (operation 5.5).
 */
export function noteClient(
  outgoing: OutgoingResponse,
  admission: Admission | undefined,
  { accessLog: { publish }, logFields, response }: NoteClientContext,
): OutgoingResponse {
  if (admission?.state === 'refused') Object.assign(logFields, admission.logFields);
  const client = findClient(admission);
  if (admission?.state !== 'admitted' || client === undefined) return outgoing;
  for (const [name, value] of Object.entries(admission.headers)) response.setHeader(name, value);
  const { name, credential } = client;
  logFields['client'] = name;
  const { disclosure, status, reportedStatus = status } = outgoing;
  if (reportedStatus === errorCatalogue.forbidden.status)
    publish({ type: 'credential rejected', reason: 'insufficient' });
  if (disclosure === undefined) return outgoing;
  const line = { request: logFields['request'], client: name, credential, ...disclosure };
  return {
    ...outgoing,
    beforeDisclosure: () => {
      publish({ type: 'members data sent', ...line });
    },
  };
}
