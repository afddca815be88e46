import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import express from 'express';
import type { ErrorRequestHandler, Express, Request as ExpressRequest, RequestHandler } from 'express';
import type { Problem } from '../model/error-catalogue.js';
import type { TraceSpan } from '../model/tracer.js';
import type { Admission, AdmissionControl } from './admission-control.js';
import { identifySubject } from '../access/rate-limits.js';
import type { ClientAddressReader } from '../access/client-address.js';
import { findClient, noteClient } from './note-client.js';
import { parseQuery } from '../query/parse-query.js';
import { parseViaNames, serializeVia } from '../headers/via.js';
import { startRequestLog } from './log/access-log.js';
import type { AccessLog, RequestLogFields } from './log/access-log.js';
import { REQUEST_ID_FIELD, createRequestId } from './log/request-id.js';
import { startRequestSpan } from './log/request-span.js';
import { chooseResponseFormat } from './request/response-format.js';
import { ALLOWED_METHODS } from './representation/browser-headers.js';
import { METHOD_NOT_ALLOWED, createErrorResponse } from './representation/error-response.js';
import { handleCountriesRequest } from './operations/countries-handler.js';
import { handleListRequest } from './operations/list-handler.js';
import { handleSameTeamRequest } from './operations/same-team-handler.js';
import { handleSearchRequest } from './operations/search-handler.js';
import {
  UNREADABLE_REQUEST,
  createNotFoundProblem,
  compileRoutePattern,
  checkTargetLength,
  formatRouteTemplate,
} from './match-route.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import type { PageRequest, PageRoute } from './page-route.js';
import type { HeaderFields } from './representation/validators.js';
import { discardRequestBody, hasBody } from './server/discard-request-body.js';
import { checkRequestHead } from './server/check-request-head.js';
import { sendResponse } from './send-response.js';
import type { SendDependencies } from './send-response.js';
import type { ListOptions, ListRequest, Operation, ServedResource } from './operations/served-resource.js';
import {
  ASTERISK_FORM,
  isBelowBasePath,
  isServerWideTarget,
  parseRequestTarget,
  toRoutableTarget,
} from './request/request-target.js';
import { findFormatLabel } from './log/format-label.js';

interface HttpAppOptions {
  /** Errors outside the base paths of all resources have the shape of the first one's interface. */
  readonly resources: readonly [ServedResource, ...ServedResource[]];
  /** Pages for browsers, if any, and other data beside the interfaces. */
  readonly pages: readonly PageRoute[];
  /** In `Via` (decisions 5.22). */
  readonly gatewayName: string;
  readonly accessLog: AccessLog;
  /** Undefined where neither access nor a rate limit is configured. */
  readonly admissionControl: AdmissionControl | undefined;
  readonly readClientAddress: ClientAddressReader;
  readonly sendDependencies: SendDependencies;
  /** Each response then closes its connection (operation 6.3). */
  readonly isStopping: () => boolean;
}

/** The body of a request, which is read and discarded (operation 2.3.1). */
const MAX_BODY_BYTES = 65_536;

/** The properties of Express requests that exist here: `createHttpApp` replaces Express's prototypes. */
type RoutedRequest = IncomingMessage & Pick<ExpressRequest, 'originalUrl' | 'params'>;

/** Adds fields to the log line. `trace` is the span of the request. */
type RequestHandlerFunction = (
  request: RoutedRequest,
  logFields: RequestLogFields,
  trace: TraceSpan | undefined,
) => OutgoingResponse | Promise<OutgoingResponse>;

/** Sends what the handler produces. `route` is the template of its paths; absent where no route matches. */
type HandlerFactory = (handler: RequestHandlerFunction, route?: string) => RequestHandler;

/**
 * The listener of the public port: the interfaces (operation 4.1), their methods and errors (decisions 2.3, 2.36,
 * 6.16). It reads and drops request bodies, and sends responses from the response cache before Express runs.
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
  const findings: RequestFindings = { admissions: new WeakMap(), tooLargeRequests: new WeakSet() };
  const createHandler = createHandlerRunner(options, findings);
  app.use(createRequestChecks(options, createHandler, findings));
  addRoutes(app, options, { createHandler, findings });
  addPageRoutes(app, options, { createHandler, findings });
  app.use(createHandler((request) => createNotFoundResponse(options, request)));
  app.use(createRouterErrorHandler(options));
  const respond: RequestListener = (request, response) => {
    const isRefused = findings.admissions.get(request)?.state === 'refused';
    if (isRefused || !options.sendDependencies.responseCache.trySend(request, response)) app(request, response);
  };
  const handle = createAdmittingListener(options, findings, respond);
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method === 'OPTIONS' && isServerWideTarget(url)) request.url = ASTERISK_FORM;
    else if (!url.startsWith('/') || url.includes('#')) request.url = toRoutableTarget(url);
    if (!hasBody(request) || checkRequestHead(request) !== undefined) {
      handle(request, response);
      return;
    }
    discardRequestBody(request, MAX_BODY_BYTES, (fits) => {
      if (fits) {
        handle(request, response);
        return;
      }
      findings.tooLargeRequests.add(request);
      app(request, response);
    });
  };
}

/** Known before Express routes a request. */
interface RequestFindings {
  /** Absent where nothing is configured that could refuse a request. */
  readonly admissions: WeakMap<IncomingMessage, Admission>;
  readonly tooLargeRequests: WeakSet<IncomingMessage>;
}

