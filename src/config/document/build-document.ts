import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  DocumentAddress,
  DocumentLayout,
  MappedCells,
  PublishedDocument,
} from '../../model/registration/document-mapping.js';
import { findPropertyKind } from '../../model/resource.js';
import type { PropertyKind, Resource } from '../../model/resource.js';
import type { ConfigDocument } from '../schema/config-file-schema.js';
import { IDENTITY, chooseMappedResource, needsIdentity, toResourceName } from './mapped-resource.js';

type DocumentSetting = NonNullable<ConfigDocument['sources'][string]['document']>;

/** Paths of files are relative to `folder` (operation 2.8.16). */
export function buildDocument(setting: DocumentSetting, folder: string): PublishedDocument {
  const { resource: kind, map, defaults, only, join } = setting;
  const resource = chooseMappedResource(kind, [...Object.keys(map), ...Object.keys(defaults)]);
  const { [IDENTITY]: identity, ...properties } = map;
  const [key = '', joinedKey = ''] = join?.on ?? [];
  return {
    ...buildAddress(setting, folder),
    interfaceName: resource.interfaceName,
    mapping: {
      ...buildLayout(setting),
      // The id of a news item is a property; that of a team becomes part of its public id (decisions 4.18).
      ...(needsIdentity(kind) ? { map } : { identity, map: rename(properties, resource) }),
      defaults: rename(defaults, resource),
      only,
      cells: setting.format === 'rollcall-csv' ? listCells(Object.keys(properties), resource) : undefined,
      join: join && { key, as: join.as ?? '' },
    },
    joined: join && {
      ...buildAddress(join, folder),
      layout: { ...buildLayout(join), key: joinedKey },
    },
  };
}

function buildLayout({
  format,
  delimiter,
  encoding,
  records,
  next,
}: Pick<DocumentSetting, keyof DocumentLayout>): DocumentLayout {
  return { format, delimiter, encoding, records, next };
}

/** The rules between settings ensure that there is an address or a file. */
function buildAddress(
  { url, file, page: { parameter, from, step } }: Pick<DocumentSetting, 'url' | 'file' | 'page'>,
  folder: string,
): DocumentAddress {
  return {
    url: url ?? pathToFileURL(resolve(folder, file ?? '')).href,
    page: parameter === undefined ? undefined : { parameter, from, step },
  };
}

/** Scalars of a CSV are not escaped, so the kind of a property decides whether its cells are split (decisions 3.7). */
function listCells(names: readonly string[], resource: Resource): MappedCells {
  const kinds = names.map((name) => {
    const inResource = toResourceName(name, resource) ?? name;
    return { name: inResource, kind: findPropertyKind(resource, inResource) };
  });
  return {
    lists: kinds.filter(({ kind }) => kind !== undefined && LIST_KINDS.has(kind)).map(({ name }) => name),
    further: kinds.filter(({ kind }) => kind === undefined).map(({ name }) => name),
  };
}

const LIST_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>(['texts', 'phones', 'countries']);

function rename(values: Readonly<Record<string, string>>, resource: Resource): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [toResourceName(name, resource) ?? name, value]),
  );
}
