/** A module for a worker thread from JavaScript code. */
export function moduleFromCode(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
