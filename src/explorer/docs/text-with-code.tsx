import type { VNode } from '../../html/html.js';

/** Text between backticks is code. */
export function TextWithCode({ text }: { readonly text: string }): VNode {
  return <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>))}</>;
}
