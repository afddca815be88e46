/**
 * WHATWG URL Standard; undefined for an invalid URL. `URL.canParse` is not used: in Node.js 20, after some thousand
 * calls, it rejects texts with letters like `é`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** `http:` or `https:`. */
export function hasWebProtocol({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** At the end, in place of earlier ones. Nothing else of the URL changes, which `URLSearchParams` does not ensure. */
export function replaceParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(removeParameter(url.href, name));
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  changed.search = changed.search.length > 1 ? `${changed.search}&${pair}` : pair;
  return changed;
}

/** From a URL or a relative reference. */
export function removeParameter(reference: string, name: string): string {
  return reference.replace(/^([^?#]*)\?([^#]*)/, (_, path: string, query: string) => {
    const others = query.split('&').filter((pair) => !new URLSearchParams(pair).has(name));
    return others.length > 0 ? `${path}?${others.join('&')}` : path;
  });
}
