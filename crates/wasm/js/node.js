// ES modules and CommonJS share one instance in Node.js.
export { analyze, check, complete, init, version } from "./node.cjs";
