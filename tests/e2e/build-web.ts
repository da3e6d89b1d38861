import { buildWebIfNeeded } from "#programs/first-start/build-web.ts";
import { findInstallation } from "#tests/support/servers/installed-clipmill.ts";

/** Builds the web app, because the browser tests use the production build, and the installation that they copy. */
export default async function buildWeb(): Promise<void> {
  await buildWebIfNeeded(() => console.log("Building the web app."));
  // On a busy machine, this takes longer than a test's first hook may.
  await findInstallation();
}
