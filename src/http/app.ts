import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import express from 'express';
import type { ErrorRequestHandler, Express, Request as ExpressRequest, RequestHandler } from 'express';
import type { Problem } from '../model/error.js';
import { parseQuery } from '../query/parse.js';
import { readVia, writeVia } from '../wire/via.js';
import { openLine } from './access-log.js';
import type { AccessLog, RequestFacts } from './access-log.js';
import { askedFormat } from './asked.js';
import { METHODS } from './browsers.js';
import { READ_ONLY, errorReply } from './errors.js';
import { listReply } from './list.js';
import { notFound, pathsOf, tooLong } from './question.js';
import type { Reply } from './reply.js';
import { dropBody, hasBody } from './request-body.js';
import { headProblem } from './request-head.js';
import { send } from './send.js';
import type { Out } from './send.js';
import type { ListOptions, ListRequest, Served } from './serving.js';
import { SERVER, isBelow, isServer, readTarget, routable } from './target.js';
import { writtenFormat } from './written.js';

/** What the public port serves. */
export interface HttpOptions {
  /** At least one; what belongs to no interface is answered in the shape of the first. */
  readonly served: readonly [Served, ...Served[]];
  /** This gateway's name in Via. */
  readonly name: string;
  readonly access: AccessLog;
  readonly out: Out;
  /** Whether the process is stopping: then connections are closed with their answer. */
  readonly stopping: () => boolean;
  /** Bytes of a request's body at most (operation.md, `server.limits.body`). */
  readonly mostBody: number;
}

/** What is there of Express's requests: see `httpApp`. */
type Request = IncomingMessage & Pick<ExpressRequest, 'originalUrl' | 'params'>;

/** Answers one request, adding what is worth logging to its facts. */
type Handler = (request: Request, facts: RequestFacts) => Reply | Promise<Reply>;

/** The public port: the interfaces, their methods, their CORS, their errors. */
export function httpApp(options: HttpOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Requests and responses stay what node:http made: with a prototype of Express's own for each, V8 answers a third as many, and all that
  // was made for one lives on until the old generation is collected.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  const run = runner(options);
  const tooLarge = new WeakSet<IncomingMessage>();
  app.use(refusals(options, run, tooLarge));
  routes(app, options, run);
  app.use(run((request) => nothingThere(options, request)));
  app.use(lastResort(options));
  const answer: RequestListener = (request, response) => {
    if (!options.out.ready.send(request, response)) app(request, response);
  };
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method === 'OPTIONS' && isServer(url)) request.url = SERVER;
    else if (!url.startsWith('/') || url.includes('#')) request.url = routable(url);
    if (!hasBody(request) || headProblem(request) !== undefined) {
      answer(request, response);
      return;
    }
    dropBody(request, options.mostBody, (fits) => {
      if (fits) {
        answer(request, response);
        return;
      }
      tooLarge.add(request);
      app(request, response);
    });
  };
}

function routes(app: Express, { served }: HttpOptions, run: (handler: Handler) => RequestHandler): void {
  for (const one of served) {
    const { options } = one;
    const route = app.route(pathsOf(one));
    const runHere = (handler: Handler): RequestHandler =>
      run((request, facts) => {
        facts.resource = options.rules.vocabulary.resource.name;
        return handler(request, facts);
      });
    route.get(runHere((request, facts) => listReply(options, listRequest(request), facts)));
    route.options(runHere(() => ({ status: 204, headers: { Allow: METHODS.join(', ') } })));
    route.all(runHere((request) => methodNotAllowed(options, request)));
  }
}

function listRequest(request: Request): ListRequest {
  const { originalUrl, headers, params } = request;
  const { item } = params;
  return {
    accept: headers.accept,
    prefer: [headers['prefer'] ?? []].flat().join(','),
    relayed: headers.via !== undefined,
    item: item === undefined ? undefined : Number(item),
    ...readTarget(originalUrl),
  };
}

