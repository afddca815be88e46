/**
 * Parses a URL (WHATWG URL Standard), a relative one against its base. Returns undefined if it is invalid.
 * `URL.canParse` is not used: in Node.js 20, after some thousand calls, it rejects texts with letters like `é`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Returns the URL with this query parameter at the end, in place of earlier ones of the name. Nothing else of the URL
 * changes, which `URLSearchParams` does not ensure.
 */
export function replaceParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(url);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name));
  changed.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&');
  return changed;
}
