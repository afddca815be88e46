import type { VNode } from '../../html/html.js';

interface CopyButtonProps {
  readonly text: string;
  /** What it copies. */
  readonly label: string;
  /** In place of a small `Copy`: a button among other actions. */
  readonly action?: string;
}

/** Hidden until the script of the page shows it. */
export function CopyButton({ text, label, action }: CopyButtonProps): VNode {
  return (
    <button
      type="button"
      class={action === undefined ? 'copy' : 'copy action'}
      data-copy={text}
      aria-label={`Copy ${label}`}
      hidden
    >
      {action ?? 'Copy'}
    </button>
  );
}
