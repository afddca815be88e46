import { deploymentText } from '../../support/deploy/deployment-pages.js';

/** The only code block of the pages about deployment in a language that contains a text, without its indentation. Throws unless there is one. */
export function documentedBlock(language: string, text: string): string {
  const pattern = new RegExp(`^( *)\`\`\`${language}\\n([^]*?)\\n *\`\`\`$`, 'gm');
  const blocks = [...deploymentText.matchAll(pattern)].map(([, indentation = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
  const [block, ...others] = blocks.filter((each) => each.includes(text));
  if (block === undefined || others.length > 0) throw new Error(`${others.length + 1} blocks of ${language}: ${text}`);
  return `${block}\n`;
}

/** Replaces texts in a documented block. Throws if one of them is missing. */
export function adaptBlock(block: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the block has no ${from}`);
    return text.replaceAll(from, to);
  }, block);
}
