import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { findInstallation } from "#tests/support/servers/installed-clipmill.ts";

/** The browser tests use the production build and copy an installation. */
export default async function buildWeb(): Promise<void> {
  await findWebApp(() => console.log("Building the web app."));
  // On a busy machine, this takes longer than a test's first hook may.
  await findInstallation();
}
