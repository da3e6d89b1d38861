import { buildWebIfNeeded } from "#programs/first-start/build-web.ts";

/** The browser tests walk the built web app, as an operator gets it. */
export default async function buildWeb(): Promise<void> {
  await buildWebIfNeeded(() => console.log("Building the web app."));
}
