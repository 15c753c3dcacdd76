import { createHash, timingSafeEqual } from 'node:crypto'
import { hash, verify, type Options } from '@node-rs/argon2'
import { AppError, invalid } from '@overture/contract/errors.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { SignInConfig } from '../platform/sign-in-config.ts'

const kibibytesPerMebibyte = 1024
const passes = 2
/** Each takes its memory: more at the same time wait, and more than these are refused. */
const atOnceMax = 2
const waitingMax = 100
/** Of guesses, in powers of ten: what is found among that many tries is a common password. */
const guessesLog10Min = 8
const checkedLengthMax = 64
const saltBytes = 16
const ourWords = ['overture', 'campaign', 'outreach']

export interface Passwords {
  /** `salt` is that of the person's address, from `passwordSaltOf`. */
  hash(password: string, salt: Uint8Array): Promise<string>
  /** Without a hash it takes as long as with one, and is false. */
  isRight(hash: string | null, password: string): Promise<boolean>
  /**
   * The place of the first hash that this password made, or null. The hashes of one address have one salt, so one
   * computation answers for all of them, and for none. A hash with another salt or other parameters is computed apart.
   */
  placeOfRight(hashes: readonly (string | null)[], password: string, salt: Uint8Array): Promise<number | null>
  /** Throws for one that is easily guessed, naming the field; `words`: what whoever knows the person tries first. */
  refuseCommon(password: string, asked: { field: string; words: readonly string[] }): Promise<void>
}

/** The salt of an address: the same in every account, and unknown without the encryption key. */
export function passwordSaltOf(secrets: Pick<Secrets, 'addressHash'>, email: string): Uint8Array {
  return createHash('sha256').update('password salt').update(secrets.addressHash(email)).digest().subarray(0, saltBytes)
}

const byConfig = new WeakMap<object, Passwords>()

/** One per server: all who check passwords wait in one line. */
export function passwordsOf(config: Pick<SignInConfig, 'passwordMebibytes'>): Passwords {
  const known = byConfig.get(config) ?? createPasswords(config)
  byConfig.set(config, known)
  return known
}

/** The two functions of the library. */
interface Argon2 {
  hash(password: string, options?: Options | null): Promise<string>
  verify(hashed: string, password: string): Promise<boolean>
}

/** Argon2id, which is the library's default, a few at a time. */
export function createPasswords(
  { passwordMebibytes }: Pick<SignInConfig, 'passwordMebibytes'>,
  argon2: Argon2 = { hash, verify },
): Passwords {
  const options: Options = {
    memoryCost: passwordMebibytes * kibibytesPerMebibyte,
    timeCost: passes,
    parallelism: 1,
  }
  const inTurn = createTurns()
  let nobodys: Promise<string> | null = null
  return {
    hash: (password, salt) => inTurn(() => argon2.hash(password, { ...options, salt })),
    async isRight(stored, password) {
      // Made for the first of all, known or not, so that later ones differ in nothing.
      nobodys ??= argon2.hash('nobody has this password', options)
      const fallback = await nobodys
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

/** All of an encoded hash before its last part: the parameters and the salt. */
function saltedStart(encoded: string): string {
  return encoded.slice(0, encoded.lastIndexOf('$'))
}

function createTurns() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax)
        throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many people are signing in at this moment. Try again.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
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
    message: 'This password is easily guessed. Use a few words that do not belong together.',
  })
}

// Its word lists take 30 ms to read, which no start has to wait for.
async function loadEstimator(): Promise<Estimator> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return (password, words) => factory.check(password, [...words]).guessesLog10
}
