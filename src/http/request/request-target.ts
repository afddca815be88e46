import type { Resource } from '../../model/resource.js';
import type { Format } from '../../render/formats.js';

/** As received, without scheme and authority. */
export interface RequestTarget {
  readonly path: string;
  /** As received, without `?`. */
  readonly rawQuery: string;
}

/** RFC 9112, section 3.2.2. */
const ABSOLUTE_FORM_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * To origin form, with `#` as `%23` (decisions 2.3). Express passes every other target to `url.parse`, which throws for
 * some, and responds with an error page of its own.
 */
export function toRoutableTarget(target: string): string {
  const [origin = ''] = ABSOLUTE_FORM_ORIGIN.exec(target) ?? [];
  const rest = target.slice(origin.length).replaceAll('#', '%23');
  return origin === '' || rest.startsWith('/') ? rest : `/${rest}`;
}

/** The server as a whole, of OPTIONS (RFC 9110, section 9.3.7). */
export const ASTERISK_FORM = '*';

/** Of OPTIONS: `*`, or an absolute form without path and query (RFC 9112, section 3.2.4). */
export function isServerWideTarget(target: string): boolean {
  return target === ASTERISK_FORM || ABSOLUTE_FORM_ORIGIN.exec(target)?.[0] === target;
}

/** Express would repair an invalid query, which must be rejected (decisions 2.16). */
export function parseRequestTarget(target: string): RequestTarget {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { path: path.replace(ABSOLUTE_FORM_ORIGIN, ''), rawQuery: at < 0 ? '' : target.slice(at + 1) };
}

export function isBelowBasePath(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

const INTEGER_ID = '0|[1-9]\\d*';

/** After the path of the resource. */
interface PathOptions {
  /** The path names a single item. */
  readonly item: boolean;
  /** Of something that belongs to the item, such as `/same`. */
  readonly suffix?: string;
  readonly formats: readonly Format[];
}

/** Percent-encoded. A dot that begins no extension is part of the id. */
const TEAM_ID = '[^/]+?';

/** Without an extension or with a known one (decisions 2.4). The group `item` is the id of a single item. */
export function compilePathPattern(
  base: string,
  { path, idKind }: Pick<Resource, 'idKind'> & { readonly path: string },
  { item, suffix = '', formats }: PathOptions,
): RegExp {
  const id = item ? `/(?<item>${idKind === 'integer' ? INTEGER_ID : TEAM_ID})` : '';
  const extensions = formats.flatMap((format) => format.extensions.map(escapeRegExp)).join('|');
  return new RegExp(`^${escapeRegExp(`${base}/${path}`)}${id}${suffix}(?:${extensions})?$`);
}

/** Whether or not a resource is at the path. */
export function findFormatByExtension(path: string, formats: readonly Format[]): Format | undefined {
  return formats.find(({ extensions }) => extensions.some((extension) => path.endsWith(extension)));
}

/** Undefined where the percent-encoding is invalid. */
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
