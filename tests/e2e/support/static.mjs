// A plain static host. It serves a directory under a path, without rewrites and with the documented policy.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { readPage } from "../../docs.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The policy that the documentation recommends for static hosts. */
export const [, policy] = /^Content-Security-Policy: (.*)$/m.exec(readPage("docs/self-hosting.md"));

/** Serves `folder` under `path`; every other path is 404. `missing` hides matching files. */
export async function startStatic(folder, path = "/deep/er/", missing = /^$/) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      if (!pathname.startsWith(path)) throw new Error("outside");
      const name = normalize(pathname.slice(path.length) || "index.html");
      if (name.startsWith("..") || missing.test(name)) throw new Error("outside");
      const body = await readFile(join(folder, name));
      const type = types[extname(name)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": policy });
      response.end(body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
