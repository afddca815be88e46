import { writeHostsInAscii } from '../identifiers/host-name.js';
import { cutText, showHiddenCharacters, splitAtHiddenCharacters } from '../text/visible-text.js';
import type { VNode } from './html.js';

/** On a page, in UTF-16 units. The record as data has all of the value. */
const MAX_LENGTH = 2_000;

interface SourceTextProps {
  readonly text: string;
  /** Address of the complete text. */
  readonly whole?: string | undefined;
  /** In UTF-16 units. */
  readonly max?: number;
}

/**
 * A text of a source or of the client. Its writing direction does not affect the text around it, hidden characters are
 * shown by their names, host names in ASCII, and a long text is cut.
 */
export function SourceText({ text, whole, max = MAX_LENGTH }: SourceTextProps): VNode {
  const cut = cutText(text, max);
  return (
    <>
      <bdi>
        {splitAtHiddenCharacters(writeHostsInAscii(cut ?? text)).map((piece) =>
          piece.isHiddenCharacter ? (
            <span class="hidden-character" title={`Hidden character ${piece.text}`}>
              [{piece.text}]
            </span>
          ) : (
            piece.text
          ),
        )}
      </bdi>
      {cut !== undefined && (
        <>… {whole === undefined ? '(shortened)' : <a href={whole}>(shortened: see the whole record)</a>}</>
      )}
    </>
  );
}

/** In a title or an attribute, in UTF-16 units. */
const MAX_PLAIN_LENGTH = 200;

/** For places that hold plain text only, such as the title of a page. */
export function toPlainText(text: string): string {
  const cut = cutText(text, MAX_PLAIN_LENGTH);
  return showHiddenCharacters(writeHostsInAscii(cut === undefined ? text : `${cut}…`)).replace(/\s+/g, ' ');
}
