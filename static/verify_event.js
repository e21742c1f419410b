// Checks an event file in the browser, as docs/verify/verify_event.py does on a command line: the same checks in the same
// order and words, written apart from the site's own computations. Nothing is sent, and nothing is needed from the browser
// that plain HTTP withholds: SHA-2 and Ed25519 are computed here, in BigInt where numbers are large. One long module, like
// the program: who compares the two reads them side by side. The format: docs/reference/event-file.md.
//
//   for await (const { result, check, detail } of verify(bytes, key)) …   result: right, wrong, open or unknown

/** @typedef {{ result: "right" | "wrong" | "open" | "unknown", check: string, detail: string }} Line */
/** @typedef {{ outcome: string, games_won: number, placing: number | null, score: string | null }} Result */
/** @typedef {{ id: number, kind: string, games_drawn: number, games_lost: number, games: any, seats: Result[] }} Told */
/** @typedef {{ id: number, table: number | null, kind: string, bracket: string, seats: number[], report: Told | null }} Match */
/**
 * @typedef {{
 *   number: number, kind: string, seeds: (number | null)[] | null, carries_points: boolean, return_leg: boolean,
 *   bracket_reset: boolean
 * }} Stage
 */
/** @typedef {{ number: number, stage: number, cost: any, matches: Match[], [key: string]: any }} Round */
/** @typedef {{ number: number, state: string, entered_round: number, dropped_after: number | null, id: number }} Entry */
/** @typedef {{ rank: number, number: number, table: Table }} Place */
/** @typedef {{ amount: number, weight: number, voluntary: boolean }} ChessLine */
/** @typedef {(table: Table, who: number) => Fraction | number} Tiebreaker */

const FORMAT = "doomdesk-event/1";
const LARGEST = 256 << 20;
const SEAL = 88;
const BYES = ["bye", "requested_bye"];
const VOLUNTARY = ["requested_bye", "forfeit_loss", "absent"];
const BRACKETS = ["single", "double"];
const PAIRS = "kernel/1";

/** The file is damaged, or not one of this format. */
class Unreadable extends Error {}

/** @type {(result: Line["result"], check: string, detail?: string) => Line} */
const line = (result, check, detail = "") => ({ result, check, detail });

/** One check: right without faults, else the first of them is told. @type {(name: string, faults: Iterable<string>, detail?: string) => Line} */
function checked(name, faults, detail = "") {
  const found = [...faults];
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : "";
  return found.length ? line("wrong", name, found[0] + more) : line("right", name, detail);
}

// Exact fractions.

class Fraction {
  /** @param {bigint} top @param {bigint} bottom */
  constructor(top, bottom = 1n) {
    if (!bottom) throw new RangeError("division by zero");
    let [shared, rest] = [bottom, top < 0n ? -top : top];
    while (rest) [shared, rest] = [rest, shared % rest];
    this.top = top / shared;
    this.bottom = bottom / shared;
  }

  /** @param {any} value */
  static of(value) {
    if (value instanceof Fraction) return value;
    if (Number.isSafeInteger(value)) return new Fraction(BigInt(value));
    const found = /^(-?\d+)(?:\/(\d+)|\.(\d+))?$/.exec(String(value));
    if (!found) throw new TypeError(`${value} is no fraction`);
    const [, whole, bottom, decimals = ""] = found;
    return new Fraction(BigInt(whole + decimals), bottom ? BigInt(bottom) : 10n ** BigInt(decimals.length));
  }

  /** @param {any} other */
  plus(other) {
    const { top, bottom } = Fraction.of(other);
    return new Fraction(this.top * bottom + top * this.bottom, this.bottom * bottom);
  }

  /** @param {any} other */
  times(other) {
    const { top, bottom } = Fraction.of(other);
    return new Fraction(this.top * top, this.bottom * bottom);
  }

  /** @param {any} other */
  over(other) {
    const { top, bottom } = Fraction.of(other);
    return this.times(top < 0n ? new Fraction(-bottom, -top) : new Fraction(bottom, top));
  }

  /** Less than 0 if this is less than the other. @param {any} other */
  compare(other) {
    const { top, bottom } = Fraction.of(other);
    const [mine, theirs] = [this.top * bottom, top * this.bottom];
    return mine < theirs ? -1 : mine > theirs ? 1 : 0;
  }

  toString() {
    return this.bottom === 1n ? `${this.top}` : `${this.top}/${this.bottom}`;
  }
}

const NONE = new Fraction(0n);
/** @param {Iterable<Fraction | number>} values */
const total = values => [...values].reduce((/** @type {Fraction} */ sum, each) => sum.plus(each), NONE);
/** @param {Iterable<number>} values */
const sum = values => [...values].reduce((all, each) => all + each, 0);
/** @param {Fraction} one @param {Fraction} other */
const larger = (one, other) => one.compare(other) < 0 ? other : one;
/** @param {any} top @param {any} bottom */
const share = (top, bottom) => bottom ? Fraction.of(top).over(bottom) : NONE;

/** How often each value occurs. @template Value @param {Iterable<Value>} values */
function tally(values) {
  /** @type {Map<Value, number>} */
  const found = new Map();
  for (const each of values) found.set(each, (found.get(each) ?? 0) + 1);
  return found;
}

/** Every two of a list. @template Value @param {Value[]} list */
const couples = list => list.flatMap((one, place) => list.slice(place + 1).map(other => /** @type {[Value, Value]} */ ([one, other])));
/** @param {number[]} pair */
const keyOf = pair => [...pair].sort((one, other) => one - other).join(" ");

// Digests and the signature: FIPS 180-4, and Ed25519 as RFC 8032, section 6, has it, without anything secret in it.

/** The whole part of a root of n. @param {bigint} n @param {bigint} degree */
function root(n, degree) {
  let found = 0n;
  for (let bit = 1n << 72n; bit; bit >>= 1n) if ((found + bit) ** degree <= n) found += bit;
  return found;
}

const WORD = (1n << 64n) - 1n;
const primes = Array.from({ length: 410 }, (_, number) => number)
  .filter(number => number > 1 && !Array.from({ length: 19 }, (_, each) => each + 2).some(each => each < number && number % each === 0));
const START = primes.slice(0, 8).map(prime => root(BigInt(prime) << 128n, 2n) & WORD);
const STEPS = primes.slice(0, 80).map(prime => root(BigInt(prime) << 192n, 3n) & WORD);
const [START_32, STEPS_32] = [START, STEPS].map(words => Int32Array.from(words, each => Number(each >> 32n)));

/** A message with its length, filled up to whole blocks. @param {Uint8Array} message @param {number} block */
function padded(message, block) {
  const length = Math.ceil((message.length + 1 + block / 8) / block) * block;
  const found = new DataView(new ArrayBuffer(length));
  new Uint8Array(found.buffer).set(message);
  found.setUint8(message.length, 128);
  found.setBigUint64(length - 8, BigInt(message.length) * 8n);
  return found;
}

