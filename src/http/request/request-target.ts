import type { Resource } from '../../model/resource.js';
import type { Format } from '../../render/formats.js';

/** A request target's two parts, as they were sent. */
export interface RequestTarget {
  readonly path: string;
  /** Raw query string, without `?`. */
  readonly rawQuery: string;
}

/** Scheme and authority of a target in absolute form (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * A target as routes can read it: in origin form, and without `#`, which no target may hold as it is. Express would give every other target to
 * `url.parse`, which throws for some, and answer with a page of its own.
 */
export function toRoutableTarget(target: string): string {
  const [origin = ''] = ABSOLUTE_FORM_ORIGIN.exec(target) ?? [];
  const rest = target.slice(origin.length).replaceAll('#', '%23');
  return origin === '' || rest.startsWith('/') ? rest : `/${rest}`;
}

/** The target of an OPTIONS request that asks for the options of the server as a whole (RFC 9110, section 9.3.7). */
export const ASTERISK_FORM = '*';

/** Whether that is what an OPTIONS request asks for: also in absolute form, without path and query (RFC 9112, section 3.2.4). */
export function isServerWideTarget(target: string): boolean {
  return target === ASTERISK_FORM || ABSOLUTE_FORM_ORIGIN.exec(target)?.[0] === target;
}

/** Takes a target apart. `express` would repair a bad query where it must be refused. */
export function parseRequestTarget(target: string): RequestTarget {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { path: path.replace(ABSOLUTE_FORM_ORIGIN, ''), rawQuery: at < 0 ? '' : target.slice(at + 1) };
}

/** Whether the path lies below the base address of an interface. */
export function isBelowBasePath(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** A resource's paths, exactly (decisions.md, section 2): without an extension or with any that is known, an item's with its id. */
export function compilePathPattern(
  base: string,
  { path }: Resource,
  { item, formats }: { readonly item: boolean; readonly formats: readonly Format[] },
): RegExp {
  const id = item ? '/(?<item>0|[1-9]\\d*)' : '';
  const extensions = formats.flatMap((format) => format.extensions.map(escapeRegExp)).join('|');
  return new RegExp(`^${escapeRegExp(`${base}/${path}`)}${id}(?:${extensions})?$`);
}

/** The format that the path's extension names, whether or not there is anything at the path. */
export function findFormatByExtension(path: string, formats: readonly Format[]): Format | undefined {
  return formats.find(({ extensions }) => extensions.some((extension) => path.endsWith(extension)));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
