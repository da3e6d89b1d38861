/** npm run build: builds the web app, so that `npm prune --omit=dev` can remove the build tools. */
import { buildWebIfNeeded } from "#programs/first-start/build-web.ts";

await buildWebIfNeeded(() => console.log("Building the web app."));
