import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

export type { ComponentChildren, VNode };
export { createContext } from 'preact';
export { useContext } from 'preact/hooks';

/** Preact escapes every text and attribute value. */
export function renderHtmlDocument(document: VNode): string {
  return `<!DOCTYPE html>${renderToString(document)}`;
}
