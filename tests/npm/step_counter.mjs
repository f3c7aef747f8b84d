// Counts the steps of WebAssembly. The rewritten module adds one to an exported counter for each function call and
// each loop iteration, and one for every sixteen bytes of a memory copy or fill.

const MISC_PREFIX = 0xfc;
/** Opcodes with one immediate: branches, calls, variables, tables, memory sizes, references. */
const OPCODES_WITH_ONE_IMMEDIATE = new Set([0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2]);
/** The number of immediates of an opcode with the prefix. */
const PREFIXED_IMMEDIATE_COUNTS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];
const [MEMORY_COPY, MEMORY_FILL] = [10, 11];

/** Reads a binary from start to end. */
class Reader {
  constructor(bytes, offset = 0, end = bytes.length) {
    Object.assign(this, { bytes, at: offset, end });
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** Reads an unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
  /** Skips a LEB128 number of any sign and size. */
  skipNumber() {
    while (this.byte() >= 0x80);
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** Encodes a number as unsigned LEB128. */
function encodeUnsigned(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

/** Skips the immediates of an opcode. */
function skipImmediates(reader, opcode) {
  const numbers = (count) => {
    for (let index = 0; index < count; index += 1) reader.skipNumber();
  };
  if (OPCODES_WITH_ONE_IMMEDIATE.has(opcode) || (opcode >= 0x02 && opcode <= 0x04)) return numbers(1);
  if (opcode === 0x0e) return numbers(reader.number() + 1);
  if (opcode === 0x1c) return numbers(reader.number());
  if (opcode === 0x11 || (opcode >= 0x28 && opcode <= 0x3e)) return numbers(2);
  if (opcode === 0x43) return reader.take(4);
  if (opcode === 0x44) return reader.take(8);
  const plain = opcode <= 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f;
  const known = plain || opcode === 0x1a || opcode === 0x1b || (opcode >= 0x45 && opcode <= 0xc4) || opcode === 0xd1;
  if (!known) throw new Error(`opcode 0x${opcode.toString(16)} is not known to the step counter`);
}

/** Instruments the body of a function so that it counts its steps. */
function instrumentBody(body, counter, scratch) {
  const step = [0x23, ...encodeUnsigned(counter), 0x42, 1, 0x7c, 0x24, ...encodeUnsigned(counter)];
  // The length is on top of the stack: the code stores it, counts a sixteenth of it and pushes it again.
  const bulk = [0x24, ...encodeUnsigned(scratch), 0x23, ...encodeUnsigned(counter), 0x23, ...encodeUnsigned(scratch), 0xad];
  bulk.push(0x42, 4, 0x88, 0x7c, 0x24, ...encodeUnsigned(counter), 0x23, ...encodeUnsigned(scratch));
  const reader = new Reader(body);
  for (let groups = reader.number(); groups > 0; groups -= 1) {
    reader.skipNumber();
    reader.byte();
  }
  const parts = [body.subarray(0, reader.at), step];
  let from = reader.at;
  const insert = (offset, code) => {
    parts.push(body.subarray(from, offset), code);
    from = offset;
  };
  while (reader.at < reader.end) {
    const start = reader.at;
    const opcode = reader.byte();
    if (opcode === MISC_PREFIX) {
      const operation = reader.number();
      for (let index = 0; index < PREFIXED_IMMEDIATE_COUNTS[operation]; index += 1) reader.skipNumber();
      if (operation === MEMORY_COPY || operation === MEMORY_FILL) insert(start, bulk);
    } else {
      skipImmediates(reader, opcode);
      if (opcode === 0x03) insert(reader.at, step);
    }
  }
  parts.push(body.subarray(from));
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** Counts the globals that an import section declares. */
function countImportedGlobals(reader) {
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

/** Appends members to the list of a section. */
function appendMembers(content, count, members) {
  const reader = new Reader(content);
  const before = reader.number();
  return [before, Buffer.from([...encodeUnsigned(before + count), ...content.subarray(reader.at), ...members])];
}

/** Returns the instrumented module, which exports the global `steps`. */
export function instrument(module) {
  const reader = new Reader(module);
  const parts = [reader.take(8)];
  let imported = 0;
  let counter;
  const addSection = (id, content) => parts.push(Buffer.from([id, ...encodeUnsigned(content.length)]), content);
  // An `i64` for the counter and an `i32` for a length, both mutable and zero.
  const addGlobals = (content) => {
    const [before, section] = appendMembers(content, 2, [0x7e, 1, 0x42, 0, 0x0b, 0x7f, 1, 0x41, 0, 0x0b]);
    counter = imported + before;
    return section;
  };
  while (reader.at < reader.end) {
    const id = reader.byte();
    let content = reader.take(reader.number());
    if (id === 2) imported = countImportedGlobals(new Reader(content));
    if (id === 6) content = addGlobals(content);
    // The files of parts have no globals of their own; the section precedes that of the exports.
    if (id === 7 && counter === undefined) addSection(6, addGlobals(Buffer.from([0])));
    if (id === 7) [, content] = appendMembers(content, 1, [5, ...Buffer.from("steps"), 3, ...encodeUnsigned(counter)]);
    if (id === 10) {
      const bodies = new Reader(content);
      const functions = [];
      for (let left = bodies.number(); left > 0; left -= 1) {
        const body = instrumentBody(bodies.take(bodies.number()), counter, counter + 1);
        functions.push(Buffer.from(encodeUnsigned(body.length)), body);
      }
      content = Buffer.concat([Buffer.from(encodeUnsigned(functions.length / 2)), ...functions]);
    }
    addSection(id, content);
  }
  return Buffer.concat(parts);
}
