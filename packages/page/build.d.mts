/** Types of `build.mjs`, for its test. */
export function pageBundle(): Promise<Readonly<Record<string, string>>>;
