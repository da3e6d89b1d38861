import { z } from "zod";

/** Schemas that the API document and the typed client name. */
export const components = z.registry<{ id: string }>();

/** Names a schema `id`. */
export function named<Schema extends z.ZodType>(
  id: string,
  ...described: [schema: Schema] | [description: string, schema: Schema]
): Schema {
  const schema = described.length === 2 ? described[1].describe(described[0]) : described[0];
  components.add(schema, { id });
  return schema;
}

/** Names an object with these fields `id`. They are made when the API document is: programs start faster. */
export function component<Shape extends z.ZodRawShape>(
  id: string,
  ...described: [shape: () => Shape] | [description: string, shape: () => Shape]
): z.ZodLazy<z.ZodObject<Shape>> {
  const shape = described.length === 2 ? described[1] : described[0];
  const schema = z.lazy(() => z.object(shape()));
  return described.length === 2 ? named(id, described[0], schema) : named(id, schema);
}

/** Accepts a record's keys. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>) {
  return z.enum(Object.keys(record) as Key[]);
}
