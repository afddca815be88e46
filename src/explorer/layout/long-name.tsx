import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

/** In UTF-16 units. No team of the public directories has a longer name. */
export const MAX_NAME_LENGTH = 200;

/** Beside a name that is shown shortened: all of it, opened by a click. Nothing for a shorter name. */
export function WholeName({ name }: { readonly name: string }): VNode | null {
  if (name.length <= MAX_NAME_LENGTH) return null;
  return (
    <details>
      <summary>The whole name has {name.length.toLocaleString('en')} characters</summary>
      <SourceText text={name} />
    </details>
  );
}
