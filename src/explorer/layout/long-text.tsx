import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

/** In UTF-16 units. No team of the public directories has a longer name. */
export const MAX_SHOWN = 200;

interface LongTextProps {
  readonly text: string;
  /** Address of the record with the complete text. */
  readonly whole?: string;
}

/** The beginning of a long text, and beside it all of it, opened by a click. */
export function LongText(props: LongTextProps): VNode {
  return (
    <>
      <SourceText text={props.text} max={MAX_SHOWN} />
      <WholeText {...props} />
    </>
  );
}

/** In quotation marks: a source may write what looks like words of the page. */
export function AsStated({ text }: LongTextProps): VNode {
  return (
    <>
      as stated:{' '}
      <q>
        <SourceText text={text} max={MAX_SHOWN} />
      </q>
      <WholeText text={text} />
    </>
  );
}

/** Nothing where the beginning is all. */
export function WholeText({ text, whole }: LongTextProps): VNode | null {
  if (text.length <= MAX_SHOWN) return null;
  return (
    <details>
      <summary>The whole text has {text.length.toLocaleString('en')} characters</summary>
      <SourceText text={text} whole={whole} />
    </details>
  );
}
