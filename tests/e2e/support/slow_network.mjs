// A proxy that limits the bandwidth to a service. The browser can limit only its pages, not their workers.
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Connections take turns, so that each receives a share of the bandwidth. */
const TURN_BYTES = 4096;

/**
 * Starts a proxy in front of `url`. `latencyMs` is the round-trip time.
 * @returns its URL, `bytes()`, which counts the received bytes of all connections, and `stop()`
 */
export async function startSlowNetwork(url, { bitsPerSecond, latencyMs }) {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  let bytes = 0;
  let freeAt = 0;

  /** Waits until the line has transferred this many more bytes. */
  async function transfer(count) {
    freeAt = Math.max(freeAt, performance.now()) + (count * 8000) / bitsPerSecond;
    await sleep(freeAt - performance.now());
    bytes += count;
  }

  async function receive(upstream, client) {
    for await (const chunk of upstream) {
      for (let start = 0; start < chunk.length; start += TURN_BYTES) {
        const piece = chunk.subarray(start, start + TURN_BYTES);
        await transfer(piece.length);
        client.write(piece);
      }
    }
    client.end();
  }

  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => { client.destroy(); upstream.destroy(); });
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (request) => void sleep(latencyMs).then(() => upstream.write(request)));
    client.on("end", () => upstream.end());
    receive(upstream, client).catch(() => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    bytes: () => bytes,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
