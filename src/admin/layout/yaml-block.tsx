import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import type { DocumentNode } from '../../model/document-node.js';
import { renderYaml } from '../../render/yaml.js';

/** In UTF-16 units. The other formats have all of it. */
const MAX_BLOCK = 200_000;

export function YamlBlock({ node }: { readonly node: DocumentNode }): VNode {
  return (
    <pre class="wrapped">
      <SourceText text={[...renderYaml(node)].join('').trimEnd()} max={MAX_BLOCK} />
    </pre>
  );
}

/** Of a report that is written as JSON elsewhere. */
export function toDocumentNode(value: unknown): DocumentNode {
  if (Array.isArray(value)) return value.map(toDocumentNode);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  const named = Object.entries(value).filter(([, one]) => one !== undefined);
  return new Map(named.map(([name, one]) => [name, toDocumentNode(one)]));
}
