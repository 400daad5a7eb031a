import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** An import in a source file, static or dynamic; paths are relative to the project root, with forward slashes. */
export interface Import {
  file: string;
  /** As written, such as `node:fs`, `zod` or `../failure/failure.ts`. */
  specifier: string;
  /** The imported file of this project, or undefined for a package. */
  target: string | undefined;
}

const pattern = new RegExp(
  [
    /^(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']/,
    /^import\s*["']([^"']+)["']/,
    /\bimport\(\s*["']([^"']+)["']\s*\)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);

/** Comments name imports too; code is what counts. */
const withoutComments = (source: string): string => source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

export function importsOf(file: string, source: string): Import[] {
  return [...withoutComments(source).matchAll(pattern)].map(([, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? "";
    const target = specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
    return { file, specifier, target };
  });
}

/** TypeScript files below a folder, relative to the project root. */
export function sourceFiles(projectRoot: string, folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => name.endsWith(".ts"))
    .toSorted();
}

export function allImports(projectRoot: string, folder: string): Import[] {
  return sourceFiles(projectRoot, folder).flatMap((file) =>
    importsOf(file, readFileSync(path.join(projectRoot, file), "utf8")),
  );
}
