import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import type { NoticeTexts } from '../sources/sources-notices.js';

export function Notice({ state, text, items = [] }: NoticeTexts): VNode {
  return (
    <div class={`notice ${state}`}>
      <p>
        <SourceText text={text} />
      </p>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li>
              <SourceText text={item} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
