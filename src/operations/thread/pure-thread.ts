/** Started by `run-pure.ts`, for one call at a time. */
import { parentPort } from "node:worker_threads";
import { PURE_FUNCTIONS, type PureFunctions } from "./pure-functions.ts";

parentPort!.on("message", ({ name, input }: { name: keyof PureFunctions; input: never[] }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage((PURE_FUNCTIONS[name] as (...given: never[]) => unknown)(...input));
});
