import { valueOf } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { Filters, HiddenFields, SourceField } from '../layout/form-fields.js';
import { useAddress } from '../layout/page-address.js';

const FORM_PARAMETERS: ReadonlySet<string> = new Set(['q', 'source-name', 'after', 'before']);

interface NewsFormProps {
  readonly parameters: PageParameters;
  readonly sourceNames: readonly string[];
}

export function NewsForm({ parameters, sourceNames }: NewsFormProps): VNode {
  const address = useAddress();
  const value = (name: string): string => valueOf(parameters, name);
  return (
    <form id="search" class="search" role="search" action={address('/news')} method="get" data-live-search>
      <HiddenFields parameters={parameters} formParameters={FORM_PARAMETERS} />
      <div class="box">
        <label for="q">Words of the title, the summary or the link</label>
        <div class="box-row">
          <input id="q" name="q" type="search" value={value('q')} dir="auto" autocomplete="off" />
          <button type="submit">Search</button>
        </div>
      </div>
      <Filters>
        <SourceField value={value('source-name')} sourceNames={sourceNames} />
        <DateField name="after" label="Published after" value={value('after')} />
        <DateField name="before" label="Published before" value={value('before')} />
      </Filters>
    </form>
  );
}

/** As the interface takes it, such as `2026-04-02`. A date picker would drop other forms. */
function DateField({ name, label, value }: { name: 'after' | 'before'; label: string; value: string }): VNode {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} value={value} placeholder="2026-04-02" autocomplete="off" />
    </div>
  );
}
