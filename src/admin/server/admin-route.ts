import { decodePathPart } from '../../http/request/request-target.js';
import type { AdminResponse } from './admin-response.js';

export interface AdminRequest {
  /** Decoded as a form sends it: `+` is a space. */
  readonly parameters: URLSearchParams;
  /** The variable segments by name, percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Empty where the request has no Accept field. */
  readonly accept: string;
  /** A page of another site has caused the request, such as a link in a dashboard. */
  readonly isCrossSite: boolean;
}

/** May reject: the response is then 500, and the error is logged. */
type AdminHandler = (request: AdminRequest) => AdminResponse | Promise<AdminResponse>;

/** (operation 3.1) */
export interface AdminRoute {
  /** Exact. A segment such as `:code` stands for any segment, which the handler gets by this name. */
  readonly path: string;
  /** Also handles HEAD, whose response has no body. */
  readonly get?: AdminHandler;
  /** Called only with the operator's key (operation 2.4.2). */
  readonly post?: AdminHandler;
}

interface AdminRouteMatch {
  readonly route: AdminRoute;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** A segment that is not validly percent-encoded belongs to no route. */
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

export function listAllowedMethods({ get, post }: AdminRoute): string {
  return [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ');
}
