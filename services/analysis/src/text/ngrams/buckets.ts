/**
 * Bits of a bucket number: so many that n-grams of one model hardly ever collide; models keep only the rows they use.
 */
const BUCKET_BITS = 24;
export const BUCKETS = 2 ** BUCKET_BITS;

/**
 * Set only in the buckets of word triples, so that training can exclude triples from models that do not benefit from
 * them.
 */
export const TRIPLE_BIT = 2 ** (BUCKET_BITS - 1);

/**
 * Buckets of what addresses show follow those of the n-grams and of the dense features, so that no model that was
 * trained without them has a row there.
 */
export const ADDRESS_FIRST = BUCKETS + 2 ** 12;
const ADDRESS_BITS = 16;
/** One past the last bucket. */
export const BUCKETS_END = ADDRESS_FIRST + 2 ** ADDRESS_BITS;

/** Whether a bucket is that of a dense feature. */
export const isDense = (bucket: number): boolean => bucket >= BUCKETS && bucket < ADDRESS_FIRST;

/** The bucket of something that an address shows. */
export const addressBucketOf = (name: string): number =>
  ADDRESS_FIRST + (bucketOf(stepAll(seed(ADDRESS_KIND), name)) & (2 ** ADDRESS_BITS - 1));

const ADDRESS_KIND = 6;

const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;

/** Initial value of a hash; `kind` separates equal spellings of different kinds of n-grams. */
export const seed = (kind: number): number => Math.imul(FNV_OFFSET ^ kind, FNV_PRIME);

/**
 * Adds one UTF-16 code unit to a hash (FNV-1a). Code units rather than code points, so that any string can be hashed.
 */
export const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME);

/** Adds a whole string to a hash. */
export const stepAll = (hash: number, text: string): number => {
  let state = hash;
  for (let i = 0; i < text.length; i++) state = step(state, text.charCodeAt(i));
  return state;
};

/**
 * The bucket of a finished hash, without the triple bit. FNV distributes short inputs badly, so murmur's finaliser
 * mixes first.
 */
export const bucketOf = (hash: number): number => {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  return mixed >>> (33 - BUCKET_BITS);
};

/** Encodes ascending numbers as their differences, seven bits per byte. */
export const encodeGaps = (ascending: Uint32Array): Buffer => {
  const bytes: number[] = [];
  let previous = 0;
  for (const value of ascending) {
    let gap = value - previous;
    for (; gap > 0x7f; gap >>>= 7) bytes.push((gap & 0x7f) | 0x80);
    bytes.push(gap);
    previous = value;
  }
  return Buffer.from(bytes);
};

/** Decodes `count` numbers written by `encodeGaps`. */
export const decodeGaps = (bytes: Buffer, count: number): Uint32Array => {
  const values = new Uint32Array(count);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < count; i++) {
    let gap = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      gap |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    previous += gap;
    values[i] = previous;
  }
  return values;
};
