import { z } from "zod";

const MAX_CHARACTERS = 1_000;

/** As sent; the library cleans it. */
export const uploadNameSchema = z
  .string()
  .max(MAX_CHARACTERS, "The file name is too long. Rename the file: names can have at most 1,000 characters.");
