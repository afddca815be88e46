import cors from 'cors';
import express from 'express';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Problem } from '../model/error.js';
import { parseQuery } from '../query/parse.js';
import { formats } from '../render/formats.js';
import { readVia } from '../wire/via.js';
import { openLine } from './access-log.js';
import type { AccessLog, RequestFacts } from './access-log.js';
import { errorReply } from './errors.js';
import { listReply } from './list.js';
import type { ListOptions, ListRequest } from './list.js';
import { send } from './reply.js';
import type { Reply } from './reply.js';

/** A resource and where it is served. */
export interface Served {
  /** Base address of its interface, without a slash at the end. */
  readonly base: string;
  readonly options: ListOptions;
}

/** What the public port serves. */
export interface HttpOptions {
  /** At least one; what belongs to no interface is answered in the shape of the first. */
  readonly served: readonly [Served, ...Served[]];
  /** This gateway's name in Via. */
  readonly name: string;
  readonly access: AccessLog;
  /** Whether the process is stopping: then connections are closed with their answer. */
  readonly stopping: () => boolean;
}

/** Longest request target, in bytes (decisions.md, section 2). */
const LONGEST_TARGET = 8 * 1024;

/** What pages of other origins may do (decisions.md, section 2). */
const READING = ['GET', 'HEAD'];

const METHODS = [...READING, 'OPTIONS'];

/** Answer headers that scripts in a browser may read: every one that decisions.md names and the browser does not keep for itself. */
const EXPOSED = [
  'X-Total-Count',
  'X-Version',
  'Link',
  'Last-Modified',
  'ETag',
  'Content-Disposition',
  'Source-Status',
  'Preference-Applied',
  'Cache-Control',
  'Cache-Status',
  'Via',
  'Vary',
  'Allow',
  'WWW-Authenticate',
  'Retry-After',
];

/** Request headers that scripts in a browser may send. */
const ALLOWED = ['Authorization', 'Prefer', 'If-None-Match', 'If-Modified-Since'];

/** Seconds for which a browser may remember what CORS allows here: it never changes. */
const PREFLIGHT_AGE = 86_400;

/** Answers one request, adding what is worth logging to its facts. */
type Handler = (request: Request, facts: RequestFacts) => Reply | Promise<Reply>;

/** The public port: the interfaces, their methods, their CORS, their errors. */
export function httpApp(options: HttpOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const run = runner(options);
  app.use(securityHeaders());
  app.use(
    cors({
      origin: '*',
      methods: READING,
      allowedHeaders: ALLOWED,
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_AGE,
      preflightContinue: true,
    }),
  );
  app.use(refusals(options, run));
  routes(app, options, run);
  app.use(run((request) => problemReply(optionsFor(options, request), request, NOT_FOUND)));
  app.use(lastResort(options));
  return app;
}

const NOT_FOUND: Problem = { kind: 'not-found', message: 'there is nothing at this path' };

function routes(app: Express, { served }: HttpOptions, run: (handler: Handler) => RequestHandler): void {
  for (const { base, options } of served) {
    const route = app.route(pattern(base, options));
    route.get(run((request, facts) => listReply(options, listRequest(request), facts)));
    route.options(run(() => ({ status: 204, headers: { Allow: METHODS.join(', ') } })));
    route.all(run((request) => methodNotAllowed(options, request)));
  }
}

/** A resource's paths, exactly: with or without an extension, an item's with its id. */
function pattern(base: string, { rules }: ListOptions): RegExp {
  const item = rules.item === true ? '/(?<item>0|[1-9]\\d*)' : '';
  const extensions = formats.map(({ extension }) => literal(extension)).join('|');
  return new RegExp(`^${literal(`${base}/${rules.vocabulary.resource.path}`)}${item}(?<extension>${extensions})?$`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function listRequest(request: Request): ListRequest {
  const { item, extension } = request.params;
  return {
    ...targetOf(request),
    accept: request.headers.accept,
    prefer: [request.headers['prefer'] ?? []].flat().join(','),
    format: formats.find((format) => format.extension === extension),
    item: item === undefined ? undefined : Number(item),
  };
}

/** In whose shape an error outside of every resource is told: of the interface whose base address the path begins with. */
function optionsFor({ served }: HttpOptions, request: Request): ListOptions {
  const { path } = targetOf(request);
  const { options } = served.find(({ base }) => path === base || path.startsWith(`${base}/`)) ?? served[0];
  return options;
}

/** The target's two parts, as they were sent. `express` would repair a bad query where it must be refused. */
function targetOf({ originalUrl }: Request): { path: string; query: string } {
  const at = originalUrl.indexOf('?');
  const target = at < 0 ? originalUrl : originalUrl.slice(0, at);
  return { path: target.replace(ORIGIN, ''), query: at < 0 ? '' : originalUrl.slice(at + 1) };
}

/** Scheme and authority of a target in absolute form (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z]+:\/\/[^/]*/i;

function runner(options: HttpOptions): (handler: Handler) => RequestHandler {
  const { access, stopping } = options;
  return (handler) => async (request, response) => {
    const facts = openLine(request, response, access);
    try {
      const reply = await handler(request, facts);
      if (stopping()) response.setHeader('Connection', 'close');
      facts['bytes'] = await send(request, response, reply);
    } catch (error) {
      access.log.error(
        { request: facts['request'], error: error instanceof Error ? error.stack : String(error) },
        'request failed',
      );
      const problem: Problem = { kind: 'internal', message: 'this gateway failed; its log tells why' };
      if (!response.headersSent)
        await send(request, response, problemReply(optionsFor(options, request), request, problem));
    }
  };
}

/** An error that no list is asked for is written as the query wants it all the same: a script element takes nothing else. */
function problemReply(
  { face, rules }: ListOptions,
  request: Request,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const parsed = parseQuery(targetOf(request).query, rules);
  return errorReply(face, problem, { form: 'form' in parsed ? parsed.form : parsed.query, headers });
}

function methodNotAllowed(options: ListOptions, request: Request): Reply {
  const message = 'this interface is read-only: GET and HEAD';
  return problemReply(options, request, { kind: 'method-not-allowed', message }, { Allow: METHODS.join(', ') });
}

/** What Express itself may raise before a route runs; its own error page is HTML and shows the stack. */
function lastResort(options: HttpOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    options.access.log.error({ error: String(error) }, 'request refused by the router');
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem: Problem = { kind: 'bad-request', message: 'the request cannot be understood' };
    void send(request, response, problemReply(optionsFor(options, request), request, problem));
  };
}

/** What is refused before the path is looked at. */
function refusals(options: HttpOptions, run: (handler: Handler) => RequestHandler): RequestHandler {
  const { name } = options;
  const refuse = (problem: Problem): RequestHandler =>
    run((request) => problemReply(optionsFor(options, request), request, problem));
  const tooLong = refuse({
    kind: 'target-too-long',
    message: `the request target is longer than ${LONGEST_TARGET} bytes`,
  });
  const loop = refuse({ kind: 'loop', message: `the request came through ${name} before` });
  return (request, response, next) => {
    if (request.originalUrl.length > LONGEST_TARGET) return tooLong(request, response, next);
    if (readVia(request.headers.via).includes(name)) return loop(request, response, next);
    next();
    return undefined;
  };
}

/** Data for other sites' pages: nothing here is a page, so nothing may run, be framed or be guessed at. */
function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // TLS ends at the proxy before this gateway: what browsers are told of it is the proxy's to say.
    strictTransportSecurity: false,
  });
}
