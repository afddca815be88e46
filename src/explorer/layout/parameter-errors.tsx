import type { ParameterError } from '../../model/query.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

/** Which parameters cannot be used, and why. */
export function ParameterErrors({ errors }: { readonly errors: readonly ParameterError[] }): VNode {
  return (
    <section class="notice failure" role="alert" aria-labelledby="notice-title">
      <h2 id="notice-title">Nothing was searched: the address has a value that cannot be used</h2>
      <ul>
        {errors.map(({ parameter, message }) => (
          <li>
            <strong>
              <SourceText text={parameter} />
            </strong>{' '}
            <SourceText text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
