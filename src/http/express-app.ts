import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import express from 'express';
import type { ErrorRequestHandler, Express, Request as ExpressRequest, RequestHandler } from 'express';
import type { Problem } from '../model/error-catalogue.js';
import { parseQuery } from '../query/parse-query.js';
import { parseViaNames, serializeVia } from '../headers/via.js';
import { startRequestLog } from './log/access-log.js';
import type { AccessLog, RequestLogFields } from './log/access-log.js';
import { chooseResponseFormat } from './request/response-format.js';
import { ALLOWED_METHODS } from './representation/browser-headers.js';
import { METHOD_NOT_ALLOWED, createErrorResponse } from './representation/error-response.js';
import { handleListRequest } from './list-handler.js';
import { createNotFoundProblem, compileRoutePattern, checkTargetLength } from './routes.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import { discardRequestBody, hasBody } from './server/discard-request-body.js';
import { checkRequestHead } from './server/check-request-head.js';
import { sendResponse } from './send-response.js';
import type { SendDependencies } from './send-response.js';
import type { ListOptions, ListRequest, ServedResource } from './served-resource.js';
import {
  ASTERISK_FORM,
  isBelowBasePath,
  isServerWideTarget,
  parseRequestTarget,
  toRoutableTarget,
} from './request/request-target.js';
import { findFormatLabel } from './log/format-label.js';

/** What the public port serves. */
export interface HttpAppOptions {
  /** At least one; what belongs to no interface is answered in the shape of the first. */
  readonly resources: readonly [ServedResource, ...ServedResource[]];
  /** This gateway's name in Via. */
  readonly gatewayName: string;
  readonly accessLog: AccessLog;
  readonly sendDependencies: SendDependencies;
  /** Whether the process is stopping: then connections are closed with their answer. */
  readonly isStopping: () => boolean;
  /** Bytes of a request's body at most (operation.md, `server.limits.body`). */
  readonly maxBodyBytes: number;
}

/** What is there of Express's requests: see `createHttpApp`. */
type RoutedRequest = IncomingMessage & Pick<ExpressRequest, 'originalUrl' | 'params'>;

/** Answers one request, adding what is worth logging to its facts. */
type RequestHandlerFunction = (
  request: RoutedRequest,
  facts: RequestLogFields,
) => OutgoingResponse | Promise<OutgoingResponse>;

/** The public port: the interfaces, their methods, their CORS, their errors. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Requests and responses stay what node:http made: with a prototype of Express's own for each, V8 answers a third as many, and all that
  // was made for one lives on until the old generation is collected.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  const run = createHandlerRunner(options);
  const tooLarge = new WeakSet<IncomingMessage>();
  app.use(createRequestChecks(options, run, tooLarge));
  addRoutes(app, options, run);
  app.use(run((request) => createNotFoundResponse(options, request)));
  app.use(createRouterErrorHandler(options));
  const answer: RequestListener = (request, response) => {
    if (!options.sendDependencies.responseCache.trySend(request, response)) app(request, response);
  };
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method === 'OPTIONS' && isServerWideTarget(url)) request.url = ASTERISK_FORM;
    else if (!url.startsWith('/') || url.includes('#')) request.url = toRoutableTarget(url);
    if (!hasBody(request) || checkRequestHead(request) !== undefined) {
      answer(request, response);
      return;
    }
    discardRequestBody(request, options.maxBodyBytes, (fits) => {
      if (fits) {
        answer(request, response);
        return;
      }
      tooLarge.add(request);
      app(request, response);
    });
  };
}

function addRoutes(
  app: Express,
  { resources: served }: HttpAppOptions,
  run: (handler: RequestHandlerFunction) => RequestHandler,
): void {
  for (const one of served) {
    const { options } = one;
    const route = app.route(compileRoutePattern(one));
    const runHere = (handler: RequestHandlerFunction): RequestHandler =>
      run((request, facts) => {
        facts.resource = options.rules.vocabulary.resource.name;
        return handler(request, facts);
      });
    route.get(runHere((request, facts) => handleListRequest(options, readListRequest(request), facts)));
    route.options(runHere(() => ({ status: 204, headers: { Allow: ALLOWED_METHODS.join(', ') } })));
    route.all(runHere((request) => createMethodNotAllowedResponse(options, request)));
  }
}

function readListRequest(request: RoutedRequest): ListRequest {
  const { originalUrl, headers, params } = request;
  const { item } = params;
  return {
    accept: headers.accept,
    prefer: [headers['prefer'] ?? []].flat().join(','),
    isRelayed: headers.via !== undefined,
    itemId: item === undefined ? undefined : Number(item),
    ...parseRequestTarget(originalUrl),
  };
}

/** In whose shape an error outside of every resource is told: of the interface whose base address the path begins with. */
function findListOptions({ resources: served }: HttpAppOptions, { originalUrl }: RoutedRequest): ListOptions {
  const { path } = parseRequestTarget(originalUrl);
  return (served.find(({ basePath: base }) => isBelowBasePath(path, base)) ?? served[0]).options;
}

