import type { VNode } from '../../html/html.js';

/** Hidden until the script of the page shows it. `label` is what it copies. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): VNode {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${label}`} hidden>
      Copy
    </button>
  );
}
