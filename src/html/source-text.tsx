import { writeHostsInAscii } from '../identifiers/host-name.js';
import { cutText, showHiddenCharacters, splitAtHiddenCharacters } from '../text/visible-text.js';
import type { VNode } from './html.js';

/** Maximum length of a value on a page, in UTF-16 units. The record as data has all of it. */
const MAX_LENGTH = 2_000;

/** A text that somebody outside wrote. */
export interface SourceTextProps {
  readonly text: string;
  /** Address of the complete text. */
  readonly whole?: string | undefined;
  /** Maximum length that is shown, in UTF-16 units. */
  readonly max?: number;
}

/**
 * A text of a source or of the client. Its writing direction does not affect the text around it, hidden characters are
 * shown by their names, host names in ASCII, and a long text is cut; `whole` is the address of all of it.
 */
export function SourceText({ text, whole, max = MAX_LENGTH }: SourceTextProps): VNode {
  const cut = cutText(text, max);
  return (
    <>
      <bdi class="text">
        {splitAtHiddenCharacters(cut ?? text).map((piece) =>
          piece.isHiddenCharacter ? (
            <span class="hidden-character" title={`Hidden character ${piece.text}`}>
              [{piece.text}]
            </span>
          ) : (
            writeHostsInAscii(piece.text)
          ),
        )}
      </bdi>
      {cut !== undefined && (
        <>… {whole === undefined ? '(shortened)' : <a href={whole}>(shortened: see the whole record)</a>}</>
      )}
    </>
  );
}

/** Maximum length of a text in a title or an attribute, in UTF-16 units. */
const MAX_PLAIN_LENGTH = 200;

/** A text of a source or of the client for places that hold plain text only, such as the title of a page. */
export function toPlainText(text: string): string {
  const cut = cutText(text, MAX_PLAIN_LENGTH);
  return writeHostsInAscii(showHiddenCharacters(cut === undefined ? text : `${cut}…`)).replace(/\s+/g, ' ');
}
