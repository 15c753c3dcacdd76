import { pino } from 'pino'
import { plainMessage } from './error-message.ts'
import type { LogEventName, LogLevel } from './log-events.ts'
import { traceFacts } from './traces/traces.shell.ts'

/** One event: its name and related ids. */
interface LogLine {
  event: LogEventName
  [fact: string]: unknown
}

/** Accepts only event names from the table. */
export type Logger = Record<LogLevel, (line: LogLine, message?: string) => void> & {
  isLevelEnabled(level: LogLevel): boolean
  flush(): void
}

/** One JSON line per event on stderr: an event name and ids, never bodies, addresses or secrets. */
export function createLogger(level: string): Logger {
  return pino({ level, base: undefined, mixin: traceFacts }, pino.destination({ fd: 2, sync: false }))
}

/** The parts of an error to log. Its other fields are left out, because PostgreSQL repeats values of the row in them. */
export function errorFacts(error: Error): { reason: string; stack: string | undefined } {
  const reason = plainMessage(error)
  if (reason === error.message) return { reason, stack: error.stack }
  return { reason, stack: error.stack?.replaceAll(error.message, () => reason) }
}
