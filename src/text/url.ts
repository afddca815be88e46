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
