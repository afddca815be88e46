import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DocumentAddress, PublishedDocument } from '../model/registration/document-mapping.js';
import type { Resource } from '../model/resource.js';
import type { ConfigDocument } from './schema/config-file-schema.js';
import { IDENTITY, chooseMappedResource, needsIdentity, toResourceName } from './mapped-resource.js';

type DocumentSetting = NonNullable<ConfigDocument['sources'][string]['document']>;

/** Builds the registration of a valid document. Paths of files are relative to `folder` (operation 2.8.16). */
export function buildDocument(setting: DocumentSetting, folder: string): PublishedDocument {
  const { resource: kind, map, defaults, only, join, format, records, next } = setting;
  const resource = chooseMappedResource(kind, [...Object.keys(map), ...Object.keys(defaults)]);
  const { [IDENTITY]: identity, ...properties } = map;
  const [key = '', joinedKey = ''] = join?.on ?? [];
  return {
    ...buildAddress(setting, folder),
    interfaceName: resource.interfaceName,
    mapping: {
      format,
      records,
      next,
      // The id of a news item is a property; that of a team becomes part of its public id (decisions 4.18).
      ...(needsIdentity(kind) ? { map } : { identity, map: rename(properties, resource) }),
      defaults: rename(defaults, resource),
      only,
      join: join && { key, as: join.as ?? '' },
    },
    joined: join && {
      ...buildAddress(join, folder),
      layout: { format: join.format, records: join.records, next: join.next, key: joinedKey },
    },
  };
}

/** The rules between settings ensure that there is an address or a file. */
function buildAddress(
  { url, file, page: { parameter, from } }: Pick<DocumentSetting, 'url' | 'file' | 'page'>,
  folder: string,
): DocumentAddress {
  return {
    url: url ?? pathToFileURL(resolve(folder, file ?? '')).href,
    page: parameter === undefined ? undefined : { parameter, from },
  };
}

function rename(values: Readonly<Record<string, string>>, resource: Resource): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [toResourceName(name, resource) ?? name, value]),
  );
}
