import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import type { FailedReload } from '../admin-state.js';

export function FailedReloadNotice({ at, errors }: FailedReload): VNode {
  return (
    <section class="notice warning" role="alert">
      <p>
        <strong>The reload at {at} failed.</strong> The configuration before it remains in force. Correct these errors,
        also because a restart would fail:
      </p>
      <ul>
        {errors.map((error) => (
          <li>
            <SourceText text={error} />
          </li>
        ))}
      </ul>
    </section>
  );
}
