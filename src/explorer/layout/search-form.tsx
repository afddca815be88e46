import { valueOf } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { useAddress } from './page-address.js';

interface SearchFormProps {
  readonly path: string;
  readonly parameters: PageParameters;
  readonly label: string;
  /** Not sent again: those of `children`, and others that a new text replaces. */
  readonly dropped: readonly string[];
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** Requests the page, with or without scripts. All other parameters of its address are sent again unchanged. */
export function SearchForm({ path, parameters, label, dropped, children }: SearchFormProps): VNode {
  const address = useAddress();
  return (
    <form id="search" role="search" action={address(path)} method="get" data-live-search>
      {parameters
        .filter(([name]) => name !== 'q' && !dropped.includes(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      <label for="q">{label}</label>
      <div class="box">
        <input
          id="q"
          name="q"
          type="search"
          value={valueOf(parameters, 'q')}
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
        />
        <button type="submit">Search</button>
      </div>
      {children}
    </form>
  );
}
