import { findBuild } from "#bin/build.js";
import { ClipmillError } from "#contract/errors.ts";

/**
 * Returns the folder of the built web app. Calls `onBuild` before building it, which takes seconds. Throws
 * ClipmillError "invalid" if it cannot be built here.
 */
export async function findWebApp(onBuild?: () => void): Promise<string> {
  const folder = await findBuild("web", onBuild);
  if (folder !== null) return folder;
  throw new ClipmillError(
    "invalid",
    "The web app is not built, and it cannot be built here: its build tools are not installed, or the folder is read-only. Run `npm ci && npm run build`.",
  );
}
