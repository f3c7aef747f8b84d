// ES modules and CommonJS share one instance in Node.js.
export {
  analyze,
  check,
  complete,
  equivalent,
  evaluate,
  explain,
  fix,
  format,
  hover,
  init,
  logpush,
  schema,
  signature,
  subsumes,
  test,
  version,
} from "./node.cjs";
