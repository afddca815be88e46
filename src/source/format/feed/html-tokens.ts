/** A tag of an element of HTML, or a piece of HTML that shows nothing. */
export interface HtmlToken {
  /** `hidden`: a comment, a declaration, or an element such as `script` with its content. */
  readonly kind: 'start' | 'end' | 'hidden';
  /** Name of the element in lower case; empty for a comment or declaration. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** All elements of HTML, obsolete ones included. Any other `<` belongs to the text: `CVE-2026-1 <buffer overflow>`. */
const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button ' +
    'canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset ' +
    'figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins ' +
    'kbd label legend li link main map mark marquee math menu meta meter nav nobr noembed noframes noscript object ol ' +
    'optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot small ' +
    'source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr ' +
    'track tt u ul var video wbr xmp'
  ).split(' '),
);

/** Elements whose content is no text of the page. */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set(
  'applet audio button canvas datalist head iframe math noembed noframes object script select style svg template textarea title video xmp'.split(
    ' ',
  ),
);

/** Elements without an end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);

/** Whether HTML has an element of this name, in lower case. */
export function isHtmlElement(name: string): boolean {
  return ELEMENTS.has(name);
}

const NAME = /[a-z][a-z\d]*(?=[\s/>])/iy;

/**
 * Yields the tags of HTML in their order. A `<` that begins no tag of an element of HTML, or a tag without its end, is
 * text. Takes time in proportion to the length of the HTML.
 */
export function* readHtmlTokens(html: string): Generator<HtmlToken> {
  const finder = new TextFinder(html);
  for (let from = html.indexOf('<'); from >= 0;) {
    const token = readToken(html, from, finder);
    if (token !== undefined) yield token;
    from = html.indexOf('<', token?.to ?? from + 1);
  }
}

function readToken(html: string, from: number, finder: TextFinder): HtmlToken | undefined {
  const next = html.charAt(from + 1);
  if (next === '!' || next === '?') return readComment(html, from, finder);
  const isEnd = next === '/';
  NAME.lastIndex = isEnd ? from + 2 : from + 1;
  const name = NAME.exec(html)?.[0].toLowerCase() ?? '';
  const to = ELEMENTS.has(name) ? findTagEnd(html, NAME.lastIndex, finder) : undefined;
  if (to === undefined) return undefined;
  if (isEnd) return { kind: 'end', name, from, to };
  if (!HIDDEN_ELEMENTS.has(name) || VOID_ELEMENTS.has(name)) return { kind: 'start', name, from, to };
  const endTag = finder.find(`</${name}`, to);
  const end = endTag === undefined ? undefined : finder.find('>', endTag);
  return end === undefined ? undefined : { kind: 'hidden', name, from, to: end + 1 };
}

function readComment(html: string, from: number, finder: TextFinder): HtmlToken | undefined {
  const isComment = html.startsWith('<!--', from);
  if (!isComment && !/^<(?:!\[|!doctype\s|\?[a-z])/i.test(html.slice(from, from + 12))) return undefined;
  const end = isComment ? '-->' : '>';
  const at = finder.find(end, from + 2);
  return at === undefined ? undefined : { kind: 'hidden', name: '', from, to: at + end.length };
}

/** Position behind the `>` of a tag; undefined if another tag begins before it, or the HTML ends. */
function findTagEnd(html: string, from: number, finder: TextFinder): number | undefined {
  for (let at = from; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (character === '>') return at + 1;
    if (character === '<') return undefined;
    if (character === '"' || character === "'") at = finder.find(character, at + 1) ?? at;
  }
  return undefined;
}

/** Finds texts in lower case. Remembers from where on there is none, because HTML may have many beginnings without an end. */
class TextFinder {
  private readonly lowerCase: string;
  private readonly nextAt = new Map<string, number>();

  constructor(html: string) {
    this.lowerCase = lowerAscii(html);
  }

  /** Position of the first occurrence at `from` or behind it. Positions that are asked for mostly increase. */
  find(text: string, from: number): number | undefined {
    const known = this.nextAt.get(text);
    if (known !== undefined && known >= from) return known === Infinity ? undefined : known;
    const at = this.lowerCase.indexOf(text, from);
    this.nextAt.set(text, at < 0 ? Infinity : at);
    return at < 0 ? undefined : at;
  }
}

/** Unlike `toLowerCase`, keeps the length of every text. */
function lowerAscii(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
