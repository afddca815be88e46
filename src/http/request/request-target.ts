import type { Resource } from '../../model/resource.js';
import type { Format } from '../../render/formats.js';

/** Path and query of a request target, as received, without scheme and authority. */
export interface RequestTarget {
  readonly path: string;
  /** Query string as received, without `?`. */
  readonly rawQuery: string;
}

/** Scheme and authority of a target in absolute form (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Converts a target to one that Express can route: in origin form, with `#` as `%23` (decisions 2.3). Express passes
 * every other target to `url.parse`, which throws for some, and responds with an error page of its own.
 */
export function toRoutableTarget(target: string): string {
  const [origin = ''] = ABSOLUTE_FORM_ORIGIN.exec(target) ?? [];
  const rest = target.slice(origin.length).replaceAll('#', '%23');
  return origin === '' || rest.startsWith('/') ? rest : `/${rest}`;
}

/** Target of an OPTIONS request for the server as a whole (RFC 9110, section 9.3.7). */
export const ASTERISK_FORM = '*';

/**
 * Whether the target of an OPTIONS request is the server as a whole: `*`, or an absolute form without path and query
 * (RFC 9112, section 3.2.4).
 */
export function isServerWideTarget(target: string): boolean {
  return target === ASTERISK_FORM || ABSOLUTE_FORM_ORIGIN.exec(target)?.[0] === target;
}

/**
 * Splits a target into path and query. Express would repair an invalid query, which must be rejected (decisions 2.16).
 */
export function parseRequestTarget(target: string): RequestTarget {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { path: path.replace(ABSOLUTE_FORM_ORIGIN, ''), rawQuery: at < 0 ? '' : target.slice(at + 1) };
}

/** Whether a path is the base path of an interface or below it. */
export function isBelowBasePath(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

const INTEGER_ID = '0|[1-9]\\d*';

/** What a path has after the path of its resource. */
export interface PathOptions {
  /** Whether the path names a single item. */
  readonly item: boolean;
  /** Path of something that belongs to the item, such as `/same`. */
  readonly suffix?: string;
  readonly formats: readonly Format[];
}

/** Percent-encoded id of a team. A dot that is no extension is one of the id. */
const TEAM_ID = '[^/]+?';

/**
 * Pattern of the exact paths of a resource (decisions 2.3, 2.4): without an extension or with a known one. The group
 * `item` is the id of a single item.
 */
export function compilePathPattern(
  base: string,
  { path, idKind }: Pick<Resource, 'idKind'> & { readonly path: string },
  { item, suffix = '', formats }: PathOptions,
): RegExp {
  const id = item ? `/(?<item>${idKind === 'integer' ? INTEGER_ID : TEAM_ID})` : '';
  const extensions = formats.flatMap((format) => format.extensions.map(escapeRegExp)).join('|');
  return new RegExp(`^${escapeRegExp(`${base}/${path}`)}${id}${suffix}(?:${extensions})?$`);
}

/** The format of the path's extension, whether or not a resource is at the path. */
export function findFormatByExtension(path: string, formats: readonly Format[]): Format | undefined {
  return formats.find(({ extensions }) => extensions.some((extension) => path.endsWith(extension)));
}

/** Decodes a part of a path; undefined where its percent-encoding is invalid. */
export function decodePathPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
