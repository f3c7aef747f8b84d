// Bundles the editor into dist/editor.js, the scripts that start the engine and the app into dist/engine.js and
// dist/boot.js, and the style sheets into dist/app.css. Writes the licenses of the bundled packages to dist/licenses.txt.
// Unchanged files are not rewritten, so that the next build step sees no new modification time.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageDirectory } from "../engine_package.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: { editor: "src/editor.js", engine: "../engine.js", boot: "../boot.js", app: "../styles/app.css" },
  loader: { ".txt": "text" },
  alias: { zonewright: packageDirectory },
  outdir: "dist",
  bundle: true,
  format: "esm",
  minify: true,
  target: ["chrome123", "firefox120", "safari17.5"],
  // dist/licenses.txt has the license notices.
  legalComments: "none",
  metafile: true,
  write: false,
});

/** Writes a file of `dist` if its contents changed. */
async function writeIfChanged(name, contents) {
  const target = join(dist, name);
  const before = await readFile(target).catch(() => null);
  if (before?.equals(contents)) return;
  await mkdir(dist, { recursive: true });
  await writeFile(target, contents);
}

const packages = Object.keys(metafile.inputs).map((path) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
const notices = [...new Set(packages)].filter(Boolean).sort().map(async (directory) => {
  const { name, version } = JSON.parse(await readFile(join(here, directory, "package.json"), "utf8"));
  // A package may only be distributed with its license, so a missing file fails the build.
  const license = await readFile(join(here, directory, "LICENSE"), "utf8");
  return `${name} ${version}\n\n${license.trim()}\n`;
});
const head = "The expression editor contains these packages, each under its license.\n";
for (const { path, contents } of outputFiles) await writeIfChanged(basename(path), contents);
const sections = [head, ...(await Promise.all(notices))];
await writeIfChanged("licenses.txt", Buffer.from(sections.join(`\n${"-".repeat(72)}\n\n`)));
