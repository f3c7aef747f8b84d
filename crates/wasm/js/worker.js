// The Web Worker of a client.
import { createResponder, version } from "./core.js";
import * as zonewright from "./loader.js";

const respond = createResponder(zonewright, (answer) => postMessage({ ...answer, version }));
addEventListener("message", ({ data }) => respond(data));
