import { foldText } from '../../text/text-folding.js';
import { showHiddenCharacters } from '../../text/visible-text.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { ComponentChildren, VNode } from '../../html/html.js';

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** Parameters that a form has no field for are sent again unchanged. */
export function HiddenFields({
  parameters,
  formParameters,
}: {
  readonly parameters: PageParameters;
  readonly formParameters: ReadonlySet<string>;
}): VNode {
  return (
    <>
      {parameters
        .filter(([name]) => !formParameters.has(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  );
}

/** Folded, so that a telephone shows the first result. The results name the filters in use. */
export function Filters({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <details>
      <summary>Filters</summary>
      <div class="filters">{children}</div>
    </details>
  );
}

interface SourceFieldProps {
  readonly value: string;
  readonly sourceNames: readonly string[];
  /** By source-name; absent where matches are not counted. */
  readonly counts?: ReadonlyMap<string, number>;
}

/** Case does not matter in the value, as in the filter `source-name`. */
export function SourceField({ value, sourceNames, counts }: SourceFieldProps): VNode {
  const names = [...new Set([...sourceNames, ...(counts?.keys() ?? [])])];
  const known = names.find((name) => foldText(name) === foldText(value)) ?? value;
  const options = names.map((name) => {
    const label = showHiddenCharacters(name);
    return { value: name, label: counts ? `${label} (${(counts.get(name) ?? 0).toLocaleString('en')})` : label };
  });
  return (
    <SelectField name="source-name" label="Repository" all="All repositories" value={known} groups={[{ options }]} />
  );
}

interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  /** Label of the option that filters nothing. */
  readonly all: string;
  readonly value: string;
  readonly groups: readonly { readonly label?: string; readonly options: readonly Option[] }[];
}

/** Also shows a value that none of its options has, such as several countries or a mistyped one. */
export function SelectField({ name, label, all, value, groups }: SelectFieldProps): VNode {
  const isListed = value === '' || groups.some(({ options }) => options.some((option) => option.value === value));
  const renderOption = (option: Option): VNode => (
    <option value={option.value} selected={option.value === value}>
      {option.label}
    </option>
  );
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{all}</option>
        {!isListed && renderOption({ value, label: showHiddenCharacters(value) })}
        {groups
          .filter(({ options }) => options.length > 0)
          .map((group) =>
            group.label === undefined ? (
              group.options.map(renderOption)
            ) : (
              <optgroup label={group.label}>{group.options.map(renderOption)}</optgroup>
            ),
          )}
      </select>
    </div>
  );
}
