/** `rollcall/0.1.0 (+https://teams.example.org)` (operation 2.3.12). `publicUrl` is a URL in WHATWG form. */
export function serializeUserAgent(version: string, publicUrl: string | undefined): string {
  const product = `rollcall/${version}`;
  // A parenthesis in the URL would end the comment.
  return publicUrl === undefined ? product : `${product} (+${publicUrl.replace(/[()]/g, encodeParenthesis)})`;
}

function encodeParenthesis(parenthesis: string): string {
  return parenthesis === '(' ? '%28' : '%29';
}
