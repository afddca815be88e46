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
import { createNotFoundProblem, compileRoutePattern, checkTargetLength } from './match-route.js';
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

/** Options and dependencies of the public port's HTTP application. */
export interface HttpAppOptions {
  /** Errors outside the base paths of all resources have the shape of the first one's interface. */
  readonly resources: readonly [ServedResource, ...ServedResource[]];
  /** Name of this gateway in `Via` (decisions 5.22). */
  readonly gatewayName: string;
  readonly accessLog: AccessLog;
  readonly sendDependencies: SendDependencies;
  /** Whether the process is stopping. Each response then closes its connection (operation 6.3). */
  readonly isStopping: () => boolean;
  /** Maximum size of a request body, in bytes (`server.limits.body`, operation 2.3.1). */
  readonly maxBodyBytes: number;
}

/** The properties of Express requests that exist here: `createHttpApp` replaces Express's prototypes. */
type RoutedRequest = IncomingMessage & Pick<ExpressRequest, 'originalUrl' | 'params'>;

/** Produces the response to one request, and adds fields to its log line. */
type RequestHandlerFunction = (
  request: RoutedRequest,
  logFields: RequestLogFields,
) => OutgoingResponse | Promise<OutgoingResponse>;

/**
 * Creates the request listener of the public port: the interfaces (operation 4.1), their methods and errors (decisions
 * 2.3, 2.36, 6.16). It reads and drops request bodies, and sends responses from the response cache before Express runs.
 */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Requests and responses keep the prototypes of node:http. With Express's own prototypes on each of them, V8 serves a
  // third as many requests, and the objects of a request are not freed before the old generation is collected.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  const createHandler = createHandlerRunner(options);
  const tooLargeRequests = new WeakSet<IncomingMessage>();
  app.use(createRequestChecks(options, createHandler, tooLargeRequests));
  addRoutes(app, options, createHandler);
  app.use(createHandler((request) => createNotFoundResponse(options, request)));
  app.use(createRouterErrorHandler(options));
  const handle: RequestListener = (request, response) => {
    if (!options.sendDependencies.responseCache.trySend(request, response)) app(request, response);
  };
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method === 'OPTIONS' && isServerWideTarget(url)) request.url = ASTERISK_FORM;
    else if (!url.startsWith('/') || url.includes('#')) request.url = toRoutableTarget(url);
    if (!hasBody(request) || checkRequestHead(request) !== undefined) {
      handle(request, response);
      return;
    }
    discardRequestBody(request, options.maxBodyBytes, (fits) => {
      if (fits) {
        handle(request, response);
        return;
      }
      tooLargeRequests.add(request);
      app(request, response);
    });
  };
}