/** `next` processes a request after the decision whether it is admitted. */
function createAdmittingListener(
  { admissionControl, accessLog }: HttpAppOptions,
  { admissions }: RequestFindings,
  next: RequestListener,
): RequestListener {
  if (admissionControl === undefined) return next;
  return (request, response) => {
    const proceed = (admission: Admission): void => {
      admissions.set(request, admission);
      next(request, response);
    };
    const admission = admissionControl.admit(request);
    if (!(admission instanceof Promise)) {
      proceed(admission);
      return;
    }
    admission.then(proceed).catch((error: unknown) => {
      accessLog.publish({ type: 'request not admitted', error: describeError(error) });
      proceed({ state: 'refused', problem: INTERNAL_ERROR, headers: {}, logFields: {} });
    });
  };
}

/** For the log. */
function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const INTERNAL_ERROR: Problem = { kind: 'internal', message: 'internal error of this gateway; see its log' };

interface RouteDependencies {
  readonly createHandler: HandlerFactory;
  readonly findings: RequestFindings;
}

function addRoutes(
  app: Express,
  { resources, readClientAddress }: HttpAppOptions,
  { createHandler, findings }: RouteDependencies,
): void {
  for (const resource of resources) {
    const { options } = resource;
    const route = app.route(compileRoutePattern(resource));
    const runForResource = (handler: RequestHandlerFunction): RequestHandler =>
      createHandler((request, logFields, trace) => {
        logFields.resource = options.rules.vocabulary.resource.name;
        return handler(request, logFields, trace);
      }, formatRouteTemplate(resource));
    route.get(
      runForResource((request, logFields, trace) => {
        const admission = findings.admissions.get(request);
        const client = identifyClient(request, admission, readClientAddress);
        const listRequest = readListRequest(request, { clientAccess: findClient(admission)?.access, client, trace });
        return operationHandlers[resource.operation](options, listRequest, logFields);
      }),
    );
    route.options(runForResource(() => ({ status: 204, headers: { Allow: ALLOWED_METHODS.join(', ') } })));
    route.all(runForResource((request) => createMethodNotAllowedResponse(options, request)));
  }
}

const operationHandlers: Readonly<Record<Operation, typeof handleListRequest>> = {
  read: handleListRequest,
  'same-team': handleSameTeamRequest,
  search: handleSearchRequest,
  countries: handleCountriesRequest,
};

function addPageRoutes(app: Express, options: HttpAppOptions, { createHandler, findings }: RouteDependencies): void {
  const [{ options: errorOptions }] = options.resources;
  for (const { pattern, route: template, handle, isData } of options.pages) {
    const page = isData === true ? {} : ({ isPage: true } as const);
    const route = app.route(pattern);
    const run = (handler: RequestHandlerFunction): RequestHandler => createHandler(handler, template);
    route.get(
      run((request, logFields, trace) => {
        const client = identifyClient(request, findings.admissions.get(request), options.readClientAddress);
        return handle(readPageRequest(request, { client, trace }), logFields);
      }),
    );
    route.options(run(() => ({ status: 204, ...page, headers: { Allow: ALLOWED_METHODS.join(', ') } })));
    route.all(run((request) => ({ ...createMethodNotAllowedResponse(errorOptions, request), ...page })));
  }
}

/** As the rate limits count requests (decisions 8.9). */
function identifyClient(
  request: IncomingMessage,
  admission: Admission | undefined,
  readClientAddress: ClientAddressReader,
): string {
  const client = findClient(admission);
  return identifySubject(
    client === undefined ? { limit: 'address', address: readClientAddress(request) } : { limit: 'client', client },
  );
}

function readPageRequest(
  { originalUrl, headers, params }: RoutedRequest,
  facts: Pick<PageRequest, 'client' | 'trace'>,
): PageRequest {
  const pathParameters = Object.entries(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    pathParameters: Object.fromEntries(pathParameters),
    prefer: [headers['prefer'] ?? []].flat().join(','),
    ...facts,
    ...parseRequestTarget(originalUrl),
  };
}

