import ICAL from 'ical.js';

/** One property of a card: its name in lower case, its parameters, its type, and its values with escapes resolved. */
export interface CardProperty {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly values: readonly unknown[];
}

/** Parses vCards with ical.js. Throws if a text is none, or has anything besides cards. */
export function readVcards(text: string): readonly (readonly CardProperty[])[] {
  if (text === '') return [];
  const parsed: unknown = ICAL.parse(text);
  if (!Array.isArray(parsed)) throw new Error('no cards');
  const components: readonly unknown[] = typeof parsed[0] === 'string' ? [parsed] : parsed;
  return components.map(readCard);
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('not in the form of jCard');
  const items: readonly unknown[] = value;
  return items;
}

function readCard(component: unknown): readonly CardProperty[] {
  if (!Array.isArray(component) || component[0] !== 'vcard') throw new Error('a component that is no card');
  const properties: readonly unknown[] = Array.isArray(component[1]) ? component[1] : [];
  return properties.map((property) => {
    const [name, parameters, , ...values] = asList(property);
    return { name: String(name), parameters: { ...(typeof parameters === 'object' ? parameters : {}) }, values };
  });
}

/** The values of a property of a card. */
export function valuesOf(card: readonly CardProperty[] | undefined, name: string): readonly unknown[] {
  return (card ?? []).filter((property) => property.name === name).flatMap(({ values }) => values);
}
