import { text } from './senders.messages.ts'

export interface ServerPlace {
  host: string
  port: number
}

export interface PlainFailure {
  sentence: string
  /** The words of the system or the server, if `sentence` replaces them. */
  details: string | null
}

type Sentence = keyof typeof text.failures

const causes: readonly (readonly [RegExp, Sentence])[] = [
  [/\bECONNREFUSED\b/, 'refused'],
  [/\bETIMEDOUT\b|was not made in time|did not answer in time|timed? ?out/i, 'silent'],
  [/\bE(?:HOSTUNREACH|NETUNREACH|NETDOWN|ADDRNOTAVAIL)\b/, 'unreachable'],
  [/\bENOTFOUND\b|\bEAI_AGAIN\b|could not be resolved|has no address/, 'unknown'],
  [/wrong version number|\bEPROTO\b|packet length too long/i, 'noTls'],
  [/certificate has expired|CERT_HAS_EXPIRED/i, 'expired'],
  [/does not match certificate|altnames/i, 'otherName'],
  [/self[- ]signed|unable to (?:verify|get)|UNABLE_TO_/i, 'untrusted'],
  [/\bECONNRESET\b|\bEPIPE\b|socket hang up|disconnected before secure/i, 'closed'],
]

/** A failure to connect in plain words. Other messages, such as those of the mail server, are kept. */
export function plainFailure(message: string, place: ServerPlace | null): PlainFailure {
  const cause = place === null ? undefined : causes.find(([pattern]) => pattern.test(message))
  if (place === null || cause === undefined) return { sentence: message, details: null }
  return { sentence: text.failures[cause[1]](place.host, String(place.port)), details: message }
}

interface Servers {
  smtp: ServerPlace | null
  imap: ServerPlace | null
}

/** The stored error of an account, which begins with the protocol of the server that it is about. */
export function plainStoredError(error: string, { smtp, imap }: Servers): PlainFailure {
  const [, protocol, message] = /^(SMTP|IMAP): (.*)$/s.exec(error) ?? []
  const place = protocol === 'IMAP' ? imap : smtp
  const { sentence, details } = plainFailure(message ?? error, place)
  return details === null ? { sentence: error, details: null } : { sentence, details: error }
}
