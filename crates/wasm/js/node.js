// ES modules and CommonJS share one instance in Node.js.
export { analyze, check, complete, hover, init, signature, version } from "./node.cjs";
