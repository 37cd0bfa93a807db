/** Buckets of the n-gram space. So many that two n-grams of one model hardly ever meet; models keep only the rows they use. */
export const BUCKET_BITS = 24;
export const BUCKETS = 2 ** BUCKET_BITS;

/**
 * Set in the buckets of word triples and in no other, so that training can leave triples out of models they do not help.
 */
export const TRIPLE_BIT = 2 ** (BUCKET_BITS - 1);

const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;

/** Start of a hash; `kind` keeps equal spellings of different kinds of n-grams apart. */
export const seed = (kind: number): number => Math.imul(FNV_OFFSET ^ kind, FNV_PRIME);

/** Takes one UTF-16 code unit into a hash (FNV-1a). Code units, not code points, so that any string can be hashed. */
export const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME);

/** Takes a whole string into a hash. */
export const stepAll = (hash: number, text: string): number => {
  let state = hash;
  for (let i = 0; i < text.length; i++) state = step(state, text.charCodeAt(i));
  return state;
};

/** The bucket of a finished hash, without the triple bit. FNV leaves short inputs badly spread, so murmur's finaliser mixes first. */
export const bucketOf = (hash: number): number => {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  return mixed >>> (33 - BUCKET_BITS);
};
