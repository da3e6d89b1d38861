import packageJson from "../../../package.json" with { type: "json" };

/** The version of Clipmill that this process runs. */
export const VERSION: string = packageJson.version;
