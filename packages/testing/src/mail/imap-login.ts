import { tokenize } from './imap-syntax.ts'
import { isAnyToken, isIssued, type IssuedTokens } from './issued-tokens.ts'

export interface ImapWords {
  greeting: string
  capabilities: readonly string[]
  /** The challenge (JSON in Base64) that the server sends before it refuses a token, or null if it refuses at once. */
  tokenChallenge: string | null
  refused: string
  /** The response to each command after a login if IMAP is disabled for the mailbox. */
  closed?: string
}

export interface LoginContext {
  users: Record<string, string>
  tokens: IssuedTokens
  /** Receives the mechanism of each login, LOGIN for the command of that name. */
  mechanisms: string[]
  /** Receives the mechanism if an access token was sent as a password. */
  leaks: string[]
  words: ImapWords
}

/** The connection of a login. */
interface LoginConnection {
  send(line: string): void
  /** Sends a challenge and passes the next line of the client to `use`. */
  ask(line: string, use: (reply: string) => void): void
}

/** The login of one connection of the IMAP double, with the mechanisms of RFC 3501 and the providers' tokens. */
export class ImapLogin {
  readonly #context: LoginContext
  readonly #connection: LoginConnection
  #user: string | null = null

  constructor(context: LoginContext, connection: LoginConnection) {
    this.#context = context
    this.#connection = connection
  }

  /** Null before a successful login. */
  get user(): string | null {
    return this.#user
  }

  login(tag: string, text: string): void {
    const [user = '', password = ''] = tokenize(text)
    this.#checkPassword(tag, { mechanism: 'LOGIN', user, password })
  }

  authenticate(tag: string, text: string): void {
    const [name = '', initial] = text.split(' ')
    const mechanism = name.toUpperCase()
    if (!this.#context.words.capabilities.includes(`AUTH=${mechanism}`))
      return this.#connection.send(`${tag} BAD mechanism not offered`)
    const check = (encoded: string): void => {
      const decoded = Buffer.from(encoded, 'base64').toString()
      if (mechanism !== 'PLAIN') return this.#checkToken(tag, mechanism, decoded)
      const [, user = '', password = ''] = decoded.split('\0')
      this.#checkPassword(tag, { mechanism, user, password })
    }
    if (initial !== undefined) return check(initial)
    this.#connection.ask('+ ', check)
  }

  #checkPassword(tag: string, login: { mechanism: string; user: string; password: string }): void {
    const { mechanism, user, password } = login
    this.#context.mechanisms.push(mechanism)
    if (isAnyToken(this.#context.tokens, password)) this.#context.leaks.push(mechanism)
    this.#decide(tag, user, this.#context.users[user] === password)
  }

  #checkToken(tag: string, mechanism: string, given: string): void {
    const { mechanisms, tokens, words } = this.#context
    mechanisms.push(mechanism)
    const fields = given.split('\u0001')
    const user =
      /^(?:user=(.*)|n,a=(.*),)$/
        .exec(fields[0] ?? '')
        ?.slice(1)
        .find(Boolean) ?? ''
    const token = /^auth=Bearer (.+)$/.exec(fields.find((field) => field.startsWith('auth=')) ?? '')?.[1] ?? ''
    const right = isIssued(tokens, user, token)
    if (right || words.tokenChallenge === null) return this.#decide(tag, user, right)
    this.#connection.ask(`+ ${words.tokenChallenge}`, () => this.#decide(tag, user, false))
  }

  #decide(tag: string, user: string, right: boolean): void {
    const { words } = this.#context
    if (!right) return this.#connection.send(`${tag} ${words.refused}`)
    this.#user = user
    this.#connection.send(`${tag} OK [CAPABILITY ${words.capabilities.join(' ')}] logged in`)
  }
}
