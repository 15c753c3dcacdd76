import type { Socket } from 'node:net'
import { ImapLogin, type LoginContext } from './imap-login.ts'
import {
  type DoubleMessage,
  fetchItem,
  hasHeaders,
  matchesGmailSearch,
  parseList,
  sequenceHas,
  tokenize,
} from './imap-syntax.ts'

export interface DoubleMailbox {
  path: string
  use: string | undefined
  uidValidity: number
  uidNext: number
  messages: DoubleMessage[]
}

export interface ConversationContext extends LoginContext {
  mailboxes: Map<string, Map<string, DoubleMailbox>>
  commands: string[]
  repeatUids: boolean
  staleStatus: boolean
  takeFault(command: string): 'before' | 'after' | 'stall' | null
  changed(mailbox: DoubleMailbox): void
}

/** One client connection of the IMAP double. It supports the part of RFC 3501 that a reading client uses. */
export class ImapConversation {
  readonly #socket: Socket
  readonly #context: ConversationContext
  readonly #login: ImapLogin
  #input = Buffer.alloc(0)
  #selected: DoubleMailbox | null = null
  /** UIDs that were announced to the client. A sequence number is a position in this list. */
  #known: number[] = []
  #idleTag: string | null = null
  #continue: ((line: string) => void) | null = null
  #stalled = false

