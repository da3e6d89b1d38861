import packageJson from "../../../package.json" with { type: "json" };

/** This process's version. */
export const VERSION: string = packageJson.version;
