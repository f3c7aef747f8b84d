// Counts the steps of WebAssembly. The rewritten module adds one to an exported counter for each call of a function
// and each round of a loop, and one for every sixteen bytes of a memory copy or fill.

const CUSTOM_PREFIX = 0xfc;
/** Opcodes with one number behind them: branches, calls, variables, tables, memory sizes, references. */
const ONE_NUMBER = new Set([0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2]);
/** How many numbers follow an opcode behind the prefix. */
const PREFIXED = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];
const [MEMORY_COPY, MEMORY_FILL] = [10, 11];

/** Reads a binary from left to right. */
class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    Object.assign(this, { bytes, at, end });
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** An unsigned number. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
  /** Passes over a number of any sign and size. */
  skipNumber() {
    while (this.byte() >= 0x80);
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** A number as the binary has it. */
function encoded(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

/** Passes over what belongs to an opcode. */
function skipImmediates(reader, opcode) {
  const numbers = (count) => {
    for (let one = 0; one < count; one += 1) reader.skipNumber();
  };
  if (ONE_NUMBER.has(opcode) || (opcode >= 0x02 && opcode <= 0x04)) return numbers(1);
  if (opcode === 0x0e) return numbers(reader.number() + 1);
  if (opcode === 0x1c) return numbers(reader.number());
  if (opcode === 0x11 || (opcode >= 0x28 && opcode <= 0x3e)) return numbers(2);
  if (opcode === 0x43) return reader.take(4);
  if (opcode === 0x44) return reader.take(8);
  const plain = opcode <= 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f;
  const known = plain || opcode === 0x1a || opcode === 0x1b || (opcode >= 0x45 && opcode <= 0xc4) || opcode === 0xd1;
  if (!known) throw new Error(`opcode 0x${opcode.toString(16)} is not known to the step counter`);
}

/** The body of a function with its steps counted. */
function counted(body, counter, scratch) {
  const step = [0x23, ...encoded(counter), 0x42, 1, 0x7c, 0x24, ...encoded(counter)];
  // The length is on top of the stack: the code stores it, counts a sixteenth of it and pushes it again.
  const bulk = [0x24, ...encoded(scratch), 0x23, ...encoded(counter), 0x23, ...encoded(scratch), 0xad];
  bulk.push(0x42, 4, 0x88, 0x7c, 0x24, ...encoded(counter), 0x23, ...encoded(scratch));
  const reader = new Reader(body);
  for (let groups = reader.number(); groups > 0; groups -= 1) {
    reader.skipNumber();
    reader.byte();
  }
  const parts = [body.subarray(0, reader.at), step];
  let from = reader.at;
  const insert = (at, code) => {
    parts.push(body.subarray(from, at), code);
    from = at;
  };
  while (reader.at < reader.end) {
    const start = reader.at;
    const opcode = reader.byte();
    if (opcode === CUSTOM_PREFIX) {
      const operation = reader.number();
      for (let one = 0; one < PREFIXED[operation]; one += 1) reader.skipNumber();
      if (operation === MEMORY_COPY || operation === MEMORY_FILL) insert(start, bulk);
    } else {
      skipImmediates(reader, opcode);
      if (opcode === 0x03) insert(reader.at, step);
    }
  }
  parts.push(body.subarray(from));
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** How many globals a section of imports brings. */
function importedGlobals(reader) {
  let globals = 0;
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.take(reader.number());
    reader.take(reader.number());
    const kind = reader.byte();
    if (kind === 0) reader.skipNumber();
    else if (kind === 3) {
      globals += 1;
      reader.take(2);
    } else {
      if (kind === 1) reader.byte();
      const limits = reader.byte();
      reader.skipNumber();
      if (limits & 1) reader.skipNumber();
    }
  }
  return globals;
}

/** A section whose list gets more members at its end. */
function extended(content, count, members) {
  const reader = new Reader(content);
  const before = reader.number();
  return [before, Buffer.from([...encoded(before + count), ...content.subarray(reader.at), ...members])];
}

/** The module with an exported global `steps` that counts. */
export function metered(module) {
  const reader = new Reader(module);
  const parts = [reader.take(8)];
  let imported = 0;
  let counter = 0;
  while (reader.at < reader.end) {
    const id = reader.byte();
    let content = reader.take(reader.number());
    if (id === 2) imported = importedGlobals(new Reader(content));
    if (id === 6) {
      // An `i64` for the counter and an `i32` for a length, both mutable and zero.
      const [before, section] = extended(content, 2, [0x7e, 1, 0x42, 0, 0x0b, 0x7f, 1, 0x41, 0, 0x0b]);
      [counter, content] = [imported + before, section];
    }
    if (id === 7) [, content] = extended(content, 1, [5, ...Buffer.from("steps"), 3, ...encoded(counter)]);
    if (id === 10) {
      const bodies = new Reader(content);
      const functions = [];
      for (let left = bodies.number(); left > 0; left -= 1) {
        const body = counted(bodies.take(bodies.number()), counter, counter + 1);
        functions.push(Buffer.from(encoded(body.length)), body);
      }
      content = Buffer.concat([Buffer.from(encoded(functions.length / 2)), ...functions]);
    }
    parts.push(Buffer.from([id, ...encoded(content.length)]), content);
  }
  return Buffer.concat(parts);
}
