// The service under test: the native binary with its own data directory.
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
/** The binary under test. */
export const binary = process.env.ZONEWRIGHT_BIN ?? join(root, "target", "release", "zonewright");
/** The built app. */
export const dist = process.env.ZONEWRIGHT_DIST ?? join(root, "dist");

/** Creates a new data directory. */
export function createDataDirectory() {
  return mkdtemp(join(tmpdir(), "zonewright-e2e-"));
}

/** Deletes a data directory. */
export function removeDirectory(folder) {
  return rm(folder, { recursive: true, force: true });
}

/** The databases of data directories. */
const databases = new Map();

/**
 * Returns the PostgreSQL database of a data directory, and creates it at the first call. The tests use it only if
 * ZONEWRIGHT_TEST_DATABASE is `postgres`; ZONEWRIGHT_TEST_POSTGRES then names the server. Otherwise, returns undefined,
 * and the service uses SQLite.
 */
function provideDatabase(data) {
  if (process.env.ZONEWRIGHT_TEST_DATABASE !== "postgres") return undefined;
  if (!databases.has(data)) {
    const server = process.env.ZONEWRIGHT_TEST_POSTGRES;
    const name = `js_${randomUUID().replaceAll("-", "")}`;
    execFileSync("psql", [server, "--quiet", "--command", `create database ${name}`]);
    databases.set(data, server.replace("/postgres?", `/${name}?`));
  }
  return databases.get(data);
}

/** Starts the service. `address` can repeat the address of an earlier start; `options` are further options of `serve`. */
export async function startService(data, address = "127.0.0.1:0", options = []) {
  const database = provideDatabase(data);
  const environment = database ? { ZONEWRIGHT_DATABASE: database } : {};
  const service = await startServing(["--listen", address, "--data", data, ...options], environment);
  const credentials = JSON.parse(await readFile(join(data, "demo-credentials.json"), "utf8"));
  // Other commands need this environment to find the database.
  return { ...service, credentials, environment };
}

/** Starts `serve` with these options, and waits until it listens. */
export async function startServing(options, environment = {}) {
  if (!existsSync(binary)) throw new Error(`there is no binary at ${binary}: build it, or name it in ZONEWRIGHT_BIN`);
  const stdio = ["ignore", "pipe", "ignore"];
  const child = spawn(binary, ["serve", ...options], { stdio, env: { ...process.env, ...environment } });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    const startTimeout = setTimeout(() => reject(new Error("the service did not report its address within 30 s")), 30_000);
    createInterface(child.stdout).on("line", (line) => {
      const found = /^listening on (http:\/\/\S+)$/.exec(line);
      if (!found) return;
      clearTimeout(startTimeout);
      resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`the service exited with ${code} before it listened`)));
  }).catch((error) => {
    kill();
    throw error;
  });
  return {
    url,
    address: new URL(url).host,
    pid: child.pid,
    /** Kills the service without a shutdown, as a power loss would. */
    async crash() {
      process.removeListener("exit", kill);
      kill();
      await ended;
    },
    async stop() {
      process.removeListener("exit", kill);
      child.kill("SIGTERM");
      const guard = setTimeout(kill, 10_000);
      await ended;
      clearTimeout(guard);
    },
  };
}

/** An Enterprise zone of the demo account without rules and filters. */
export function emptyZone(credentials) {
  return credentials.zones.find((zone) => zone.name === "blocked.example");
}

/** Logs in on the settings page and waits until the connection works. */
export async function connect(page, credentials) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Token", { exact: true }).fill(credentials.token);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/The connection works/).waitFor();
}
