import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';

export function Fact({ name, text }: { readonly name: string; readonly text: string }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <SourceText text={text} />
      </dd>
    </>
  );
}
