// The files in `dist/`, which static hosts and the service send as they are.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { dist } from "./support/service.mjs";
import { policy } from "./support/static.mjs";

const names = await readdir(dist);
const read = (name) => readFile(join(dist, name));
const hashed = names.filter((name) => /[-.][0-9a-f]{12,16}[._]/.test(name) && !/\.(br|gz)$/.test(name));

test("every large text file has a Brotli and a gzip file with the same content", async () => {
  const compressible = names.filter((name) => /\.(css|html|js|wasm)$/.test(name));
  assert.ok(compressible.length >= 6, names.join(" "));
  for (const name of compressible) {
    const content = await read(name);
    if (content.length < 1024) continue;
    assert.ok(brotliDecompressSync(await read(`${name}.br`)).equals(content), name);
    assert.ok(gunzipSync(await read(`${name}.gz`)).equals(content), name);
  }
});

test("the app has one style sheet", () => {
  assert.equal(names.filter((name) => name.endsWith(".css")).length, 1, names.join(" "));
});

test("index.html contains the policy without the directives that only work as headers", async () => {
  const page = String(await read("index.html"));
  const policies = [...page.matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g)].map(([, text]) => text);
  assert.deepEqual(policies, [policy.replace("; frame-ancestors 'none'", "")]);
});

test("host files set the policy everywhere, and long caching for hashed names only", async () => {
  const headers = String(await read("_headers"));
  const sections = new Map(headers.split("\n\n").map((section) => {
    const [path, ...lines] = section.trim().split("\n");
    return [path, lines.map((line) => line.trim())];
  }));
  assert.ok(sections.get("/*").includes(`Content-Security-Policy: ${policy}`), headers);
  assert.ok(sections.get("/*").includes("Cache-Control: no-cache"), headers);
  assert.deepEqual([...sections.keys()].sort(), ["/*", ...hashed.map((name) => `/${name}`)].sort());
  const { routes, globalHeaders } = JSON.parse(await read("staticwebapp.config.json"));
  assert.equal(globalHeaders["Content-Security-Policy"], policy);
  assert.deepEqual(routes.map(({ route }) => route).sort(), hashed.map((name) => `/${name}`).sort());
  assert.ok(names.includes(".nojekyll") && names.includes("404.html"), names.join(" "));
});