function addRoutes(
  app: Express,
  { resources }: HttpAppOptions,
  createHandler: (handler: RequestHandlerFunction) => RequestHandler,
): void {
  for (const resource of resources) {
    const { options } = resource;
    const route = app.route(compileRoutePattern(resource));
    const runForResource = (handler: RequestHandlerFunction): RequestHandler =>
      createHandler((request, logFields) => {
        logFields.resource = options.rules.vocabulary.resource.name;
        return handler(request, logFields);
      });
    route.get(runForResource((request, logFields) => handleListRequest(options, readListRequest(request), logFields)));
    route.options(runForResource(() => ({ status: 204, headers: { Allow: ALLOWED_METHODS.join(', ') } })));
    route.all(runForResource((request) => createMethodNotAllowedResponse(options, request)));
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

/**
 * The options of the interface whose base path the request path begins with, else of the first resource. They determine
 * the shape of an error outside every resource.
 */
function findListOptions({ resources }: HttpAppOptions, { originalUrl }: RoutedRequest): ListOptions {
  const { path } = parseRequestTarget(originalUrl);
  return (resources.find(({ basePath: base }) => isBelowBasePath(path, base)) ?? resources[0]).options;
}

function createHandlerRunner(options: HttpAppOptions): (handler: RequestHandlerFunction) => RequestHandler {
  const { accessLog, isStopping, sendDependencies } = options;
  return (handler) => async (request, response) => {
    const logFields = startRequestLog(request, response, accessLog);
    try {
      const outgoing = await handler(request, logFields);
      // The unread rest of a body would be parsed as the next request: close the connection.
      if (isStopping() || !request.complete) response.setHeader('Connection', 'close');
      if (outgoing.reportedStatus !== undefined) logFields.status = outgoing.reportedStatus;
      const format = findFormatLabel(outgoing.headers['Content-Type']);
      if (format !== undefined) logFields.format = format;
      logFields['bytes'] = await sendResponse(request, response, outgoing, sendDependencies);
    } catch (error) {
      accessLog.log.error(
        { request: logFields['request'], error: error instanceof Error ? error.stack : String(error) },
        'request failed',
      );
      const problem: Problem = { kind: 'internal', message: 'internal error of this gateway; see its log' };
      if (!response.headersSent)
        await sendResponse(
          request,
          response,
          createProblemResponse(findListOptions(options, request), request, problem),
          sendDependencies,
        );
    }
  };
}

/**
 * Creates an error that is not about a list, in the format that the query, the extension and Accept select (decisions
 * 3.12).
 */
function createProblemResponse(
  { servedInterface: apiInterface, rules }: ListOptions,
  request: RoutedRequest,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): OutgoingResponse {
  const { path, rawQuery: query } = parseRequestTarget(request.originalUrl);
  // A target that is too long is not parsed.
  const parsed = parseQuery(problem.kind === 'target-too-long' ? '' : query, rules);
  const form = 'form' in parsed ? parsed.form : parsed.query;
  const responseFormat = chooseResponseFormat({ path, accept: request.headers.accept, callback: form.callback });
  return createErrorResponse(apiInterface, problem, { form, responseFormat, headers });
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

/**
 * Handles errors that Express raises before a route runs. Express's own error page is HTML and shows the stack trace.
 */
function createRouterErrorHandler(options: HttpAppOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    options.accessLog.log.error({ error: String(error) }, 'request rejected by the router');
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem: Problem = { kind: 'bad-request', message: 'the request cannot be parsed' };
    void sendResponse(
      request,
      response,
      createProblemResponse(findListOptions(options, request), request, problem),
      options.sendDependencies,
    );
  };
}

const CONNECTION_CLOSE = { Connection: 'close' };

/**
 * Checks that precede routing: length of the target, head, size of the body, loops and `OPTIONS *` (decisions 2.3,
 * 2.36, 5.23, 7.18). `tooLargeRequests` contains the requests whose body is too large.
 */
function createRequestChecks(
  options: HttpAppOptions,
  createHandler: (handler: RequestHandlerFunction) => RequestHandler,
  tooLargeRequests: WeakSet<IncomingMessage>,
): RequestHandler {
  const { gatewayName, maxBodyBytes } = options;
  const largeBody: Problem = {
    kind: 'body-too-large',
    message: `the request's body is larger than ${maxBodyBytes} bytes`,
  };
  const reject = (problem: Problem, headers: Readonly<Record<string, string>> = {}): RequestHandler =>
    createHandler((request) => createProblemResponse(findListOptions(options, request), request, problem, headers));
  // If the client is this gateway itself, it detects the loop by the Via field of the 508 (decisions 5.23).
  const via = { Via: serializeVia([gatewayName]) };
  const loop = reject(
    { kind: 'loop', message: `loop detected: the request has already passed through ${gatewayName}` },
    via,
  );
  const serverOptions = createHandler(() => ({ status: 204, headers: { Allow: ALLOWED_METHODS.join(', ') } }));
  return (request, response, next) => {
    const bodyProblem = tooLargeRequests.has(request) ? largeBody : undefined;
    const headProblem = checkRequestHead(request);
    const problem = checkTargetLength(request.originalUrl) ?? headProblem ?? bodyProblem;
    // It is uncertain where a request with an invalid head ends: close the connection (decisions 7.18).
    if (problem !== undefined) return reject(problem, headProblem && CONNECTION_CLOSE)(request, response, next);
    if (parseViaNames(request.headers.via).includes(gatewayName)) return loop(request, response, next);
    if (request.method === 'OPTIONS' && request.originalUrl === ASTERISK_FORM)
      return serverOptions(request, response, next);
    next();
    return undefined;
  };
}
