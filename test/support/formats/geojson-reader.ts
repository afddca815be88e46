import * as z from 'zod';

const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);

/** The members of RFC 7946 that Rollcall writes. Every other member of the collection is a foreign one. */
const collection = z.looseObject({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.strictObject({
      type: z.literal('Feature'),
      id: z.string().regex(/^[A-Z]{2}$/),
      geometry: z.strictObject({ type: z.literal('Point'), coordinates: z.tuple([longitude, latitude]) }).nullable(),
      properties: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** Members that a FeatureCollection must not have (RFC 7946, section 7.1). */
const FORBIDDEN_MEMBERS = ['coordinates', 'geometries', 'geometry', 'properties'];

/** A FeatureCollection and its foreign members. */
export interface FeatureCollection {
  readonly features: z.infer<typeof collection>['features'];
  readonly members: Readonly<Record<string, unknown>>;
}

/** Parses a FeatureCollection (RFC 7946). Throws if the text is none. */
export function readFeatureCollection(text: string): FeatureCollection {
  const { type, features, ...members } = collection.parse(JSON.parse(text));
  const forbidden = FORBIDDEN_MEMBERS.filter((name) => name in members);
  if (forbidden.length > 0) throw new Error(`a ${type} must not have ${forbidden.join()}`);
  return { features, members };
}
