/** A heading of a Markdown document. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Anchor of the heading, as GitHub computes it. */
  readonly anchor: string;
}

/** All headings of a Markdown document, in order. Lines in code blocks are none. */
export function headingsOf(document: string): Heading[] {
  const text = document.replaceAll(/^ *```[^]*?^ *```$/gm, '');
  return [...text.matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => ({
    level: marks.length,
    text: title,
    anchor: title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  }));
}

/** Targets of all links in a Markdown document. */
export function linksOf(document: string): string[] {
  const targets = [...document.matchAll(/\]\(([^)\s]+)\)| src(?:set)?="([^"]+)"/g)];
  return targets.map(([, target, picture = '']) => target ?? picture);
}

/** All lines of the shell examples of a Markdown document. */
export function commandsOf(document: string): string[] {
  const blocks = [...document.matchAll(/^ *```sh\n([^]*?)\n *```$/gm)];
  return blocks.flatMap(([, block = '']) => block.split('\n').map((line) => line.trim()));
}