/** In whose shape an error outside of every resource is told: of the interface whose base address the path begins with. */
function optionsFor({ served }: HttpOptions, { originalUrl }: Request): ListOptions {
  const { path } = readTarget(originalUrl);
  return (served.find(({ base }) => isBelow(path, base)) ?? served[0]).options;
}

function runner(options: HttpOptions): (handler: Handler) => RequestHandler {
  const { access, stopping, out } = options;
  return (handler) => async (request, response) => {
    const facts = openLine(request, response, access);
    try {
      const reply = await handler(request, facts);
      // A body that is still to come is not read any more: what follows on the connection could not be told from it.
      if (stopping() || !request.complete) response.setHeader('Connection', 'close');
      if (reply.told !== undefined) facts.status = reply.told;
      const format = writtenFormat(reply.headers['Content-Type']);
      if (format !== undefined) facts.format = format;
      facts['bytes'] = await send(request, response, reply, out);
    } catch (error) {
      access.log.error(
        { request: facts['request'], error: error instanceof Error ? error.stack : String(error) },
        'request failed',
      );
      const problem: Problem = { kind: 'internal', message: 'this gateway failed; its log tells why' };
      if (!response.headersSent)
        await send(request, response, problemReply(optionsFor(options, request), request, problem), out);
    }
  };
}

/** An error that no list is asked for is written as the query, the extension and Accept want it all the same. */
function problemReply(
  { face, rules }: ListOptions,
  request: Request,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { path, query } = readTarget(request.originalUrl);
  // A target that is refused for its length is not parsed.
  const parsed = parseQuery(problem.kind === 'target-too-long' ? '' : query, rules);
  const form = 'form' in parsed ? parsed.form : parsed.query;
  const asked = askedFormat({ path, accept: request.headers.accept, callback: form.callback });
  return errorReply(face, problem, { form, asked, headers });
}

function nothingThere(options: HttpOptions, request: Request): Reply {
  const { path } = readTarget(request.originalUrl);
  return problemReply(optionsFor(options, request), request, notFound(path, options.served));
}

function methodNotAllowed(options: ListOptions, request: Request): Reply {
  return problemReply(options, request, READ_ONLY, { Allow: METHODS.join(', ') });
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
    void send(request, response, problemReply(optionsFor(options, request), request, problem), options.out);
  };
}

const CLOSING = { Connection: 'close' };

/** What is refused before the path is looked at; `tooLarge`: requests whose body is. */
function refusals(
  options: HttpOptions,
  run: (handler: Handler) => RequestHandler,
  tooLarge: WeakSet<IncomingMessage>,
): RequestHandler {
  const { name, mostBody } = options;
  const largeBody: Problem = { kind: 'body-too-large', message: `the request's body is larger than ${mostBody} bytes` };
  const refuse = (problem: Problem, headers: Readonly<Record<string, string>> = {}): RequestHandler =>
    run((request) => problemReply(optionsFor(options, request), request, problem, headers));
  // Who sent it has the same name, and tells by this that it asked itself.
  const via = { Via: writeVia([name]) };
  const loop = refuse({ kind: 'loop', message: `the request came through ${name} before` }, via);
  const ofServer = run(() => ({ status: 204, headers: { Allow: METHODS.join(', ') } }));
  return (request, response, next) => {
    const large = tooLarge.has(request) ? largeBody : undefined;
    const ofHead = headProblem(request);
    const problem = tooLong(request.originalUrl) ?? ofHead ?? large;
    // Where a request of such a head ends is in doubt.
    if (problem !== undefined) return refuse(problem, ofHead && CLOSING)(request, response, next);
    if (readVia(request.headers.via).includes(name)) return loop(request, response, next);
    if (request.method === 'OPTIONS' && request.originalUrl === SERVER) return ofServer(request, response, next);
    next();
    return undefined;
  };
}
