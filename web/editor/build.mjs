// Bundles the editor into dist/editor.js, with the licences of what is in it in dist/licenses.txt.
// A file that would not change is left untouched, so that the step after this one finds nothing new
// to do.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["src/editor.js"],
  bundle: true,
  format: "esm",
  minify: true,
  target: ["chrome123", "firefox120", "safari17.5"],
  // The notices stand in one file beside the bundle.
  legalComments: "none",
  metafile: true,
  write: false,
});

async function put(name, contents) {
  const target = join(dist, name);
  const before = await readFile(target).catch(() => null);
  if (before?.equals(contents)) return;
  await mkdir(dist, { recursive: true });
  await writeFile(target, contents);
}

const folders = Object.keys(metafile.inputs).map((path) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
const notices = [...new Set(folders)].filter(Boolean).sort().map(async (folder) => {
  const { name, version } = JSON.parse(await readFile(join(here, folder, "package.json"), "utf8"));
  // Without its licence a package may not be passed on: then there is no bundle either.
  const license = await readFile(join(here, folder, "LICENSE"), "utf8");
  return `${name} ${version}\n\n${license.trim()}\n`;
});
const head = "The expression editor contains these packages, each under its licence.\n";
await put("editor.js", outputFiles[0].contents);
await put("licenses.txt", Buffer.from([head, ...(await Promise.all(notices))].join(`\n${"-".repeat(72)}\n\n`)));
