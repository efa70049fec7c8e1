/** Where this process finds Millrace's files and the user's. */

/** Made once, by `src/main.ts`, and passed down. Every path is absolute. */
export type Workspace = {
  /** The installation: a clone, or the package in `node_modules`. */
  readonly root: string;
  /** The user's project: the nearest folder with a `package.json`, else the current folder. */
  readonly project: string;
  /** The default of `--home`: the project's folder of databases, journals and logs. */
  readonly home: string;
  /**
   * Returns the home of the bot whose settings are in `file`: the one of the file's project.
   * Shipped settings have the user's, because an update replaces the package's own folder.
   */
  homeOf(file: string): string;
  /** Where venues are found by name, one YAML file each: the project's folder first. */
  readonly venues: readonly string[];
  /** The shipped plugins, one folder for each. */
  readonly strategies: string;
  /** Where scenarios are found by name: the project's folder first, then the shipped ones. */
  readonly scenarios: readonly string[];
  /** The data sets that scenarios name. */
  readonly data: string;
  /** How a user starts Millrace here, like `npx millrace`. */
  readonly command: string;
  /** The folder in which the user runs suggested commands; paths in them are relative to it. */
  readonly commandFolder: string;
};
