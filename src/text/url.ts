/**
 * Reads a URL as the WHATWG describes it, a relative one against its base; undefined where it is none. Not `URL.canParse`: in Node 20, once it
 * was called some thousand times, it takes texts with letters like `é` for none.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
