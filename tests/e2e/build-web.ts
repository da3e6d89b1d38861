import { buildWebIfNeeded } from "#programs/first-start/build-web.ts";

/** Builds the web app: the browser tests use the production build. */
export default async function buildWeb(): Promise<void> {
  await buildWebIfNeeded(() => console.log("Building the web app."));
}
