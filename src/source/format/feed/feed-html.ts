import sanitize from 'sanitize-html';
import { readHtmlTokens, VOID_ELEMENTS } from './html-tokens.js';

/** Elements that content may have. */
const ALLOWED_ELEMENTS = (
  'a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins kbd li ' +
  'mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'
).split(' ');

const ALLOWED_ATTRIBUTES = {
  a: ['href'],
  abbr: ['title'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
};

/** Schemes of links in content. */
const SCHEMES = ['http', 'https', 'mailto'];

/**
 * Sanitises HTML: elements of text, lists, tables, links, quotations and code without images, styles, scripts and forms;
 * links to `http`, `https` and `mailto`, made absolute by `resolve` (decisions 4.32.2). Undefined if
 * nothing that can be read is left.
 */
export function sanitizeHtml(html: string, resolve: (href: string) => URL | undefined): string | undefined {
  const markup = cleanMarkup(html);
  if (markup === undefined) return convertTextToHtml(convertHtmlToText(html));
  const clean = sanitize(markup, {
    allowedTags: ALLOWED_ELEMENTS,
    allowedAttributes: ALLOWED_ATTRIBUTES,
    allowedSchemes: SCHEMES,
    transformTags: {
      a: (tagName, { href }) => ({ tagName, attribs: keepHref(href === undefined ? undefined : resolve(href)) }),
    },
  }).trim();
  return /\S/.test(clean.replace(/<[^<>]*>/g, '')) ? clean : undefined;
}

function keepHref(url: URL | undefined): { href: string } | Record<string, never> {
  return url !== undefined && SCHEMES.includes(url.protocol.slice(0, -1)) ? { href: url.href } : {};
}

/** Maximum depth of nested elements. sanitize-html and its parser take time in proportion to its square. */
const MAX_NESTING = 100;

/** Elements that end where another of the same name begins. */
const IMPLIED_ENDS: ReadonlySet<string> = new Set('dd dt li option p rp rt td th tr'.split(' '));

/**
 * Returns HTML in which each `<` begins a tag of an element of HTML, without what shows nothing. Undefined for HTML
 * nested too deep.
 */
function cleanMarkup(html: string): string | undefined {
  const output: string[] = [];
  const open: string[] = [];
  let from = 0;
  for (const { kind, name, from: start, to } of readHtmlTokens(html)) {
    output.push(escapeAngles(html.slice(from, start)));
    from = to;
    if (kind === 'hidden') continue;
    output.push(html.slice(start, to));
    if (kind === 'end') truncate(open, open.lastIndexOf(name));
    else if (!VOID_ELEMENTS.has(name) && !(IMPLIED_ENDS.has(name) && open.at(-1) === name)) open.push(name);
    if (open.length > MAX_NESTING) return undefined;
  }
  output.push(escapeAngles(html.slice(from)));
  return output.join('');
}

function truncate(list: string[], length: number): void {
  if (length >= 0) list.length = length;
}

/** Whether a text has a tag of an element of HTML. */
export function hasMarkup(text: string): boolean {
  return text.includes('<') && readHtmlTokens(text).next().done !== true;
}

/** Elements that begin and end a line of their own. */
const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);

/**
 * Converts HTML to plain text: markup removed, references decoded, white space collapsed. Each paragraph, list item and
 * row is one line.
 */
export function convertHtmlToText(html: string): string {
  return hasMarkup(html) ? stripTags(html, () => true) : collapse(decodeReferencesOfHtml(markParagraphs(html)));
}

/**
 * Converts a text on one line that may be HTML or plain text to plain text. An element that is not closed belongs to the
 * text: `XSS by <script> in titles`.
 */
export function convertTitleToText(title: string): string {
  if (!hasMarkup(title)) return toOneLine(decodeReferencesOfHtml(title));
  const closed = new Set([...readHtmlTokens(title)].filter(({ kind }) => kind === 'end').map(({ name }) => name));
  const isMarkup = (name: string): boolean => closed.has(name) || VOID_ELEMENTS.has(name) || BLOCK_ELEMENTS.has(name);
  return toOneLine(stripTags(title, isMarkup));
}

function stripTags(html: string, isMarkup: (name: string) => boolean): string {
  const output: string[] = [];
  let from = 0;
  for (const { kind, name, from: start, to } of readHtmlTokens(html)) {
    if (kind !== 'hidden' && !isMarkup(name)) continue;
    output.push(html.slice(from, start).replace(/\s+/g, ' '), findSeparator(name));
    from = to;
  }
  output.push(html.slice(from).replace(/\s+/g, ' '));
  return collapse(decodeReferencesOfHtml(output.join('')));
}

function findSeparator(name: string): string {
  if (BLOCK_ELEMENTS.has(name)) return '\n';
  return name === 'td' || name === 'th' ? ' ' : '';
}

/** Makes blank lines the only line breaks. */
function markParagraphs(text: string): string {
  return text.replace(/\s+/g, (space) => (/\n[^\S\n]*\n|\r[^\S\r\n]*\r|\r\n[^\S\r\n]*\r\n/.test(space) ? '\n' : ' '));
}

/** Control characters that are no white space. */
// eslint-disable-next-line no-control-regex -- the pattern removes control characters
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]+/g;

function collapse(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** Converts plain text to plain text on one line, without control characters. */
export function toOneLine(text: string): string {
  return collapse(text).replaceAll('\n', ' ');
}

/** Collapses the white space of plain text. Each paragraph, which blank lines separate, is one line. */
export function collapseParagraphs(text: string): string {
  return collapse(markParagraphs(text));
}

/** Converts plain text to HTML: a `p` for each paragraph, which blank lines separate. Undefined if it is blank. */
export function convertTextToHtml(text: string): string | undefined {
  const paragraphs = collapseParagraphs(text).split('\n').filter(Boolean);
  return paragraphs.length === 0
    ? undefined
    : paragraphs.map((paragraph) => `<p>${escapeAngles(paragraph.replaceAll('&', '&amp;'))}</p>`).join('\n');
}

function escapeAngles(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The most common entities of HTML, among them those that sanitize-html leaves escaped. */
const COMMON_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

/** References to these entities, and to characters that are none of Windows-1252, whose numbers HTML reads otherwise. */
const COMMON_REFERENCE = /&(?:#([1-9]\d{3,4})|(amp|lt|gt|quot|apos|nbsp));/g;
const ANY_REFERENCE = /&[a-z#]/i;

/** Decodes the references to characters and entities of HTML in a text without tags. */
export function decodeReferencesOfHtml(text: string): string {
  if (!ANY_REFERENCE.test(text)) return text;
  // One call of sanitize-html takes longer than all else for a short text.
  const isCommon = !ANY_REFERENCE.test(text.replace(COMMON_REFERENCE, ''));
  return decodeCommon(isCommon ? text : sanitize(escapeAngles(text), { allowedTags: [], allowedAttributes: {} }));
}

function decodeCommon(text: string): string {
  return text.replace(COMMON_REFERENCE, (reference, digits: string | undefined, name: string | undefined) => {
    if (name !== undefined) return COMMON_ENTITIES.get(name) ?? reference;
    return String.fromCodePoint(Number(digits));
  });
}
