import { decodePathPart } from '../../http/request/request-target.js';
import type { AdminResponse } from './admin-response.js';

/** A request of the operator, of which its route depends. */
export interface AdminRequest {
  /** The query, decoded as a form sends it: `+` is a space. */
  readonly parameters: URLSearchParams;
  /** The variable segments of the path by their names, percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The Accept field; empty where the request has none. */
  readonly accept: string;
  /** Whether a page of another site has caused the request, such as a link in a dashboard. */
  readonly isCrossSite: boolean;
}

/** Creates the response to a request. May reject: the response is then 500, and the error is logged. */
export type AdminHandler = (request: AdminRequest) => AdminResponse | Promise<AdminResponse>;

/** An endpoint of the admin port (operation 3.1). */
export interface AdminRoute {
  /** The exact path. A segment such as `:code` stands for any segment, which the handler gets by this name. */
  readonly path: string;
  /** Handles GET; also HEAD, whose response has no body. Absent: the path has no GET. */
  readonly get?: AdminHandler;
  /** Handles POST. It is called only for a request with the operator's key (operation 2.4.2). Absent: no POST. */
  readonly post?: AdminHandler;
}

/** A route, and the variable segments of the requested path. */
export interface AdminRouteMatch {
  readonly route: AdminRoute;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the route of a path. A segment that is not validly percent-encoded belongs to no route. */
export function findAdminRoute(routes: readonly AdminRoute[], path: string): AdminRouteMatch | undefined {
  for (const route of routes) {
    const pathParameters = matchPath(route.path.split('/'), path.split('/'));
    if (pathParameters !== undefined) return { route, pathParameters };
  }
  return undefined;
}

function matchPath(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [at, expected] of template.entries()) {
    const segment = segments[at] ?? '';
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined;
      continue;
    }
    const decoded = decodePathPart(segment);
    if (decoded === undefined || decoded === '') return undefined;
    parameters.push([expected.slice(1), decoded]);
  }
  return Object.fromEntries(parameters);
}

/** The methods of a route, as `Allow` lists them. */
export function listAllowedMethods({ get, post }: AdminRoute): string {
  return [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ');
}
