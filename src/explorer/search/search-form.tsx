import { regionNames, findRegion } from '../../region/region.js';
import { listCountriesInRegion } from '../../region/cldr-territories.js';
import { valueOf } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { HiddenFields, SelectField, SourceField } from '../layout/form-fields.js';
import type { Option } from '../layout/form-fields.js';
import { useAddress } from '../layout/page-address.js';
import { countryName } from '../team/team-facts.js';
import type { SearchModel } from './search-model.js';

/** The form has fields for these. Others of the address are sent again unchanged. */
const FORM_PARAMETERS: ReadonlySet<string> = new Set(['q', 'country', 'region', 'source-name', 'constituency']);

const collator = new Intl.Collator('en');

/** Sorted by name. */
const COUNTRIES: readonly Option[] = [...listCountriesInRegion('001'), ...listCountriesInRegion('010')]
  .map((code) => ({ value: code, label: countryName(code) }))
  .sort((a, b) => collator.compare(a.label, b.label));

interface SearchFormProps {
  readonly model: SearchModel;
  readonly sourceNames: readonly string[];
}

/** A form that requests this page, with or without scripts. */
export function SearchForm({ model, sourceNames }: SearchFormProps): VNode {
  const { parameters, byCountry, bySource } = model;
  const address = useAddress();
  const value = (name: string): string => valueOf(parameters, name);
  return (
    <form id="search" class="search" role="search" action={address('/')} method="get" data-live-search>
      <HiddenFields parameters={parameters} formParameters={FORM_PARAMETERS} />
      <div class="box">
        <label for="q">Name, domain, e-mail, telephone number, key, IP address or any word</label>
        <div class="box-row">
          <input
            id="q"
            name="q"
            type="search"
            value={value('q')}
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            enterkeyhint="search"
          />
          <button type="submit">Search</button>
        </div>
      </div>
      <fieldset class="filters">
        <legend>Filters</legend>
        <CountryField value={value('country')} counts={byCountry.counts} />
        <SelectField
          name="region"
          label="Region"
          all="All regions"
          value={findRegion(value('region'))?.name ?? value('region')}
          groups={[{ options: regionNames.map((name) => ({ value: name, label: name })) }]}
        />
        <SourceField value={value('source-name')} counts={bySource.counts} sourceNames={sourceNames} />
        <div class="field">
          <label for="constituency">Constituency (complete text)</label>
          <input id="constituency" name="constituency" value={value('constituency')} dir="auto" autocomplete="off" />
        </div>
      </fieldset>
    </form>
  );
}

function CountryField({ value, counts }: { value: string; counts: ReadonlyMap<string, number> }): VNode {
  const withCount = (option: Option): Option => {
    const count = counts.get(option.value);
    return count === undefined ? option : { ...option, label: `${option.label} (${count.toLocaleString('en')})` };
  };
  return (
    <SelectField
      name="country"
      label="Country"
      all="All countries"
      value={value.toUpperCase()}
      groups={[
        { label: 'With matching teams', options: COUNTRIES.filter((one) => counts.has(one.value)).map(withCount) },
        { label: 'Other countries', options: COUNTRIES.filter((one) => !counts.has(one.value)) },
      ]}
    />
  );
}