function createHandlerRunner(options: HttpAppOptions): (handler: RequestHandlerFunction) => RequestHandler {
  const { accessLog: access, isStopping: stopping, sendDependencies: out } = options;
  return (handler) => async (request, response) => {
    const facts = startRequestLog(request, response, access);
    try {
      const reply = await handler(request, facts);
      // A body that is still to come is not read any more: what follows on the connection could not be told from it.
      if (stopping() || !request.complete) response.setHeader('Connection', 'close');
      if (reply.reportedStatus !== undefined) facts.status = reply.reportedStatus;
      const format = findFormatLabel(reply.headers['Content-Type']);
      if (format !== undefined) facts.format = format;
      facts['bytes'] = await sendResponse(request, response, reply, out);
    } catch (error) {
      access.log.error(
        { request: facts['request'], error: error instanceof Error ? error.stack : String(error) },
        'request failed',
      );
      const problem: Problem = { kind: 'internal', message: 'this gateway failed; its log tells why' };
      if (!response.headersSent)
        await sendResponse(
          request,
          response,
          createProblemResponse(findListOptions(options, request), request, problem),
          out,
        );
    }
  };
}

/** An error that no list is asked for is written as the query, the extension and Accept want it all the same. */
function createProblemResponse(
  { servedInterface: face, rules }: ListOptions,
  request: RoutedRequest,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): OutgoingResponse {
  const { path, rawQuery: query } = parseRequestTarget(request.originalUrl);
  // A target that is refused for its length is not parsed.
  const parsed = parseQuery(problem.kind === 'target-too-long' ? '' : query, rules);
  const form = 'form' in parsed ? parsed.form : parsed.query;
  const asked = chooseResponseFormat({ path, accept: request.headers.accept, callback: form.callback });
  return createErrorResponse(face, problem, { form, responseFormat: asked, headers });
}

function createNotFoundResponse(options: HttpAppOptions, request: RoutedRequest): OutgoingResponse {
  const { path } = parseRequestTarget(request.originalUrl);
  return createProblemResponse(
    findListOptions(options, request),
    request,
    createNotFoundProblem(path, options.resources),
  );
}

function createMethodNotAllowedResponse(options: ListOptions, request: RoutedRequest): OutgoingResponse {
  return createProblemResponse(options, request, METHOD_NOT_ALLOWED, { Allow: ALLOWED_METHODS.join(', ') });
}

/** What Express itself may raise before a route runs; its own error page is HTML and shows the stack. */
function createRouterErrorHandler(options: HttpAppOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    options.accessLog.log.error({ error: String(error) }, 'request refused by the router');
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem: Problem = { kind: 'bad-request', message: 'the request cannot be understood' };
    void sendResponse(
      request,
      response,
      createProblemResponse(findListOptions(options, request), request, problem),
      options.sendDependencies,
    );
  };
}

const CONNECTION_CLOSE = { Connection: 'close' };

/** What is refused before the path is looked at; `tooLarge`: requests whose body is. */
function createRequestChecks(
  options: HttpAppOptions,
  run: (handler: RequestHandlerFunction) => RequestHandler,
  tooLarge: WeakSet<IncomingMessage>,
): RequestHandler {
  const { gatewayName: name, maxBodyBytes: mostBody } = options;
  const largeBody: Problem = { kind: 'body-too-large', message: `the request's body is larger than ${mostBody} bytes` };
  const refuse = (problem: Problem, headers: Readonly<Record<string, string>> = {}): RequestHandler =>
    run((request) => createProblemResponse(findListOptions(options, request), request, problem, headers));
  // Who sent it has the same name, and tells by this that it asked itself.
  const via = { Via: serializeVia([name]) };
  const loop = refuse({ kind: 'loop', message: `the request came through ${name} before` }, via);
  const ofServer = run(() => ({ status: 204, headers: { Allow: ALLOWED_METHODS.join(', ') } }));
  return (request, response, next) => {
    const large = tooLarge.has(request) ? largeBody : undefined;
    const ofHead = checkRequestHead(request);
    const problem = checkTargetLength(request.originalUrl) ?? ofHead ?? large;
    // Where a request of such a head ends is in doubt.
    if (problem !== undefined) return refuse(problem, ofHead && CONNECTION_CLOSE)(request, response, next);
    if (parseViaNames(request.headers.via).includes(name)) return loop(request, response, next);
    if (request.method === 'OPTIONS' && request.originalUrl === ASTERISK_FORM) return ofServer(request, response, next);
    next();
    return undefined;
  };
}
