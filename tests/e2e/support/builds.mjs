// Further builds of the app, which differ from the built one in their theme script.
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeServiceWorker } from "../../../web/service_worker_build.mjs";
import { dist } from "./service.mjs";

/** Files that the hook of the build writes for hosts. */
const HOST_FILES = /\.(br|gz)$|^(_headers|staticwebapp\.config\.json|\.nojekyll|404\.html|service-worker\.js)$/;

/** Creates a build whose pages have the attribute `data-version` on their root element. Returns its directory. */
export async function createBuild(version) {
  const folder = await mkdtemp(join(tmpdir(), "zonewright-build-"));
  const paths = (await readdir(dist)).filter((name) => !HOST_FILES.test(name)).sort();
  for (const name of paths) await cp(join(dist, name), join(folder, name));
  const page = String(await readFile(join(folder, "index.html")));
  const [script, name] = /<script src="\.\/(theme-[^"]*\.js)"[^>]*><\/script>/.exec(page);
  const source = `${await readFile(join(folder, name))}\ndocument.documentElement.dataset.version = "${version}";\n`;
  const changed = `theme-${createHash("sha256").update(source).digest("hex").slice(0, 16)}.js`;
  await writeFile(join(folder, changed), source);
  await rm(join(folder, name));
  await writeFile(join(folder, "index.html"), page
    .replace(/\s*<meta name="zonewright-build"[^>]*>/, "")
    .replace(script, `<script src="./${changed}"></script>`));
  await writeServiceWorker(folder, paths.map((path) => (path === name ? changed : path)).sort());
  return folder;
}
