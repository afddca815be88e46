import type { AdminRequest } from '../../../admin/server/admin-route.js';
import type { AdminResponse } from '../../../admin/server/admin-response.js';
import type { ConfigTexts } from '../../../config/load-config.js';
import type { IncludedText } from '../../../config/yaml/expand-variables.js';
import { mapOf, objectOf, oneOf, parseBoolean, parseNumber, parseText } from './message-parser.js';
import type { ValueParser } from './message-parser.js';

/** What a worker requests of the primary process. */
export type PrimaryRequest =
  /** What the worker starts with. */
  | { readonly type: 'settings' }
  /** The public port is open, at this URL. */
  | { readonly type: 'opened'; readonly url: string }
  /** The worker cannot start, and ends. */
  | { readonly type: 'failed'; readonly message: string }
  /** Barrier: connections that the primary process accepted before its answer have been sent before the answer. */
  | { readonly type: 'synchronize' };

/** What the primary process requests of a worker. */
export type WorkerRequest =
  | { readonly type: 'warm-up' }
  /** Prepares the replacement of the configuration, which `commit` and `abandon` name by the same number. */
  | { readonly type: 'prepare'; readonly number: number; readonly texts: ConfigTexts }
  /** Puts the prepared configuration in force, or closes what was opened for it. */
  | { readonly type: 'commit' | 'abandon'; readonly number: number }
  /** A request of the operator. */
  | { readonly type: 'operate'; readonly request: ForwardedRequest }
  /** The metrics of the worker. */
  | { readonly type: 'metrics' }
  /** Stops the worker: every request that has arrived is answered. The answer is its last metrics. */
  | { readonly type: 'stop' };

/** What a worker starts with. */
export interface WorkerSettings {
  /** Number of the worker, from 1 on. */
  readonly worker: number;
  /** Path of the configuration file, as it was given to the program. */
  readonly file: string;
  readonly texts: ConfigTexts;
  /** Name of the gateway without `server.name`. */
  readonly unnamedGateway: string;
  /** Whether the log is readable text. */
  readonly isTerminal: boolean;
}

/** A request of the operator that the primary process has accepted. */
export interface ForwardedRequest extends Omit<AdminRequest, 'parameters'> {
  readonly method: 'get' | 'post';
  /** Path of the route, such as `/sources/:code/refresh`. */
  readonly route: string;
  readonly query: string;
}

const parseIncludedText: ValueParser<IncludedText> = objectOf((fields) => {
  const { content } = fields.optional('content', parseText);
  return content === undefined ? { problem: fields.get('problem', parseText) } : { content };
});

const parseConfigFiles: ValueParser<ConfigTexts> = objectOf((fields) => ({
  text: fields.get('text', parseText),
  included: fields.get('included', mapOf(parseIncludedText)),
}));

/** Reads the answer of the primary process to `settings`. Throws {@link InvalidMessage} where it has another form. */
export const parseWorkerSettings: ValueParser<WorkerSettings> = objectOf((fields) => ({
  worker: fields.get('worker', parseNumber),
  file: fields.get('file', parseText),
  texts: fields.get('texts', parseConfigFiles),
  unnamedGateway: fields.get('unnamedGateway', parseText),
  isTerminal: fields.get('isTerminal', parseBoolean),
}));

const parseForwardedRequest: ValueParser<ForwardedRequest> = objectOf((fields) => ({
  method: fields.get('method', oneOf(['get', 'post'])),
  route: fields.get('route', parseText),
  query: fields.get('query', parseText),
  pathParameters: Object.fromEntries(fields.get('pathParameters', mapOf(parseText))),
  accept: fields.get('accept', parseText),
  isCrossSite: fields.get('isCrossSite', parseBoolean),
}));

/** Reads what a worker requests. Throws {@link InvalidMessage} for an unknown type or another form. */
export const parsePrimaryRequest: ValueParser<PrimaryRequest> = objectOf((fields) => {
  const type = fields.get('type', oneOf(['settings', 'opened', 'failed', 'synchronize']));
  if (type === 'opened') return { type, url: fields.get('url', parseText) };
  return type === 'failed' ? { type, message: fields.get('message', parseText) } : { type };
});

const WORKER_REQUESTS = ['warm-up', 'prepare', 'commit', 'abandon', 'operate', 'metrics', 'stop'] as const;

/** Reads what the primary process requests. Throws {@link InvalidMessage} for an unknown type or another form. */
export const parseWorkerRequest: ValueParser<WorkerRequest> = objectOf((fields) => {
  const type = fields.get('type', oneOf(WORKER_REQUESTS));
  if (type === 'commit' || type === 'abandon') return { type, number: fields.get('number', parseNumber) };
  if (type === 'prepare')
    return { type, number: fields.get('number', parseNumber), texts: fields.get('texts', parseConfigFiles) };
  if (type === 'operate') return { type, request: fields.get('request', parseForwardedRequest) };
  return { type };
});

/**
 * Reads the response of a worker to a forwarded request of the operator (operation 3.5.5). Throws {@link InvalidMessage} where
 * it has another form.
 */
export const parseAdminResponse: ValueParser<AdminResponse> = objectOf((fields) => {
  const headers = Object.fromEntries(fields.get('headers', mapOf(parseText)));
  return {
    status: fields.get('status', parseNumber),
    headers: { ...headers, 'Content-Type': headers['Content-Type'] ?? 'text/plain; charset=utf-8' },
    body: fields.get('body', parseText),
  };
});

/** The reasons for which a worker is not ready, from its response to `/readyz`; undefined: it is ready. */
export function readUnreadiness({ status, body }: AdminResponse): readonly string[] | undefined {
  return status === 200 ? undefined : body.trim().split('\n').slice(1);
}