/** @param {Uint8Array} message */
function sha256(message) {
  const data = padded(message, 64), state = Int32Array.from(START_32), words = new Int32Array(64);
  for (let block = 0; block < data.byteLength; block += 64) {
    for (let step = 0; step < 16; step++) words[step] = data.getInt32(block + 4 * step);
    for (let step = 16; step < 64; step++) {
      const w = words[step - 15], v = words[step - 2];
      const s0 = (w >>> 7 | w << 25) ^ (w >>> 18 | w << 14) ^ w >>> 3;
      const s1 = (v >>> 17 | v << 15) ^ (v >>> 19 | v << 13) ^ v >>> 10;
      words[step] = words[step - 16] + s0 + words[step - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let step = 0; step < 64; step++) {
      const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
      const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
      const one = h + s1 + (e & f ^ ~e & g) + STEPS_32[step] + words[step] | 0;
      const two = s0 + (a & b ^ a & c ^ b & c) | 0;
      h = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((each, place) => { state[place] += each; });
  }
  return Array.from(state, each => (each >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {Uint8Array} message */
function sha512(message) {
  const data = padded(message, 128), state = [...START];
  /** @type {(word: bigint, ...by: bigint[]) => bigint} */
  const turned = (word, ...by) => by.reduce((all, each) => all ^ (word >> each | word << 64n - each), 0n) & WORD;
  for (let block = 0; block < data.byteLength; block += 128) {
    const words = Array.from({ length: 16 }, (_, step) => data.getBigUint64(block + 8 * step));
    for (let step = 16; step < 80; step++) {
      const w = words[step - 15], v = words[step - 2];
      words[step] = words[step - 16] + (turned(w, 1n, 8n) ^ w >> 7n) + words[step - 7] + (turned(v, 19n, 61n) ^ v >> 6n) & WORD;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let step = 0; step < 80; step++) {
      const one = h + turned(e, 14n, 18n, 41n) + (e & f ^ ~e & g) + STEPS[step] + words[step];
      const two = turned(a, 28n, 34n, 39n) + (a & b ^ a & c ^ b & c);
      [a, b, c, d, e, f, g, h] = [one + two & WORD, a, b, c, d + one & WORD, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((each, place) => { state[place] = state[place] + each & WORD; });
  }
  return state.map(each => each.toString(16).padStart(16, "0")).join("");
}

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
/** @param {bigint} value */
const mod = value => (value % P + P) % P;
/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let found = 1n;
  for (; exponent; exponent >>= 1n) {
    if (exponent & 1n) found = found * base % P;
    base = base * base % P;
  }
  return found;
}
const D = mod(-121665n * power(121666n, P - 2n));

/** @typedef {[bigint, bigint, bigint, bigint]} Point */
/** @type {(y: bigint, sign: bigint) => Point | null} */
function pointAt(y, sign) {
  if (y >= P) return null;
  const square = (y * y - 1n) * power(D * y * y + 1n, P - 2n) % P;
  let x = power(mod(square), (P + 3n) / 8n);
  if (mod(x * x - square)) x = x * power(2n, (P - 1n) / 4n) % P;
  if (mod(x * x - square) || (!x && sign)) return null;
  if ((x & 1n) !== sign) x = mod(-x);
  return [x, y, 1n, x * y % P];
}

/** @type {(one: Point, other: Point) => Point} */
function added(one, other) {
  const a = mod((one[1] - one[0]) * (other[1] - other[0])), b = (one[1] + one[0]) * (other[1] + other[0]) % P;
  const c = 2n * one[3] * other[3] * D % P, d = 2n * one[2] * other[2] % P;
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @type {(number: bigint, point: Point) => Point} */
function times(number, point) {
  /** @type {Point} */
  let found = [0n, 1n, 1n, 0n];
  for (; number; number >>= 1n) {
    if (number & 1n) found = added(found, point);
    point = added(point, point);
  }
  return found;
}

/** @param {Uint8Array} bytes */
const hex = bytes => Array.from(bytes, each => each.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const unhex = text => Uint8Array.from(text.match(/../g) ?? [], each => parseInt(each, 16));
/** @param {Uint8Array} bytes */
const little = bytes => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);
/** @param {Uint8Array} bytes */
const unpacked = bytes => pointAt(little(bytes) & (1n << 255n) - 1n, little(bytes) >> 255n);

/** Whether this is the signature of the message by the key's owner. @type {(key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean} */
export function isSigned(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const owner = unpacked(key), start = unpacked(signature.slice(0, 32)), s = little(signature.slice(32));
  const base = pointAt(4n * power(5n, P - 2n) % P, 0n);
  if (!owner || !start || !base || s >= ORDER) return false;
  const h = little(unhex(sha512(Uint8Array.of(...signature.slice(0, 32), ...key, ...message)))) % ORDER;
  const one = times(s, base), other = added(start, times(h, owner));
  return !mod(one[0] * other[2] - other[0] * one[2]) && !mod(one[1] * other[2] - other[1] * one[2]);
}

// Reading: every byte of the file is covered by a digest before anything of it is believed.

const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** JSON with sorted keys, without spaces; in ASCII as the log hashes it. @type {(value: any, ascii?: boolean) => string} */
function json(value, ascii = false) {
  if (Array.isArray(value)) return `[${value.map(each => json(each, ascii)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort();
    return `{${keys.map(key => `${json(key, ascii)}:${json(value[key], ascii)}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new Unreadable(`${value} is no whole number`);
  if (typeof value !== "string") return String(value ?? null);
  if (/\p{Surrogate}/u.test(value)) throw new Unreadable("half a character stands alone");
  const text = JSON.stringify(value);
  return ascii ? text.replace(/[\x7f-\uffff]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}

/** @param {any} value */
const ascii = value => encoder.encode(json(value, true));
/** A field that may be left out. @type {(object: any, name: string, usual?: any) => any} */
const field = (object, name, usual) => Object.hasOwn(object, name) ? object[name] : usual;
// what is missing is an error, as it is in the program, instead of `undefined` that compares unequal to everything
const STRICT = {
  /** @param {any} object @param {string | symbol} name */
  get(object, name) {
    if (!Object.hasOwn(object, name)) throw new TypeError(`${String(name)} is missing`);
    return object[name];
  },
};

/** @template {object} Value @param {Value} object @returns {Value} */
const strict = object => new Proxy(object, STRICT);

/** Numbers above 2^53 are BigInt. @type {(name: string, content: Uint8Array) => any} */
function parsed(name, content) {
  let text, value;
  try {
    text = decoder.decode(content);
    const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/gs, each => each[0] === '"' ? each : `"\\u0000${each}"`);
    value = JSON.parse(marked, (_key, each) => {
      if (typeof each === "string" && /^\0-?\d+$/.test(each)) return BigInt(each.slice(1));
      return each !== null && typeof each === "object" && !Array.isArray(each) ? strict(each) : each;
    });
  } catch (error) {
    throw new Unreadable(`${name} cannot be read: ${error}`);
  }
  if (`${json(value)}\n` !== text) throw new Unreadable(`${name} is not canonical JSON`);
  return value;
}

/** @type {(bytes: Uint8Array) => Promise<Map<string, Uint8Array>>} */
async function unzipped(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), end = bytes.length - SEAL - 22;
  /** @type {Map<string, Uint8Array>} */
  const found = new Map();
  try {
    if (view.getUint32(end, true) !== 0x06054b50) throw new Unreadable("its list of parts is missing");
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left; left--) {
      if (view.getUint32(at, true) !== 0x02014b50) throw new Unreadable("its list of parts is cut off");
      const [named, extra, comment] = [28, 30, 32].map(place => view.getUint16(at + place, true));
      const [packed, size, start] = [20, 24, 42].map(place => view.getUint32(at + place, true));
      const name = decoder.decode(bytes.subarray(at + 46, at + 46 + named));
      if (found.has(name)) throw new Unreadable("a part stands twice in the file");
      if (size > LARGEST) throw new Unreadable("a part is larger than any event's");
      const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      const data = bytes.subarray(from, from + packed);
      found.set(name, view.getUint16(at + 10, true) ? await inflated(data, size) : data);
      at += 46 + named + extra + comment;
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`the archive is damaged: ${error}`);
  }
  return found;
}

/** @type {(data: Uint8Array, size: number) => Promise<Uint8Array>} */
async function inflated(data, size) {
  const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (data)]).stream();
  const reader = stream.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const found = new Uint8Array(size);
  let filled = 0;
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    found.set(value, filled); // throws where a part is longer than it says
    filled += value.length;
  }
  return found;
}

/** The parts by name once digests and signature are right; Unreadable otherwise. @param {Uint8Array} bytes @param {string} key @returns {AsyncGenerator<Line, { manifest: any, parts: Map<string, any> }>} */
async function* read(bytes, key) {
  const comment = /^doomdesk-event\/1 sha256:([0-9a-f]{64})$/.exec(String.fromCharCode(...bytes.slice(-SEAL)));
  if (!comment) throw new Unreadable(`this is no event file of the format ${FORMAT}, or its end is cut off`);
  if (sha256(bytes.subarray(0, -SEAL)) !== comment[1]) {
    throw new Unreadable("bytes of the file were changed: the digest at its end is another");
  }
  const contents = await unzipped(bytes), empty = new Uint8Array();
  const message = contents.get("manifest.json") ?? empty, signature = contents.get("manifest.sig") ?? empty;
  const manifest = parsed("manifest.json", message);
  contents.delete("manifest.json");
  contents.delete("manifest.sig");
  const told = field(manifest, "format");
  if (told !== FORMAT) throw new Unreadable(`this program reads ${FORMAT}, the file is ${told}`);
  const names = Object.keys(manifest.files);
  const odd = [...names.filter(name => !contents.has(name)), ...[...contents.keys()].filter(name => !names.includes(name))];
  if (odd.length) throw new Unreadable(`missing or unknown parts: ${odd.sort().join(", ")}`);
  for (const [name, content] of contents) {
    if (sha256(content) !== manifest.files[name]) throw new Unreadable(`${name} was changed: its digest is another`);
  }
  yield line("right", "digests", `${names.length} parts`);
  yield* signatureLines(manifest, message, signature, key);
  return { manifest, parts: new Map([...contents].map(([name, content]) => [name, parsed(name, content)])) };
}

/** @param {any} manifest @param {Uint8Array} message @param {Uint8Array} signature @param {string} key */
function* signatureLines(manifest, message, signature, key) {
  const raw = /^([0-9a-f]{128})\n$/.exec(String.fromCharCode(...signature));
  const own = String(manifest.key);
  if (!raw || !/^[0-9a-f]{64}$/.test(own) || !isSigned(unhex(own), message, unhex(raw[1]))) {
    throw new Unreadable("the signature does not fit: the file is not as its site wrote it");
  }
  if (key && own !== key.toLowerCase()) throw new Unreadable(`signed by another key: ${own}`);
  yield line("right", "signature", key ? "by the key you gave" : `by ${own}`);
  if (!key) yield line("open", "whose signature", "compare that key with the site's own /verify/key.json, or give it by --key");
}

// The log.

class Log {
  /** @param {Map<string, any>} parts */
  constructor(parts) {
    const named = (/** @type {string} */ start) => [...parts.keys()].filter(name => name.startsWith(start)).sort();
    this.head = parts.get("ledger.json");
    /** @type {any[]} */
    this.acts = named("ledger/").flatMap(name => parts.get(name));
    /** @type {Map<string, any>} */
    this.rows = new Map(named("contents/").flatMap(name => Object.entries(parts.get(name))));
  }

  *faults() {
    let previous = "";
    for (const [place, act] of this.acts.entries()) {
      if (act.sequence !== place + 1) {
        yield `act ${place + 1} is missing`;
        return;
      }
      if (field(act, "act") !== undefined && this.hashOf(previous, act) !== act.hash) {
        yield `act ${place + 1} (${act.act}) is not what its hash says`;
      }
      previous = act.hash;
    }
    if (this.acts.length !== this.head.sequence || previous !== this.head.hash) {
      yield "the last act is not the head of the chain";
    }
  }

  /** @param {string} previous @param {any} act */
  hashOf(previous, act) {
    const found = /^(.{19})(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/.exec(act.at);
    if (!found) throw new TypeError(`${act.at} is no time`);
    const at = `${new Date(found[1] + found[3]).toISOString().slice(0, 19)}.${(found[2] ?? "").padEnd(6, "0")}+00:00`;
    const stated = [previous, this.head.stream, act.sequence, at, act.actor, act.role, act.act, act.subjects, act.digests];
    return sha256(ascii(act.contents === null ? stated : [...stated, act.contents]));
  }

  /** Rows that do not hold what the acts stored: reports never change, of others the last act counts. */
  *rowFaults() {
    /** @type {Map<string, { act: any, salt: string, digest: any }>} */
    const stated = new Map();
    for (const act of this.acts) {
      const contents = field(act, "contents") ?? {};
      for (const [row, digest] of Object.entries(field(contents, "rows", {}))) {
        const kind = row.split(":", 1)[0];
        if (kind === "match" || kind === "penalty" || (kind === "report" && !stated.has(row))) {
          stated.set(row, { act, salt: contents.salt, digest });
        }
      }
    }
    for (const [row, { act, salt, digest }] of stated) {
      const [kind, key] = row.split(/:(.*)/s), held = this.rows.get(row) ?? null;
      if (held === null && kind === "match") continue; // a table that was replaced before anybody saw it
      if (sha256(Uint8Array.of(...unhex(salt), ...ascii([kind, key, held]))) !== digest) {
        yield `${row} does not hold what act ${act.sequence} (${act.act}) stored`;
      }
    }
  }
}

// The event.

const USUAL_POLICY = {
  win: 3, draw: 1, loss: 0, bye: 3, game_win: 3, game_draw: 1, game_loss: 0, floor: "1/3",
  bye_games: [2, 0], bye_in_own_match_pct: true, bye_in_own_game_pct: true, gw_floored: true,
  tiebreakers: ["match_points", "omw", "gw", "ogw"], points_by: "outcome",
  score_points: /** @type {number[][]} */ ([]), placing_points: /** @type {number[][]} */ ([]),
  requested_bye: /** @type {number | null} */ (null), point_unit: 1, bye_opponents: 0, bye_opponent_share: "1/5",
  round_weights: /** @type {string[]} */ ([]),
};

/** How results become points and percentages; what a file leaves out is as usual. */
class Policy {
  /** @param {any} data */
  constructor(data) {
    /** @type {typeof USUAL_POLICY} */
    this.rules = { ...USUAL_POLICY, ...data };
    this.floor = Fraction.of(this.rules.floor);
    this.byeShare = Fraction.of(this.rules.bye_opponent_share);
  }

  /** @param {number} round */
  weight(round) {
    return Fraction.of(this.rules.round_weights[round - 1] ?? 1);
  }

  /** @param {string} outcome */
  ofOutcome(outcome) {
    if (outcome !== "win" && outcome !== "draw" && outcome !== "loss") throw new TypeError(`${outcome} is no outcome`);
    return this.rules[outcome];
  }

  /** Points for the place at a table, shared places share the sum; null where the policy has none. @param {Played} match @param {number} seat */
  tablePoints(match, seat) {
    const size = match.seats.length, lists = this.rules.placing_points;
    let row = lists.filter(each => each.length === size).at(-1);
    if (!row && size >= 7 && lists.length) {
      const longest = lists.reduce((one, other) => other.length >= one.length ? other : one);
      row = [...longest, ...Array(size).fill(longest.at(-1))].slice(0, size);
    }
    if (!row?.length) return null;
    const places = match.places, ahead = places.filter(place => place < places[seat]).length;
    const shared = places.filter(place => place === places[seat]).length;
    return Math.floor(sum(row.slice(ahead, ahead + shared)) / shared);
  }

  /** Match points of one seat of a match. @param {Played} match @param {number} seat @returns {number} */
  points(match, seat) {
    const rules = this.rules, own = match.results[seat];
    if (match.kind === "bye") return rules.bye;
    if (match.kind === "requested_bye") return rules.requested_bye ?? this.ofOutcome(own.outcome);
    const lost = match.games - own.games_won - match.drawn;
    let special = null;
    if (rules.points_by === "games") {
      special = rules.game_win * own.games_won + rules.game_draw * match.drawn + rules.game_loss * lost;
    } else if (rules.points_by === "score") {
      special = rules.score_points.find(row => row[0] === own.games_won && row[1] === lost)?.[2] ?? null;
    } else if (rules.points_by === "placing") {
      special = this.tablePoints(match, seat);
    }
    if (special !== null) return special;
    const shared = own.outcome === "win" && match.results.filter(each => each.outcome === "win").length > 1;
    return shared ? rules.draw : this.ofOutcome(own.outcome);
  }
}

/** A match with a result. */
class Played {
  /** @param {Match} match @param {Told} report @param {number} round */
  constructor(match, report, round) {
    this.round = round;
    this.kind = match.kind;
    this.seats = match.seats;
    this.results = report.seats;
    this.drawn = report.games_drawn;
    this.games = sum(this.results.map(each => each.games_won)) + this.drawn + report.games_lost;
    this.forfeit = report.kind === "no_show";
  }

  get scores() {
    return this.results.map(each => each.score === null ? null : Fraction.of(each.score));
  }

  /** The place of each seat: as recorded, else by score, else by outcome; of two by outcome. @returns {number[]} */
  get places() {
    const placings = this.results.map(each => each.placing), scores = this.scores;
    if (!placings.includes(null)) return /** @type {number[]} */ (placings);
    if (scores.length > 2 && !scores.includes(null)) {
      const all = /** @type {Fraction[]} */ (scores);
      return all.map(score => 1 + all.filter(other => other.compare(score) > 0).length);
    }
    const best = this.results.filter(each => each.outcome !== "loss").length;
    return this.results.map(each => each.outcome === "loss" ? 1 + best : 1);
  }

  /** @param {number} seat */
  presence(seat) {
    if (BYES.includes(this.kind)) return this.kind;
    if (this.kind !== "no_show" && !this.forfeit) return "played";
    return this.results[seat].outcome === "loss" ? "forfeit_loss" : "forfeit_win";
  }
}

/** An event as its file tells it. */
class EventTold {
  /** @param {any} manifest @param {Map<string, any>} parts */
  constructor(manifest, parts) {
    const part = (/** @type {string} */ name) => {
      if (!parts.has(name)) throw new TypeError(`${name} is missing`);
      return parts.get(name);
    };
    this.whole = manifest.scope === "whole";
    this.facts = part("event.json");
    /** @type {Entry[]} */
    this.entries = part("entries.json");
    /** @type {any[]} */
    this.decks = part("decks.json");
    /** @type {any[]} */
    this.standings = part("standings.json");
    this.policy = new Policy(this.facts.policy);
    /** @type {Round[]} */
    const rounds = [...parts.keys()].filter(name => name.startsWith("rounds/")).sort().map(name => parts.get(name));
    this.rounds = rounds.filter(each => each.superseded_at === null)
      .sort((one, other) => one.number - other.number || one.stage - other.stage);
    /** @type {Map<number, Stage>} */
    this.stages = new Map(this.facts.stages.map((/** @type {Stage} */ stage) => [stage.number, stage]));
    this.numberOf = new Map(this.entries.filter(entry => "id" in entry).map(entry => [entry.id, entry.number]));
    this.playing = this.entries.filter(entry => ["registered", "dropped", "disqualified"].includes(entry.state));
    this.begun = [...this.stages.values()].sort((one, other) => one.number - other.number)
      .filter(stage => stage.number === 1 || stage.seeds !== null);
    this.sections = this.sectionsOf();
  }

  /** The stages whose points count together, by number; brackets are left out. */
  sectionsOf() {
    /** @type {number[][]} */
    const found = [];
    for (const stage of this.begun.filter(stage => !BRACKETS.includes(stage.kind))) {
      if (found.length && stage.carries_points) found[found.length - 1].push(stage.number);
      else found.push([stage.number]);
    }
    return found.length ? found : [[]];
  }

  /** @param {number} number */
  stage(number) {
    const found = this.stages.get(number);
    if (!found) throw new TypeError(`stage ${number} is missing`);
    return found;
  }

  /** @param {number} stage */
  endOf(stage) {
    return Math.max(0, ...this.rounds.filter(each => each.stage === stage).map(each => each.number));
  }

  /** @param {number[]} section */
  firstRound(section) {
    return !section.length || this.begun.length < 2 ? 1 : 1 + this.endOf(section[0] - 1);
  }

  /** @param {number} stage */
  fieldOf(stage) {
    return (this.stage(stage).seeds ?? []).filter(seed => seed !== null);
  }

  /** @param {number} stage */
  sectionOf(stage) {
    return this.sections.find(section => section.includes(stage)) ?? [stage];
  }

  /** @param {number[]} stages @param {number} before */
  matchesOf(stages, before = Infinity) {
    return this.rounds.filter(each => stages.includes(each.stage) && each.number < before).flatMap(each => each.matches);
  }

  /** Every match of a section with a result, rounds counted from the section's first. @param {number[]} section @param {number} first @param {number} before */
  played(section, first, before) {
    return this.rounds.filter(each => section.includes(each.stage) && each.number < before).flatMap(each =>
      [...each.matches].sort((one, other) => one.id - other.id).flatMap(match =>
        match.report?.seats.length && !match.bracket ? [new Played(match, match.report, each.number - first + 1)] : []));
  }

  /** The table of one section; before a round, what it was then. @param {number[]} section @param {number} first @param {number} before */
  table(section, first, before = Infinity) {
    const all = section.length && section[0] > 1 ? new Set(this.fieldOf(section[0])) : null;
    const field = this.playing.filter(entry => !all || all.has(entry.number));
    return new Table(field.map(entry => this.player(entry, section, first)), this.played(section, first, before), this.policy);
  }

  /** @param {Entry} entry @param {number[]} section @param {number} first */
  player(entry, section, first) {
    const left = section.slice(1).filter(stage => !this.fieldOf(stage).includes(entry.number)).map(stage => this.endOf(stage - 1));
    if (entry.dropped_after !== null) left.push(entry.dropped_after);
    return {
      number: entry.number,
      lot: parseInt(sha256(encoder.encode(`${this.facts.stream}:${entry.number}`)).slice(0, 12), 16),
      entered: Math.max(1, entry.entered_round - first + 1),
      left: left.length ? Math.max(0, Math.min(...left) - first + 1) : null,
      late: entry.entered_round > 1,
      ranked: entry.state !== "disqualified",
    };
  }
}

/** @typedef {ReturnType<EventTold["player"]>} Player */
/** What one round was for one player. @typedef {{ round: number, presence: string, points: number, others: number[], match?: Played, seat: number }} Part */

// Standings, in exact fractions. Each tiebreaker is written from its definition in docs/reference/tiebreakers.md.

/** The players of a section and their rounds. */
class Table {
  /** @param {Player[]} players @param {Played[]} matches @param {Policy} policy */
  constructor(players, matches, policy) {
    this.players = new Map([...players].sort((one, other) => one.number - other.number).map(each => [each.number, each]));
    this.policy = policy;
    this.numbers = [...new Set(matches.map(match => match.round))].sort((one, other) => one - other);
    /** @type {Map<number, Part[]>} */
    this.lines = new Map(players.map(each => [each.number, []]));
    for (const match of matches) {
      for (const [seat, number] of match.seats.entries()) {
        const others = match.seats.filter(other => other !== number);
        const { round } = match, presence = match.presence(seat), points = policy.points(match, seat);
        this.parts(number).push({ round, presence, points, others, match, seat });
      }
    }
    for (const player of players) this.addAbsences(player, this.parts(player.number));
    /** @type {Map<string, Fraction>} */
    this.known = new Map();
    /** @type {Map<string, number[]> | null} */
    this.ties = null;
  }

  /** Without a match in a round before the last one was absent; in the last only who had left or not come. @param {Player} player @param {Part[]} parts */
  addAbsences(player, parts) {
    const there = new Set(parts.map(part => part.round)), last = this.numbers.at(-1) ?? -1;
    for (let round = this.numbers[0]; round <= last; round++) {
      const away = round < player.entered || (player.left !== null && round > player.left);
      if (!there.has(round) && (away || round !== last)) {
        parts.push({ round, presence: "absent", points: 0, others: [], seat: 0 });
      }
    }
    parts.sort((one, other) => one.round - other.round);
  }

  /** @param {number} who */
  parts(who) {
    const found = this.lines.get(who);
    if (!found) throw new TypeError(`entry ${who} is not in the standings`);
    return found;
  }

  /** The value of a tiebreaker, computed once. @param {string} key @param {number} who */
  value(key, who) {
    const name = `${key} ${who}`;
    let found = this.known.get(name);
    if (!found) this.known.set(name, found = Fraction.of(TIEBREAKERS[key](this, who)));
    return found;
  }

  /** @param {number} who */
  played(who) {
    return this.parts(who).flatMap(part => part.match ? [{ ...part, match: part.match, own: part.match.results[part.seat] }] : []);
  }

  /** @param {number} who */
  points(who) {
    return sum(this.parts(who).map(part => part.points));
  }

  /** Everybody met, once for every meeting; byes are none. @param {number} who */
  meetings(who) {
    return this.parts(who).filter(part => !BYES.includes(part.presence))
      .flatMap(part => part.others.map(other => ({ part, other })));
  }

  /** @param {number} who */
  matchShare(who) {
    const { bye_in_own_match_pct: counts, win } = this.policy.rules;
    const parts = this.played(who).filter(part => counts || !BYES.includes(part.presence));
    return share(sum(parts.map(part => part.points)), win * parts.length);
  }

  /** @param {number} who */
  gameShare(who) {
    const rules = this.policy.rules;
    let points = 0, games = 0;
    for (const { presence, own, match } of this.played(who)) {
      if (presence === "bye" && rules.bye_in_own_game_pct) {
        const [won, lost] = rules.bye_games;
        points += rules.game_win * won + rules.game_loss * lost;
        games += won + lost;
      }
      if (BYES.includes(presence)) continue;
      const lost = match.games - own.games_won - match.drawn;
      points += rules.game_win * own.games_won + rules.game_draw * match.drawn + rules.game_loss * lost;
      games += match.games;
    }
    return share(points, rules.game_win * games);
  }

  /** @param {number} who */
  winShare(who) {
    const outcomes = this.played(who).filter(part => !BYES.includes(part.presence)).map(part => part.own.outcome);
    const halves = sum(outcomes.map(each => each === "win" ? 2 : each === "draw" ? 1 : 0));
    return share(halves, 2 * outcomes.length);
  }

  /** Average of the opponents' floored shares, a bye bringing its virtual opponents; the floor without any. @param {number} who @param {(who: number) => Fraction} shareOf */
  average(who, shareOf) {
    const { floor, byeShare, rules } = this.policy;
    const found = this.meetings(who).map(({ other }) => larger(shareOf(other), floor));
    const byes = this.parts(who).filter(part => part.presence === "bye").length;
    for (let left = byes * rules.bye_opponents; left > 0; left--) found.push(byeShare);
    return found.length ? total(found).over(found.length) : floor;
  }

  /** @param {number} who @param {string} key */
  averageOf(who, key) {
    const found = this.meetings(who).map(({ other }) => this.value(key, other));
    return found.length ? total(found).over(found.length) : this.policy.floor;
  }

  /** A score as opponents count it: rounds given up after the last available one are draws. @param {number} who */
  adjusted(who) {
    const parts = this.parts(who);
    const available = parts.filter(part => ["played", "bye", "forfeit_win"].includes(part.presence)).map(part => part.round);
    const last = Math.max(0, ...available);
    return sum(parts.map(part =>
      ["requested_bye", "absent"].includes(part.presence) && part.round > last ? this.policy.rules.draw : part.points));
  }

  /** Of each round the opponent's score, or the player's for a round not played. @param {number} who @param {boolean} weighted @returns {ChessLine[]} */
  chessLines(who, weighted) {
    return this.parts(who).flatMap(({ presence, points, others }) => {
      const weight = weighted ? points : 1;
      if (presence === "played") return others.map(other => ({ amount: this.adjusted(other), weight, voluntary: false }));
      return [{ amount: this.points(who), weight, voluntary: VOLUNTARY.includes(presence) }];
    });
  }

  /** Who is tied in everything before head-to-head; the player alone if disqualified. @param {number} who */
  tiedBefore(who) {
    const keys = this.policy.rules.tiebreakers, at = keys.indexOf("head_to_head");
    const before = at < 0 ? ["match_points"] : keys.slice(0, at);
    const name = (/** @type {number} */ number) => before.map(key => this.value(key, number)).join(" ");
    if (!this.ties) {
      this.ties = new Map();
      for (const { number, ranked } of this.players.values()) {
        if (ranked) this.ties.set(name(number), [...this.ties.get(name(number)) ?? [], number]);
      }
    }
    return this.players.get(who)?.ranked ? this.ties.get(name(who)) ?? [] : [who];
  }

  /** Ranks by number, best first: equal values share a rank. */
  order() {
    const keys = this.policy.rules.tiebreakers;
    const compare = (/** @type {number} */ one, /** @type {number} */ other) =>
      keys.reduce((found, key) => found || this.value(key, other).compare(this.value(key, one)), 0);
    const numbers = [...this.players.values()].filter(each => each.ranked).map(each => each.number).sort(compare);
    let rank = 0;
    return numbers.map((number, place) => {
      if (!place || compare(numbers[place - 1], number)) rank = place + 1;
      return { rank, number, table: /** @type {Table} */ (this) };
    });
  }
}

/** @param {ChessLine} each */
const weigh = each => each.amount * each.weight;
/** The first of the smallest, as min() has it. @template Value @param {Value[]} list @param {(each: Value) => number[]} key @returns {Value | undefined} */
function smallest(list, key) {
  /** @type {Value | undefined} */
  let found;
  for (const each of list) {
    const difference = found === undefined ? -1 : key(each).map((part, place) => part - key(/** @type {Value} */ (found))[place]).find(Boolean) ?? 0;
    if (difference < 0) found = each;
  }
  return found;
}

/** Cut 1: the voluntary unplayed round that counts least, or the lowest opponent if that removes more. @param {ChessLine[]} lines */
function withoutLowest(lines) {
  const lowest = smallest(lines, each => [each.amount, weigh(each)]);
  if (!lowest) return [];
  const given = smallest(lines.filter(each => each.voluntary), each => [weigh(each)]) ?? lowest;
  const cut = weigh(given) >= weigh(lowest) ? given : lowest;
  return lines.filter(each => each !== cut);
}

/** @param {ChessLine[]} lines */
function withoutBoth(lines) {
  const left = withoutLowest(lines), highest = smallest(left, each => [-each.amount]);
  return left.filter(each => each !== highest);
}

/** @type {(cut?: (lines: ChessLine[]) => ChessLine[], weighted?: boolean) => Tiebreaker} */
const chess = (cut = lines => lines, weighted = false) => (table, who) => {
  const unit = table.policy.rules.point_unit;
  return Fraction.of(sum(cut(table.chessLines(who, weighted)).map(weigh))).over(weighted ? unit * unit : unit);
};

/** @type {(table: Table, who: number, cut?: boolean) => Fraction} */
function progressive(table, who, cut = false) {
  let total = 0, found = 0;
  for (const part of table.parts(who)) {
    total += part.points;
    if (!cut || part.round !== table.numbers[0]) found += total;
  }
  return Fraction.of(found).over(table.policy.rules.point_unit);
}

/** @type {Tiebreaker} */
function headToHead(table, who) {
  const group = table.tiedBefore(who);
  if (group.length === 1) return 0;
  const all = group.every(number => {
    const met = new Set([number, ...table.parts(number).flatMap(part => part.others)]);
    return group.every(other => met.has(other));
  });
  if (!all) return 0;
  const parts = table.parts(who).filter(part => part.others.some(other => group.includes(other)));
  return Fraction.of(sum(parts.map(part => part.points))).over(table.policy.rules.point_unit);
}

/** @type {Tiebreaker} */
function duelNumber(table, who) {
  const digits = (/** @type {string} */ key) => {
    const { top, bottom } = table.value(key, who).times(1000);
    return Math.min(Number(top / bottom), 999);
  };
  return table.points(who) * 1_000_000 + digits("omw") * 1000 + digits("oomw");
}

/** @type {(inner: Tiebreaker) => Tiebreaker} */
const schedule = inner => (table, who) => {
  const lines = table.meetings(who).map(({ part, other }) => ({ value: Fraction.of(inner(table, other)), weight: table.policy.weight(part.round) }));
  const weights = total(lines.map(each => each.weight));
  return weights.top ? total(lines.map(each => each.value.times(each.weight))).over(weights) : 0;
};

/** @type {Tiebreaker} */
const pace = (table, who) => {
  const rounds = total(table.played(who).map(part => table.policy.weight(part.round)));
  return rounds.top ? Fraction.of(table.points(who)).over(rounds) : 0;
};

/** @type {(key: string) => Tiebreaker} */
const atTableAverage = key => (table, who) => {
  const found = table.parts(who).filter(part => part.presence === "played").flatMap(part => part.others).map(other => table.value(key, other));
  return found.length ? total(found).over(found.length) : 0;
};

/** @typedef {ReturnType<Table["played"]>[number]} PlayedPart */
/** @type {(counts: (part: PlayedPart) => boolean) => Tiebreaker} */
const counted = counts => (table, who) => table.played(who).filter(counts).length;
/** @param {number} place */
const placed = place => counted(part => part.presence === "played" && part.match.places[part.seat] === place);
/** @param {PlayedPart} part */
const won = part => part.own.outcome === "win";
/** @param {PlayedPart} part */
const inSecondSeat = part => part.presence === "played" && part.seat === 1;
/** @param {PlayedPart} part */
function winsTable(part) {
  const scores = part.match.scores, own = scores[part.seat];
  return own !== null && own.compare(2) >= 0
    && scores.every((score, seat) => seat === part.seat || score === null || score.compare(own) < 0);
}

/** @type {Record<string, Tiebreaker>} */
const TIEBREAKERS = strict({
  match_points: (table, who) => Fraction.of(table.points(who)).over(table.policy.rules.point_unit),
  rounds_played: counted(() => true),
  wins: counted(won),
  head_to_head: headToHead,
  omw: (table, who) => table.average(who, other => table.matchShare(other)),
  gw: (table, who) => {
    const { floor, rules } = table.policy, found = table.gameShare(who);
    return rules.gw_floored ? larger(found, floor) : found;
  },
  ogw: (table, who) => table.average(who, other => table.gameShare(other)),
  oomw: (table, who) => table.averageOf(who, "omw"),
  opponents_win: (table, who) => table.average(who, other => table.winShare(other)),
  opponents_opponents_win: (table, who) => table.averageOf(who, "opponents_win"),
  buchholz: chess(),
  buchholz_cut_1: chess(withoutLowest),
  buchholz_median: chess(withoutBoth),
  opponents_buchholz: atTableAverage("buchholz"),
  sonneborn_berger: chess(undefined, true),
  sonneborn_berger_cut_1: chess(withoutLowest, true),
  progressive: (table, who) => progressive(table, who),
  progressive_cut_1: (table, who) => progressive(table, who, true),
  wins_played: counted(part => part.presence === "played" && won(part)),
  rounds_available: counted(part => ["played", "bye", "forfeit_win"].includes(part.presence)),
  second_seats: counted(inSecondSeat),
  second_seat_wins: counted(part => inSecondSeat(part) && won(part)),
  strength_of_schedule: schedule(pace),
  extended_strength: schedule((table, who) => table.value("strength_of_schedule", who)),
  duel_number: duelNumber,
  table_wins: counted(winsTable),
  victory_points: (table, who) => total(table.played(who).map(part => part.match.scores[part.seat] ?? NONE)),
  opponents_score: atTableAverage("victory_points"),
  firsts: placed(1),
  seconds: placed(2),
  thirds: placed(3),
  table_points: (table, who) => sum(table.played(who).map(part => table.policy.tablePoints(part.match, part.seat) ?? 0)),
  on_time: (table, who) => Number(!table.players.get(who)?.late),
  lot: (table, who) => -(table.players.get(who)?.lot ?? 0),
});

/** Ranks counted again below others: who was tied stays so. @param {Place[]} lines @param {number} above @returns {Place[]} */
function again(lines, above) {
  let rank = 0;
  return lines.map((each, place) => {
    if (!place || each.rank !== lines[place - 1].rank) rank = above + place + 1;
    return { ...each, rank };
  });
}

/** Everybody in final order; null while a bracket is played. @param {EventTold} event @returns {Place[] | null} */
function expectedStandings(event) {
  /** @type {Place[]} */
  let lines = [];
  for (const section of event.sections) {
    let own = event.table(section, event.firstRound(section)).order();
    for (const stage of section.slice(1)) {
      const field = new Set(event.fieldOf(stage)), upper = own.filter(each => field.has(each.number));
      own = [...again(upper, 0), ...again(own.filter(each => !field.has(each.number)), upper.length)];
    }
    const named = new Set(own.map(each => each.number));
    lines = [...own, ...again(lines.filter(each => !named.has(each.number)), own.length)];
  }
  const last = event.begun[event.begun.length - 1];
  if (!BRACKETS.includes(last.kind) || last.seeds === null) return lines;
  const tables = new Map(lines.map(each => [each.number, each.table]));
  const order = bracketOrder(event, last, tables);
  if (!order) return null;
  const above = new Set(order.map(each => each.number));
  return [...order, ...again(lines.filter(each => !above.has(each.number)), order.length)];
}

/** @param {Match} match */
function winnerOf(match) {
  return match.report ? match.seats.find((_number, place) => match.report?.seats[place].outcome === "win") ?? null : null;
}

/** @param {Match} match */
function loserOf(match) {
  const winner = winnerOf(match);
  return match.seats.find(number => number !== winner) ?? winner;
}

/** Where in a bracket a match is, as a number that grows with side and level: winners', losers', third place, finals. @param {Match} match */
function levelOf(match) {
  const found = /^([WLTF])(\d+)(-|$)/.exec(match.bracket);
  if (!found) throw new TypeError(`${match.bracket} is no place in a bracket`);
  return "WLTF".indexOf(found[1]) * SIDE + Number(found[2]);
}

const SIDE = 1000, THIRD_PLACE = 2 * SIDE + 1;
/** @param {number} other @param {number} level */
function isAfter(other, level) {
  const [one, two] = [other, level].map(each => Math.floor(each / SIDE)), rank = [0, 1, 1, 2];
  return (one === two && other > level) || rank[one] > rank[two];
}

/** One is left over, or the only grand final is played; whoever may lose once plays on in the losers' bracket. @param {Stage} stage @param {number[]} field @param {Match[]} matches */
function isDecided(stage, field, matches) {
  if (stage.kind === "double" && !stage.bracket_reset) return matches.some(match => match.bracket.startsWith("F"));
  const losses = tally(matches.map(loserOf)), allowed = stage.kind === "single" ? 1 : 2;
  return field.filter(number => (losses.get(number) ?? 0) < allowed).length === 1;
}

/** Final places of a bracket that is over, from its last level back: who leaves a level shares it. @param {EventTold} event @param {Stage} stage @param {Map<number, Table>} tables @returns {Place[] | null} */
function bracketOrder(event, stage, tables) {
  const matches = event.matchesOf([stage.number]), field = event.fieldOf(stage.number);
  if (matches.some(match => winnerOf(match) === null) || !isDecided(stage, field, matches)) return null;
  let order = [...new Set(matches.map(levelOf))].sort((one, other) => other - one);
  if (stage.kind === "single" && order.includes(THIRD_PLACE)) { // it ranks right below the final
    const final = Math.max(...order.filter(level => level < SIDE));
    order = [final, THIRD_PLACE, ...order.filter(level => level !== final && level !== THIRD_PLACE)];
  }
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const level of order) {
    const there = matches.filter(match => levelOf(match) === level);
    for (const leaving of [there.map(winnerOf), there.map(loserOf)]) {
      const gone = leaving.filter(number => number !== null && !places.has(number)
        && !matches.some(match => match.seats.includes(number) && isAfter(levelOf(match), level)));
      const place = places.size + 1;
      for (const number of gone) places.set(/** @type {number} */ (number), place);
    }
  }
  if (field.length !== places.size || !field.every(number => places.has(number))) return null;
  const placeOf = (/** @type {number} */ number) => places.get(number) ?? 0;
  const out = field.filter(number => !tables.has(number)).map(placeOf);
  return field.flatMap(number => {
    const table = tables.get(number);
    return table ? [{ rank: placeOf(number) - out.filter(gone => gone < placeOf(number)).length, number, table }] : [];
  }).sort((one, other) => one.rank - other.rank);
}

/** @param {EventTold} event */
function* standingsLines(event) {
  const unknown = event.policy.rules.tiebreakers.filter(key => !Object.hasOwn(TIEBREAKERS, key));
  if (unknown.length) {
    yield line("unknown", "standings", `this program does not know the tiebreaker ${unknown.join(", ")}`);
    return;
  }
  const expected = expectedStandings(event);
  if (!expected) {
    yield line("open", "final order", "the bracket is still being played: places in it are not computed");
    return;
  }
  const told = new Map(event.standings.map(each => [each.entry, each]));
  yield checked("standings", standingFaults(event, expected, told), `${told.size} lines in exact fractions`);
}

/** @param {EventTold} event @param {Place[]} expected @param {Map<number, any>} told */
function* standingFaults(event, expected, told) {
  const numbers = expected.map(each => each.number), lines = event.standings.map(each => each.entry);
  if (String(numbers) !== String(lines)) {
    const missing = [...numbers.filter(each => !told.has(each)), ...[...told.keys()].filter(each => !numbers.includes(each))];
    const which = missing.length ? `: entries ${missing.sort((one, other) => one - other).join(", ")}` : "";
    yield `the lines are others, or in another order${which}`;
  }
  for (const { rank, number, table } of expected) {
    const each = told.get(number);
    if (!each) continue;
    if (each.rank !== rank) yield `entry ${number} has rank ${each.rank}, computed ${rank}`;
    const outcomes = tally(table.played(number).map(part => part.own.outcome));
    const counts = [table.points(number), ...["win", "draw", "loss"].map(outcome => outcomes.get(outcome) ?? 0)];
    if (String([each.points, each.wins, each.draws, each.losses]) !== String(counts)) {
      yield `entry ${number}: points, wins, draws and losses are ${counts.join(", ")}`;
    }
    for (const key of event.policy.rules.tiebreakers) {
      const value = field(each.values, key, null), computed = table.value(key, number);
      if (value !== String(computed)) yield `entry ${number}: ${key} is ${value}, computed ${computed}`;
    }
  }
}

// Pairings.

/** @param {EventTold} event */
function* roundLines(event) {
  for (const each of event.rounds) {
    const stage = event.stage(each.stage), name = `round ${each.number}`;
    yield checked(name, roundFaults(event, each, stage), `${each.matches.length} matches, everybody once`);
    if (["swiss", "tables"].includes(stage.kind)) yield* costLines(event, each, name);
    if (stage.kind === "swiss" && each.engine === PAIRS) {
      yield line("open", `${name}: no cheaper pairing`, `./run manage verify_pairings ${event.facts.slug}`);
    }
    if (each.changes) yield line("open", `${name}: by hand`, `staff changed this round ${each.changes} times`);
  }
}

/** @param {EventTold} event @param {Round} each @param {Stage} stage */
function* roundFaults(event, each, stage) {
  const known = new Set(event.entries.map(entry => entry.number));
  for (const [number, times] of tally(each.matches.flatMap(match => match.seats))) {
    if (!known.has(number)) yield `entry ${number} is not in this event`;
    if (times > 1) yield `entry ${number} sits at ${times} tables`;
  }
  for (const [table, times] of tally(each.matches.map(match => match.table))) {
    if (table !== null && times > 1) yield `table ${table} is given away ${times} times`;
  }
  for (const match of each.matches) yield* matchFaults(match);
  if (BRACKETS.includes(stage.kind)) yield* bracketFaults(event, each, stage);
  if (stage.kind === "round_robin") yield* robinFaults(event, each, stage);
}

/** @param {Match} match */
function* matchFaults(match) {
  const name = `match ${match.id}`, { seats, report } = match;
  if (!seats.length || (BYES.includes(match.kind) && seats.length !== 1)) yield `${name}: ${match.kind} for ${seats.length}`;
  if (!report) return;
  if (report.seats.length !== seats.length) {
    yield `${name}: a result for ${report.seats.length} of ${seats.length}`;
    return;
  }
  const outcomes = report.seats.map(each => each.outcome), [one, other] = report.seats.map(each => each.games_won);
  if (outcomes.length !== 2) return;
  if (!["loss win", "draw draw", "loss loss"].includes([...outcomes].sort().join(" "))) {
    yield `${name}: ${outcomes.join(" and ")} at one table`;
  }
  if (report.kind === "played" && report.seats.some(each => each.placing === null)) {
    const expected = one === other ? "draw and draw" : one > other ? "win and loss" : "loss and win";
    if (outcomes.join(" and ") !== expected) yield `${name}: ${one}-${other} is no ${outcomes.join(" and ")}`;
  }
}

/** Only seeds play, and nobody who is out. @param {EventTold} event @param {Round} each @param {Stage} stage */
function* bracketFaults(event, each, stage) {
  const seeds = new Set(event.fieldOf(stage.number)), allowed = stage.kind === "single" ? 1 : 2;
  const earlier = event.matchesOf([stage.number], each.number).filter(match => match.bracket && winnerOf(match) !== null);
  const losses = tally(earlier.map(loserOf));
  for (const match of each.matches) {
    for (const number of match.seats) {
      if (!seeds.has(number)) yield `entry ${number} is not in the bracket`;
      else if ((losses.get(number) ?? 0) >= allowed && !match.bracket.startsWith("T")) yield `entry ${number} plays on after losing`;
    }
  }
}

/** @param {EventTold} event @param {Round} each @param {Stage} stage */
function* robinFaults(event, each, stage) {
  const most = stage.return_leg ? 2 : 1, until = event.matchesOf([stage.number], each.number + 1);
  const met = tally(until.filter(match => match.seats.length === 2).map(match => keyOf(match.seats)));
  for (const { seats } of each.matches) {
    if (seats.length === 2 && (met.get(keyOf(seats)) ?? 0) > most) yield `${seats[0]} and ${seats[1]} meet more than ${most} times`;
  }
}

/** @param {EventTold} event @param {Round} each @param {string} name */
function* costLines(event, each, name) {
  const earlier = event.matchesOf(event.sectionOf(each.stage), each.number);
  const met = tally(earlier.flatMap(match => couples(match.seats)).map(keyOf));
  const byes = new Set(earlier.filter(match => match.kind === "bye").flatMap(match => match.seats));
  const pairs = each.matches.flatMap(match => couples(match.seats));
  const again = pairs.map(pair => met.get(keyOf(pair)) ?? 0);
  if (each.cost === null) {
    yield line("open", `${name}: cost`, `entered by hand, without a stated cost; ${sum(again)} meetings are repeated`);
    return;
  }
  yield checked(`${name}: stated cost`, costFaults(event, each, pairs, again, byes), "meetings, byes and scores");
  if (event.whole && each.input !== null) {
    yield checked(`${name}: input`, inputFaults(event, each, met), "the stored input and what it costs");
  }
}

/** @param {EventTold} event @param {Round} each @param {[number, number][]} pairs @param {number[]} again @param {Set<number>} byes */
function* costFaults(event, each, pairs, again, byes) {
  const rematches = field(each.cost, "rematches"), repeats = field(each.cost, "repeats");
  const squared = sum(again.map(times => times ** 2)), squares = field(each.cost, "sum_sq_diff");
  if (rematches !== undefined && rematches !== sum(again)) yield `rematches are ${sum(again)}, stated ${rematches}`;
  if (repeats !== undefined && repeats !== squared) yield `repeated meetings are ${squared}, stated ${repeats}`;
  const alone = each.matches.filter(match => match.kind === "bye");
  const had = each.matches.flatMap(match => match.seats).filter(number => !byes.has(number)).length;
  if (rematches !== undefined && each.cost.second_byes && had && !each.changes) yield `a second bye, though ${had} had none`;
  const settled = each.results_changed_at === null && !each.paired_without.length && !each.changes;
  if (!settled || squares === undefined || alone.length > 1) return;
  if (event.policy.rules.tiebreakers.some(key => !Object.hasOwn(TIEBREAKERS, key))) return;
  const section = event.sectionOf(each.stage), table = event.table(section, event.firstRound(section), each.number);
  const found = sum(pairs.map(([one, other]) => (table.points(one) - table.points(other)) ** 2));
  if (found !== squares) yield `squared score differences are ${found}, stated ${squares}`;
}

/** The input that the site kept: it is the one the round names, fits the rounds before, and gives the cost. @param {EventTold} event @param {Round} each @param {Map<string, number>} met */
function* inputFaults(event, each, met) {
  const given = each.input, numbers = event.numberOf;
  /** @type {any[]} */
  const contenders = given.contenders;
  const players = new Map(contenders.map(player => [player.id, player]));
  for (const player of contenders) {
    const meetings = tally(field(player, "opponents", []));
    for (const [other, times] of meetings) {
      const pair = [numbers.get(player.id) ?? 0, numbers.get(other) ?? 0];
      if (times !== (met.get(keyOf(pair)) ?? 0)) yield `the input says that ${keyOf(pair).replace(" ", " and ")} met ${times} times`;
    }
  }
  if (each.engine === PAIRS && pairsDigest(given) !== each.input_hash) yield "the input is not the one that the round names";
  const ids = new Map([...numbers].map(([entry, number]) => [number, entry]));
  if (each.changes || each.matches.some(match => match.seats.some(number => !ids.has(number)))) return;
  const seated = each.matches.map(match => match.seats.map(number => ids.get(number) ?? 0));
  const tables = seated.filter(table => table.length > 1);
  if (tables.flat().some(player => !players.has(player))) {
    yield "a person plays who is not in the input";
    return;
  }
  const pods = tables.map(table => table.map(player => players.get(player)));
  const alone = seated.flatMap(([player, ...others]) => others.length ? [] : players.get(player) ?? [])
    .filter(player => !field(player, "awarded_bye"));
  if (each.engine === PAIRS) {
    yield* differences(each.cost, pairsCost(given.policy, pods, alone));
    const places = each.matches.map((match, place) => [match.table || 0, ...seated[place]]).sort(byElements);
    if (each.pairing_hash && sha256(ascii(places)) !== each.pairing_hash) yield "the tables are not those that were paired";
  } else if (field(each.cost, "repeats") !== undefined) {
    yield* differences(each.cost, tablesCost(given.policy, pods, alone));
  }
}

/** @param {number[]} one @param {number[]} other */
function byElements(one, other) {
  const place = one.findIndex((each, index) => each !== other[index]);
  return place < 0 ? one.length - other.length : place < other.length ? one[place] - other[place] : 1;
}

/** @param {any} told @param {Record<string, number>} computed */
function* differences(told, computed) {
  for (const [term, value] of Object.entries(computed)) {
    if (field(told, term) !== value) yield `${term} is ${value}, stated ${field(told, term, null)}`;
  }
}

/** @param {any} one @param {any} other @param {any} policy @param {string} rule */
function areMates(one, other, policy, rule) {
  return [["clubs", "club"], ["teams", "team"]].some(([kind, name]) =>
    field(policy, kind) === rule && field(one, name, null) !== null && field(one, name) === field(other, name));
}

/** @param {any} one @param {any} other @param {any} policy */
function isForbidden(one, other, policy) {
  const apart = field(other, "apart", []).includes(one.id) || field(one, "apart", []).includes(other.id);
  return apart || areMates(one, other, policy, "hard");
}

/** @param {any} one @param {any} other */
function meetingsOf(one, other) {
  const times = (/** @type {any} */ mine, /** @type {any} */ theirs) => count(field(mine, "opponents", []), theirs.id);
  return Math.max(times(one, other), times(other, one));
}

/** @param {any[]} list @param {any} value */
const count = (list, value) => list.filter(each => each === value).length;

/** The cost of a round of pairs, term by term as docs/how-it-works/pairing.md defines it. @param {any} policy @param {any[][]} tables @param {any[]} alone */
function pairsCost(policy, tables, alone) {
  const finish = field(policy, "finish", "lot");
  const all = (/** @type {(one: any, other: any) => number | boolean} */ term) => sum(tables.map(([one, other]) => Number(term(one, other))));
  return {
    second_byes: alone.filter(player => field(player, "had_bye")).length,
    forbidden_pairs: all((one, other) => isForbidden(one, other, policy)),
    rematches: all(meetingsOf),
    club_pairs: all((one, other) => areMates(one, other, policy, "soft")),
    bye_score: sum(alone.map(player => player.score)),
    sum_sq_diff: all((one, other) => (one.score - other.score) ** 2),
    finish: all((one, other) => finishTerm(one, other, finish)),
  };
}

/** @param {any} one @param {any} other @param {string} finish */
function finishTerm(one, other, finish) {
  if (finish === "standings") return (field(one, "place", 0) - field(other, "place", 0)) ** 2;
  if (finish !== "fewest_floats" || one.score === other.score) return 0;
  const [lower, upper] = one.score < other.score ? [one, other] : [other, one];
  return field(upper, "downfloats", 0) + field(lower, "upfloats", 0);
}

/** The same for a round at tables of several players. @param {any} policy @param {any[][]} tables @param {any[]} alone */
function tablesCost(policy, tables, alone) {
  const pairs = tables.flatMap(couples), { balance, preferred, primary_targets: targets } = policy;
  const score = (/** @type {any} */ player) => field(player, "score", 0);
  const seated = tables.flatMap(table => table.map((player, seat) => ({ table, player, seat })));
  return {
    second_byes: sum(alone.map(player => field(player, "byes", 0))),
    forbidden_pairs: pairs.filter(([one, other]) => isForbidden(one, other, policy)).length,
    repeats: sum(pairs.map(([one, other]) => meetingsOf(one, other) ** 2)),
    club_pairs: pairs.filter(([one, other]) => areMates(one, other, policy, "soft")).length,
    bye_score: balance ? sum(alone.map(score)) : 0,
    spread: balance ? sum(pairs.map(([one, other]) => (score(one) - score(other)) ** 2)) : 0,
    off_size: sum(seated.map(({ table, player }) => field(player, "off_size", 0) * Math.abs(preferred - table.length))),
    seats: sum(seated.map(({ player, seat }) => field(player, "seats", [])[seat] ?? 0)),
    targets: targets ? sum(seated.map(({ table, player, seat }) => count(field(player, "left", []), table[(seat + 1) % table.length].id) ** 2)) : 0,
  };
}

const USUAL = {
  id: null, score: null, opponents: [], had_bye: false, club: null, team: null, apart: [], place: 0, downfloats: 0,
  upfloats: 0, firsts: 0, seconds: 0, last_seat: 0, fixed_table: null, awarded_bye: false,
};

/** SHA-256 of an input of pairs: rules as JSON, then each value of all players as one column. @param {any} given */
function pairsDigest(given) {
  const players = [...given.contenders].sort((one, other) => one.id - other.id);
  const told = [ascii([given.policy, given.seed, given.locked, players.length])];
  for (const [name, usual] of Object.entries(USUAL)) {
    let column = players.map(player => field(player, name, usual));
    if (Array.isArray(usual)) {
      told.push(packed(column.map(each => each.length)));
      column = column.flatMap(each => [...each].sort((one, other) => one - other));
    }
    told.push(packed(column));
  }
  return sha256(joined(told));
}

/** @param {any[]} column */
function packed(column) {
  if (column.every(each => ["number", "bigint", "boolean"].includes(typeof each))) {
    const data = new DataView(new ArrayBuffer(8 * column.length));
    column.forEach((each, place) => data.setBigInt64(8 * place, BigInt(each), true));
    return joined([encoder.encode("int64"), new Uint8Array(data.buffer)]);
  }
  return joined([encoder.encode("json"), ascii(column), encoder.encode(";")]);
}

/** @param {Uint8Array[]} pieces */
function joined(pieces) {
  const found = new Uint8Array(sum(pieces.map(each => each.length)));
  let at = 0;
  for (const each of pieces) {
    found.set(each, at);
    at += each.length;
  }
  return found;
}

// The log beside the rounds, and decks.

/** @param {EventTold} event @param {Log} log */
function* logLines(event, log) {
  if (!log.head) {
    yield line("open", "log", "it comes with the file once the event is over");
    return;
  }
  const hidden = log.acts.filter(act => !isTold(act)).length;
  const shown = `${log.acts.length} acts${hidden ? `, ${hidden} of them by their hash alone` : ""}`;
  yield checked("log", log.faults(), `${shown}; head ${log.head.hash}`);
  const matches = new Map(event.rounds.flatMap(each => each.matches).map(match => [match.id, match]));
  yield checked("results in the log", loggedFaults(log, matches, event.whole), "no result without its act");
  if (event.whole) {
    yield checked("contents", log.rowFaults(), "reports, matches and penalties are as they were stored");
    yield checked("results", rowFaults(log, matches), "each result is the one that the log holds");
  }
}

/** @param {any} act */
const isTold = act => Object.hasOwn(act, "act");

/** Results that an act of the log names are in the rounds; a result of two players comes with an act. @param {Log} log @param {Map<number, Match>} matches @param {boolean} whole */
function* loggedFaults(log, matches, whole) {
  const told = log.acts.filter(isTold), results = told.filter(act => act.act.startsWith("result."));
  const named = new Set(results.map(act => field(act.subjects, "report", null)));
  const complete = told.every(act => act.contents !== null), known = new Set(/** @type {(number | null)[]} */ ([null]));
  for (const { id, kind, report } of matches.values()) {
    known.add(report ? report.id : null);
    if (complete && report && kind === "played" && report.kind === "played" && !named.has(report.id)) {
      yield `match ${id}: its result stands in no act`;
    }
  }
  if (whole) return;
  for (const number of [...named].filter(each => !known.has(each)).sort((one, other) => one - other)) {
    yield `the log has report ${number}, the rounds have not`;
  }
}

/** @param {Log} log @param {Map<number, Match>} matches */
function* rowFaults(log, matches) {
  for (const [key, { report }] of matches) {
    const row = log.rows.get(`match:${key}`), held = report && log.rows.get(`report:${report.id}`);
    if (row && row[3] !== (report && report.id)) yield `match ${key}: another report counts in the log`;
    if (!held) continue;
    const results = report.seats.map(each => [each.outcome, each.games_won, each.placing, each.score]);
    const told = [report.kind, report.games_drawn, report.games_lost, report.games, results];
    const logged = [...held.slice(3, 7), held[13].map((/** @type {any[]} */ each) => each.slice(1))];
    if (json(logged) !== json(told)) yield `match ${key}: the result is not the one of the log`;
  }
}

/** @param {EventTold} event @param {Log} log */
function* deckLines(event, log) {
  if (!event.decks.length) return;
  const shown = event.decks.filter(deck => Object.hasOwn(deck, "cards"));
  yield checked("decks", deckFaults(shown), `${shown.length} of ${event.decks.length} lists are shown and as committed`);
  const acts = log.acts.filter(act => ["deck.registered", "deck.replaced"].includes(field(act, "act")));
  yield checked("decks in the log", lateFaults(event.decks, acts));
  if (shown.length < event.decks.length) yield line("open", "decks not shown yet", `./run manage verify_decks ${event.facts.slug}`);
}

/** @param {any[]} decks @param {any[]} acts */
function* lateFaults(decks, acts) {
  const member = (/** @type {any} */ told) => field(told, "member", 1);
  const whose = (/** @type {any} */ told) => json([told.entry, member(told)]);
  const ofTeams = (/** @type {any[]} */ all) => new Set(all.filter(told => member(told) !== 1).map(told => told.entry));
  const teams = ofTeams(decks), toldApart = ofTeams(acts.map(act => act.subjects));
  const logged = new Map(acts.map(act => [whose(act.subjects), field(act.subjects, "commitment", null)]));
  const seen = new Set();
  for (const deck of decks) {
    const { entry, commitment } = deck, key = whose(deck);
    // logs once named the entry alone: which of a team's decks they mean is then not said
    const found = logged.has(key) ? logged.get(key) : toldApart.has(entry) ? null : commitment;
    if (seen.has(key) || ((toldApart.has(entry) || !teams.has(entry)) && found !== commitment)) {
      yield `entry ${entry}: another commitment`;
    }
    seen.add(key);
  }
}

/** @param {any[]} decks */
function* deckFaults(decks) {
  for (const { entry, commitment, salt, cards } of decks) {
    // in the order of code points, as the program sorts: UTF-8 keeps it, UTF-16 does not
    const lines = cards.map((/** @type {any[]} */ [section, number, name]) => `${section} ${number} ${name}`)
      .map((/** @type {string} */ text) => ({ text, order: hex(encoder.encode(text)) }))
      .sort((/** @type {any} */ one, /** @type {any} */ other) => one.order < other.order ? -1 : 1);
    const text = [salt, ...lines.map((/** @type {any} */ each) => each.text)].map(each => `${each}\n`).join("");
    if (commitment && sha256(encoder.encode(text)) !== commitment) {
      yield `entry ${entry}: the list is not the one that was registered`;
    }
  }
}

/** Check the bytes of an event file, line by line; `key` is the site's in hexadecimal, or "" to compare it yourself. @param {Uint8Array} bytes @param {string} key @returns {AsyncGenerator<Line>} */
export async function* verify(bytes, key = "") {
  try {
    const { manifest, parts } = yield* read(bytes, key);
    const event = new EventTold(manifest, parts), log = new Log(parts);
    yield* logLines(event, log);
    yield* deckLines(event, log);
    yield* roundLines(event);
    yield* standingsLines(event);
  } catch (error) {
    const why = error instanceof Unreadable ? error.message : `its parts do not fit together: ${error}`;
    yield line("wrong", "file", why);
  }
}
