// A plain static host. It serves a directory under a path, without rewrites and with the documented policy.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { readPage } from "../../docs.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The policy that the documentation recommends for static hosts. */
export const [, policy] = /^Content-Security-Policy: (.*)$/m.exec(readPage("docs/self-hosting.md"));

/**
 * Serves `folder` under `path`; every other path is 404. `missing` hides matching files. The host returned serves its
 * current `folder`. If `intercept(name, response)` returns true, it has responded itself, or lets the client wait.
 */
export async function startStatic(folder, path = "/deep/er/", missing = /^$/) {
  const host = { folder, intercept: () => false };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      if (!pathname.startsWith(path)) throw new Error("outside");
      const name = normalize(pathname.slice(path.length).replace(/(^|\/)$/, "$1index.html"));
      if (name.startsWith("..") || missing.test(name)) throw new Error("outside");
      if (host.intercept(name, response)) return;
      const body = await readFile(join(host.folder, name));
      const type = types[extname(name)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": policy });
      response.end(body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(host, {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  });
}