  constructor(socket: Socket, context: ConversationContext) {
    this.#socket = socket
    this.#context = context
    this.#login = new ImapLogin(context, {
      send: (line) => this.#send(line),
      ask: (line, use) => {
        this.#send(line)
        this.#continue = use
      },
    })
    socket.on('data', (chunk: Buffer) => {
      this.#input = Buffer.concat([this.#input, chunk])
      this.#read()
    })
    this.#send(context.words.greeting)
  }

  get idle(): boolean {
    return this.#idleTag !== null
  }

  /** Announces new mail if the client idles in this mailbox. */
  tell(mailbox: DoubleMailbox): void {
    if (this.#idleTag !== null && this.#selected === mailbox) this.#announce()
  }

  #announce(): void {
    const mailbox = this.#selected
    if (mailbox === null || mailbox.messages.length === this.#known.length) return
    this.#known = mailbox.messages.map((message) => message.uid)
    this.#send(`* ${this.#known.length} EXISTS`)
  }

  #read(): void {
    while (!this.#stalled) {
      const end = this.#input.indexOf('\r\n')
      if (end < 0) return
      const line = this.#input.subarray(0, end).toString('latin1')
      const literal = /\{(\d+)\+?\}$/.exec(line)
      if (literal !== null && this.#continue === null && this.#idleTag === null) {
        const size = Number(literal[1])
        // The client waits for a continuation response before it sends the literal. It is sent once, when no byte of the literal has
        // arrived.
        if (this.#input.length < end + 2 + size + 2) {
          if (this.#input.length === end + 2 && !line.endsWith('+}')) this.#send('+ go ahead')
          return
        }
        const bytes = this.#input.subarray(end + 2, end + 2 + size)
        this.#input = this.#input.subarray(end + 2 + size + 2)
        this.#command(line, Buffer.from(bytes))
        continue
      }
      this.#input = this.#input.subarray(end + 2)
      this.#command(line, null)
    }
  }

  #command(line: string, literal: Buffer | null): void {
    if (this.#continue !== null) {
      const next = this.#continue
      this.#continue = null
      return next(line)
    }
    if (this.#idleTag !== null) {
      const tag = this.#idleTag
      this.#idleTag = null
      return this.#send(`${tag} OK idle done`)
    }
    const [tag = '*', ...rest] = line.split(' ')
    const uid = rest[0]?.toUpperCase() === 'UID'
    const name = (uid ? `UID ${rest[1] ?? ''}` : (rest[0] ?? '')).toUpperCase()
    this.#context.commands.push(name === 'LOGIN' || name === 'AUTHENTICATE' ? name : rest.join(' '))
    const fault = this.#context.takeFault(name)
    if (fault === 'stall') {
      this.#stalled = true
      return
    }
    if (fault === 'before') return void this.#socket.destroy()
    this.#run(tag, name, { text: rest.slice(uid ? 2 : 1).join(' '), literal })
    if (fault === 'after') this.#socket.end(() => this.#socket.destroy())
  }

  #run(tag: string, name: string, input: { text: string; literal: Buffer | null }): void {
    switch (name) {
      case 'CAPABILITY':
        this.#send(`* CAPABILITY ${this.#context.words.capabilities.join(' ')}`)
        return this.#ok(tag)
      case 'LOGIN':
        return this.#login.login(tag, input.text)
      case 'AUTHENTICATE':
        return this.#login.authenticate(tag, input.text)
      case 'LOGOUT':
        this.#send('* BYE see you')
        this.#ok(tag)
        return void this.#socket.end()
      case 'NOOP':
      case 'CHECK':
        this.#announce()
        return this.#ok(tag)
      case 'ID':
        this.#send('* ID ("name" "double")')
        return this.#ok(tag)
      case 'NAMESPACE':
        this.#send('* NAMESPACE (("" "/")) NIL NIL')
        return this.#ok(tag)
      default:
        if (this.#login.user === null) return this.#send(`${tag} NO log in first`)
        return this.#runLoggedIn(tag, name, input)
    }
  }

  #runLoggedIn(tag: string, name: string, input: { text: string; literal: Buffer | null }): void {
    const { closed } = this.#context.words
    if (closed !== undefined) return this.#send(`${tag} ${closed}`)
    const own = this.#context.mailboxes.get(this.#login.user ?? '') ?? new Map<string, DoubleMailbox>()
    const [path = ''] = tokenize(input.text)
    const mailbox = own.get(path.toUpperCase() === 'INBOX' ? 'INBOX' : path)
    switch (name) {
      case 'LIST':
      case 'LSUB':
      case 'XLIST':
        if (tokenize(input.text)[1] === '') {
          this.#send(`* ${name} (\\Noselect) "/" ""`)
          return this.#ok(tag)
        }
        for (const folder of own.values()) this.#send(`* ${name} (${folder.use ?? ''}) "/" "${folder.path}"`)
        return this.#ok(tag)
      case 'SELECT':
      case 'EXAMINE':
        if (mailbox === undefined) return this.#send(`${tag} NO [NONEXISTENT] no such folder`)
        return this.#select(tag, mailbox)
      case 'STATUS':
        if (mailbox === undefined) return this.#send(`${tag} NO [NONEXISTENT] no such folder`)
        this.#status(mailbox)
        return this.#ok(tag)
      case 'CREATE':
        if (mailbox !== undefined) return this.#send(`${tag} NO [ALREADYEXISTS] there already`)
        own.set(path, { path, use: undefined, uidValidity: 1, uidNext: 1, messages: [] })
        return this.#ok(tag)
      case 'APPEND':
        if (mailbox === undefined) return this.#send(`${tag} NO [TRYCREATE] no such folder`)
        return this.#append(tag, mailbox, input)
      case 'SUBSCRIBE':
        return this.#ok(tag)
      case 'CLOSE':
      case 'UNSELECT':
        this.#selected = null
        return this.#ok(tag)
      case 'IDLE':
        this.#idleTag = tag
        this.#send('+ idling')
        return this.#announce()
      case 'UID SEARCH':
        if (/\bX-GM-/i.test(input.text) && !this.#context.words.capabilities.includes('X-GM-EXT-1'))
          return this.#send(`${tag} BAD Could not parse command`)
        this.#send(
          `* SEARCH ${this.#search(input.text)
            .flatMap((uid) => (this.#context.repeatUids ? [uid, uid] : [uid]))
            .join(' ')}`.trimEnd(),
        )
        return this.#ok(tag)
      case 'UID FETCH':
        return this.#fetch(tag, input.text)
      default:
        this.#send(`${tag} BAD not known here`)
    }
  }

  #select(tag: string, mailbox: DoubleMailbox): void {
    this.#selected = mailbox
    this.#known = mailbox.messages.map((message) => message.uid)
    this.#send('* FLAGS (\\Seen \\Answered \\Deleted)')
    this.#send(`* ${this.#known.length} EXISTS`)
    this.#send('* 0 RECENT')
    this.#send(`* OK [UIDVALIDITY ${mailbox.uidValidity}] valid`)
    this.#send(`* OK [UIDNEXT ${mailbox.uidNext}] next`)
    this.#send(`${tag} OK [READ-WRITE] selected`)
  }

  #status({ path, messages, uidNext, uidValidity }: DoubleMailbox): void {
    const [count, next] = this.#context.staleStatus ? [0, 1] : [messages.length, uidNext]
    this.#send(`* STATUS "${path}" (MESSAGES ${count} UIDNEXT ${next} UIDVALIDITY ${uidValidity})`)
  }

  #append(tag: string, mailbox: DoubleMailbox, input: { text: string; literal: Buffer | null }): void {
    const flags = /\(([^)]*)\)/.exec(input.text)?.[1]?.split(' ').filter(Boolean) ?? []
    const uid = mailbox.uidNext++
    mailbox.messages.push({ uid, raw: input.literal ?? Buffer.alloc(0), flags, internalDate: new Date() })
    this.#send(`${tag} OK [APPENDUID ${mailbox.uidValidity} ${uid}] stored`)
    this.#context.changed(mailbox)
  }

  #search(text: string): number[] {
    const messages = this.#selected?.messages ?? []
    const last = messages.at(-1)?.uid ?? 0
    const range = /\bUID (\S+)/i.exec(text)?.[1]
    const since = /\bSINCE "?(\d{1,2}-\w{3}-\d{4})"?/i.exec(text)?.[1]
    return messages
      .filter((message) => range === undefined || sequenceHas(range, message.uid, last))
      .filter((message) => since === undefined || message.internalDate >= new Date(`${since} 00:00 UTC`))
      .filter((message) => hasHeaders(text, message.raw))
      .filter((message) => matchesGmailSearch(text, message))
      .map((message) => message.uid)
  }

  #fetch(tag: string, text: string): void {
    const [range = '', ...rest] = text.split(' ')
    const wanted = parseList(rest.join(' '))
    const messages = this.#selected?.messages ?? []
    const last = messages.at(-1)?.uid ?? 0
    for (const message of messages) {
      if (!sequenceHas(range, message.uid, last)) continue
      const parts: Buffer[] = [Buffer.from(`* ${messages.indexOf(message) + 1} FETCH (UID ${message.uid}`)]
      for (const item of wanted) parts.push(fetchItem(item, message))
      this.#socket.write(Buffer.concat([...parts, Buffer.from(')\r\n')]))
    }
    this.#ok(tag)
  }

  #ok(tag: string): void {
    this.#send(`${tag} OK done`)
  }

  #send(line: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${line}\r\n`)
  }
}
