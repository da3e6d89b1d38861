/** Turns exported TypeScript types into JSON schemas with their comments, using the TypeScript compiler. */
import { readdirSync } from "node:fs";
import path from "node:path";
import {
  API,
  type Checker,
  SymbolFlags,
  type Symbol as TypeSymbol,
  type Type,
  TypeFlags,
} from "typescript/unstable/sync";

export type JsonSchema = Record<string, unknown>;

const REFERENCE = "#/components/schemas/";

/**
 * Includes all exported types that they use. Throws for a name that no file of `folder` exports, and for a type that
 * JSON cannot represent.
 */
export function describeTypes(names: readonly string[], folder: string): Record<string, JsonSchema> {
  const api = new API({ cwd: process.cwd() });
  try {
    const config = path.resolve("dev/api/tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} cannot be opened.`);
    const { checker, program } = project;
    const exported = new Map<string, TypeSymbol>();
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const file = program.getSourceFile(path.resolve(folder, name));
      const module = file && checker.getSymbolAtLocation(file);
      if (!module || name.endsWith(".test.ts")) continue;
      for (const symbol of checker.getExportsOfModule(module)) {
        if (symbol.flags & SymbolFlags.TypeAlias) exported.set(symbol.name, symbol);
      }
    }
    return describeAll(names, checker, exported);
  } finally {
    api.close();
  }
}

function describeAll(
  names: readonly string[],
  checker: Checker,
  exported: Map<string, TypeSymbol>,
): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const wanted = [...names];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (schemas[name]) continue;
    const symbol = exported.get(name);
    if (!symbol) throw new Error(`No file of src/contract exports a type ${name}.`);
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    schemas[name] = { ...describe(type, name), ...commentOf(symbol) };
  }
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));

  function commentOf(symbol: TypeSymbol): JsonSchema {
    const description = symbol.getDocumentationComment(checker).replaceAll(/\s+/g, " ").trim();
    return description === "" ? {} : { description };
  }

  function reference(type: Type): JsonSchema | null {
    const alias = type.getAliasSymbol();
    const isPlain = type.getAliasTypeArguments().length === 0;
    if (!alias || !isPlain || !exported.has(alias.name)) return null;
    wanted.push(alias.name);
    return { $ref: REFERENCE + alias.name };
  }

  /** `own` is the name of the type itself, which is not a reference. */
  function describe(type: Type, own?: string): JsonSchema {
    const known = type.getAliasSymbol()?.name === own ? null : reference(type);
    if (known) return known;
    const { flags } = type;
    if (flags & TypeFlags.AnyOrUnknown) return {};
    if (flags & TypeFlags.Null) return { type: "null" };
    if (type.isLiteralType()) return { const: type.value };
    if (flags & TypeFlags.Boolean) return { type: "boolean" };
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: "string" };
    if (flags & TypeFlags.Number) return { type: "number" };
    if (type.isUnionType()) return describeUnion(type.getTypes());
    if (checker.isTupleType(type) && type.isTypeReference()) {
      const items = checker.getTypeArguments(type).map((item) => describe(item));
      return { type: "array", prefixItems: items, minItems: items.length, maxItems: items.length };
    }
    if (checker.isArrayType(type) && type.isTypeReference()) {
      return { type: "array", items: describe(checker.getTypeArguments(type)[0]!) };
    }
    if (type.isObjectType() || type.isIntersectionType()) return describeObject(type);
    throw new Error(`JSON has no ${checker.typeToString(type)}.`);
  }

  function describeUnion(members: readonly Type[]): JsonSchema {
    const present = members.filter(({ flags }) => !(flags & TypeFlags.Undefined));
    const literals = present.filter((member) => member.isLiteralType() && !(member.flags & TypeFlags.BooleanLiteral));
    const booleans = present.filter(({ flags }) => flags & TypeFlags.BooleanLiteral);
    const others = present.filter((member) => !literals.includes(member) && !booleans.includes(member));
    const schemas = others.map((member) => describe(member));
    if (booleans.length === 1) schemas.unshift(describe(booleans[0]!));
    if (booleans.length === 2) schemas.unshift({ type: "boolean" });
    if (literals.length > 0)
      schemas.unshift({ enum: literals.map((member) => member.isLiteralType() && member.value) });
    // The compiler sorts members by age; null reads best at the end.
    const sorted = schemas.toSorted((a, b) => Number(a["type"] === "null") - Number(b["type"] === "null"));
    const types = sorted.map((schema) => (Object.keys(schema).length === 1 ? schema["type"] : undefined));
    if (sorted.length === 1) return sorted[0]!;
    return types.every((name) => typeof name === "string") ? { type: types } : { anyOf: sorted };
  }

  function describeObject(type: Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      properties[property.name] = { ...describe(checker.getTypeOfSymbol(property)!), ...commentOf(property) };
      if (!(property.flags & SymbolFlags.Optional)) required.push(property.name);
    }
    const [index] = checker.getIndexInfosOfType(type);
    return {
      type: "object",
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: describe(index.valueType) }),
    };
  }
}
