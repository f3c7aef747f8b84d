// Reads the records of case files, and formats the results of expressions for them.

/** Converts a record to the format of the package. `{"hex": "ff00"}` in the files is text that is not UTF-8. */
export function readRecord(optionText, text) {
  const record = { fields: {}, lists: {} };
  for (const option of optionText.split(/\s+/).filter(Boolean)) {
    const [name, value] = option.split("=");
    record[name] = value;
  }
  // `JSON.parse` would round integers that a number cannot represent.
  const marked = text.replaceAll(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[\],}])/g, '{"integer": "$&"}');
  for (const [name, value] of Object.entries(JSON.parse(marked))) {
    if (name.startsWith("$")) record.lists[name.slice(1)] = value;
    else record.fields[name] = convertValue(value);
  }
  return record;
}

function convertValue(value) {
  if (Array.isArray(value)) return value.map(convertValue);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  const [[name, text] = []] = entries;
  if (entries.length === 1 && name === "hex") return { base64: Buffer.from(text, "hex").toString("base64") };
  if (entries.length === 1 && name === "integer") return BigInt(text);
  return Object.fromEntries(entries.map(([key, item]) => [key, convertValue(item)]));
}

/** Formats the result of `evaluate` as a line of an `evaluated` block shows it. */
export function formatOutcome({ outcome, result, unknown, diagnostics }) {
  switch (outcome) {
    case "match":
    case "no-match":
      return String(result);
    case "unknown":
      return `unknown ${unknown.join(" ")}`;
    case "absent":
      return "absent";
    case "value":
      return formatJson(result);
    default:
      return `rejected: ${diagnostics.map((diagnostic) => diagnostic.message).join(", ")}`;
  }
}

/** Formats a value as JSON with the members ordered by name. */
function formatJson(value) {
  if (Array.isArray(value)) return `[${value.map(formatJson).join(",")}]`;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object") return JSON.stringify(value);
  if (Object.keys(value).join() === "base64") {
    return `{"hex":"${Buffer.from(value.base64, "base64").toString("hex")}"}`;
  }
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${formatJson(value[name])}`).join(",")}}`;
}
