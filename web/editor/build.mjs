// Bundles the editor into dist/editor.js. A file that would not change is left untouched, so that
// the step after this one finds nothing new to do.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist", "editor.js");

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ["src/editor.js"],
  bundle: true,
  format: "esm",
  minify: true,
  target: ["chrome123", "firefox120", "safari17.5"],
  legalComments: "none",
  write: false,
});
const [output] = outputFiles;
const before = await readFile(target).catch(() => null);
if (!before || !before.equals(output.contents)) {
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, output.contents);
}
