import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type InitOptions = Parameters<NodeFS["init"]>[1];
type Attributes = { mode?: number | null };
type Module = { NODEFS: { node_ops: { setattr: (node: unknown, attributes: Attributes) => void } } };

const OTHERS = 0o077;

/** PGlite sets 0666 on each new file, despite the umask. */
export class PrivateFiles extends NodeFS {
  override async init(pg: PGlite, options: InitOptions): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pg, options);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [keepPrivate, ...(emscriptenOpts.preRun ?? [])] } };
  }
}

function keepPrivate(module: unknown): void {
  const { node_ops: operations } = (module as Module).NODEFS;
  const { setattr } = operations;
  operations.setattr = (node, attributes) => {
    const isMode = typeof attributes.mode === "number";
    setattr(node, isMode ? { ...attributes, mode: attributes.mode! & ~OTHERS } : attributes);
  };
}
