import { createHash, timingSafeEqual } from 'node:crypto'
import { hash, verify, type Options } from '@node-rs/argon2'
import { AppError, invalid } from '@overture/contract/errors.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { SignInConfig } from '../platform/sign-in-config.ts'

const kibibytesPerMebibyte = 1024
const passes = 2
/** Each computation needs its own memory. More at the same time wait, and above `waitingMax` they are refused. */
const atOnceMax = 2
const waitingMax = 100
/** The number of guesses, as a power of ten, below which a password is too common. */
const guessesLog10Min = 8
const checkedLengthMax = 64
const saltBytes = 16
const ourWords = ['overture', 'campaign', 'outreach']

export interface Passwords {
  /** `salt` is the result of `derivePasswordSalt` for the person's address. */
  hash(password: string, salt: Uint8Array): Promise<string>
  /** Without a hash the result is false, after the same time as with one. */
  isRight(hash: string | null, password: string): Promise<boolean>
  /**
   * The index of the first hash that was made from this password, or null. Hashes of one address share a salt, so one
   * computation checks all of them, and runs even if there is none. A hash with another salt or other parameters is checked
   * separately.
   */
  placeOfRight(hashes: readonly (string | null)[], password: string, salt: Uint8Array): Promise<number | null>
  /**
   * Throws for a password that is easy to guess, with the name of the field. `words` are guesses that someone who knows the
   * person tries first.
   */
  refuseCommon(password: string, context: { field: string; words: readonly string[] }): Promise<void>
}

/** The salt of an address: the same in every account, and secret without the encryption key. */
export function derivePasswordSalt(secrets: Pick<Secrets, 'addressHash'>, email: string): Uint8Array {
  return createHash('sha256').update('password salt').update(secrets.addressHash(email)).digest().subarray(0, saltBytes)
}

const byConfig = new WeakMap<object, Passwords>()

/** One instance per server, so that all password checks share one queue. */
export function sharedPasswords(config: Pick<SignInConfig, 'passwordMebibytes'>): Passwords {
  const known = byConfig.get(config) ?? createPasswords(config)
  byConfig.set(config, known)
  return known
}

/** The functions of the library that are used. */
interface Argon2 {
  hash(password: string, options?: Options | null): Promise<string>
  verify(hashed: string, password: string): Promise<boolean>
}

/** Argon2id, which is the library's default, with a limit on concurrent computations. */
export function createPasswords(
  { passwordMebibytes }: Pick<SignInConfig, 'passwordMebibytes'>,
  argon2: Argon2 = { hash, verify },
): Passwords {
  const options: Options = {
    memoryCost: passwordMebibytes * kibibytesPerMebibyte,
    timeCost: passes,
    parallelism: 1,
  }
  const inTurn = createQueue()
  let fallbackHash: Promise<string> | null = null
  return {
    hash: (password, salt) => inTurn(() => argon2.hash(password, { ...options, salt })),
    async isRight(stored, password) {
      // Computed at the first call for any address, so that later calls take the same time for known and unknown ones.
      fallbackHash ??= argon2.hash('the password of no user', options)
      const fallback = await fallbackHash
      const isRight = await inTurn(() => argon2.verify(stored ?? fallback, password))
      return stored !== null && isRight
    },
    async placeOfRight(hashes, password, salt) {
      const made = await inTurn(() => argon2.hash(password, { ...options, salt }))
      const place = hashes.findIndex((stored) => stored !== null && isSame(stored, made))
      if (place !== -1) return place
      for (const [at, stored] of hashes.entries()) {
        if (stored === null || saltedStart(stored) === saltedStart(made)) continue
        if (await inTurn(() => argon2.verify(stored, password))) return at
      }
      return null
    },
    refuseCommon,
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The part of an encoded hash before its last field: the parameters and the salt. */
function saltedStart(encoded: string): string {
  return encoded.slice(0, encoded.lastIndexOf('$'))
}

/** Runs a computation when fewer than `atOnceMax` run. */
function createQueue() {
  const computations = new KeyedSemaphore({ permits: () => atOnceMax })
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const release = await computations.tryAcquire('', { waitingMax })
    if (release === null) throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many sign-ins at once. Try again in a moment.')
    try {
      return await run()
    } finally {
      release()
    }
  }
}

type Estimator = (password: string, words: readonly string[]) => number
let estimator: Promise<Estimator> | null = null

async function refuseCommon(
  password: string,
  { field, words }: { field: string; words: readonly string[] },
): Promise<void> {
  estimator ??= loadEstimator()
  const estimate = await estimator
  if (estimate(password.slice(0, checkedLengthMax), [...words, ...ourWords]) >= guessesLog10Min) return
  throw invalid({
    path: field,
    rule: 'common',
    message: 'This password is easy to guess. Use a few unrelated words.',
  })
}

// Loaded late, because its word lists take 30 ms to read and would delay every start.
async function loadEstimator(): Promise<Estimator> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return (password, words) => factory.check(password, [...words]).guessesLog10
}