function readListRequest(
  { originalUrl, headers, params }: RoutedRequest,
  { clientAccess, client, trace }: Pick<ListRequest, 'clientAccess' | 'client' | 'trace'>,
): ListRequest {
  const { item } = params;
  return {
    accept: headers.accept,
    prefer: [headers['prefer'] ?? []].flat().join(','),
    isRelayed: headers.via !== undefined,
    clientAccess,
    itemId: typeof item === 'string' ? item : undefined,
    trace,
    client,
    ...parseRequestTarget(originalUrl),
  };
}

/** The interface whose base path the path begins with, else the first, shapes an error outside every resource. */
function findListOptions({ resources }: HttpAppOptions, { originalUrl }: RoutedRequest): ListOptions {
  const { path } = parseRequestTarget(originalUrl);
  return (resources.find(({ basePath: base }) => isBelowBasePath(path, base)) ?? resources[0]).options;
}

function createHandlerRunner(options: HttpAppOptions, { admissions }: RequestFindings): HandlerFactory {
  const { accessLog, isStopping, sendDependencies } = options;
  const { tracer } = accessLog;
  return (handler, route) => async (request, response) => {
    const trace = tracer && startRequestSpan(request, tracer, route);
    const logFields = startRequestLog(request, response, { ...accessLog, span: trace });
    if (trace !== undefined) logFields['trace'] = trace.traceId;
    try {
      const handled = await handler(request, logFields, trace);
      const outgoing = noteClient(handled, admissions.get(request), { accessLog, logFields, response });
      // The unread rest of a body would be parsed as the next request: close the connection.
      if (isStopping() || !request.complete) response.setHeader('Connection', 'close');
      if (outgoing.reportedStatus !== undefined) logFields.status = outgoing.reportedStatus;
      const format = findFormatLabel(outgoing.headers['Content-Type']);
      if (format !== undefined) logFields.format = format;
      logFields['bytes'] = await sendResponse(request, response, outgoing, sendDependencies);
    } catch (error) {
      accessLog.publish({ type: 'request failed', request: logFields['request'], error: describeError(error) });
      if (!response.headersSent)
        await sendResponse(
          request,
          response,
          createProblemResponse(findListOptions(options, request), request, INTERNAL_ERROR),
          sendDependencies,
        );
    }
  };
}

/** For an error about no list, in the format that query, extension and Accept select (decisions 3.12). */
function createProblemResponse(
  { servedInterface: apiInterface, rules }: ListOptions,
  request: RoutedRequest,
  problem: Problem,
  headers: HeaderFields = {},
): OutgoingResponse {
  const { path, rawQuery: query } = parseRequestTarget(request.originalUrl);
  // A target that is too long is not parsed.
  const parsed = parseQuery(problem.kind === 'target-too-long' ? '' : query, rules, 'public');
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

/** For errors that Express raises before a route runs. Its own error page is HTML and shows the stack trace. */
function createRouterErrorHandler(options: HttpAppOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const id = createRequestId(request);
    options.accessLog.publish({ type: 'request rejected by the router', request: id, error: String(error) });
    if (response.headersSent) {
      next(error);
      return;
    }
    response.setHeader(REQUEST_ID_FIELD, id);
    void sendResponse(
      request,
      response,
      createProblemResponse(findListOptions(options, request), request, UNREADABLE_REQUEST),
      options.sendDependencies,
    );
  };
}

const CONNECTION_CLOSE = { Connection: 'close' };

/**
 * Precede routing: length of the target, head, size of the body, loops and `OPTIONS *` (decisions 5.23, 7.18); and the
 * refusal of requests that are not admitted (decisions 8.1).
 */
function createRequestChecks(
  options: HttpAppOptions,
  createHandler: HandlerFactory,
  { admissions, tooLargeRequests }: RequestFindings,
): RequestHandler {
  const { gatewayName } = options;
  const largeBody: Problem = {
    kind: 'body-too-large',
    message: `the request's body is larger than ${MAX_BODY_BYTES} bytes`,
  };
  const reject = (problem: Problem, headers: HeaderFields = {}): RequestHandler =>
    createHandler((request) => createProblemResponse(findListOptions(options, request), request, problem, headers));
  // If the client is this gateway itself, it detects the loop by the Via field of the 508.
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
    // It is uncertain where a request with an invalid head ends: close the connection.
    if (problem !== undefined) return reject(problem, headProblem && CONNECTION_CLOSE)(request, response, next);
    const admission = admissions.get(request);
    if (admission?.state === 'refused') return reject(admission.problem, admission.headers)(request, response, next);
    if (parseViaNames(request.headers.via).includes(gatewayName)) return loop(request, response, next);
    if (request.method === 'OPTIONS' && request.originalUrl === ASTERISK_FORM)
      return serverOptions(request, response, next);
    next();
    return undefined;
  };
}
