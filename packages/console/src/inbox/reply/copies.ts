import { replyLimits } from '@overture/contract/delivery/reply-limits.ts'

const address = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/

export type Copies = { cc: string[] } | { wrong: string } | { tooMany: number }

/** Reads the addresses that a user typed into Cc, also as mail programs write them: `Grace Hopper <grace@example.com>`. */
export function readCopies(typed: string): Copies {
  const parts = typed
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const found = parts.map((part) => /<([^<>]+)>$/.exec(part)?.[1]?.trim() ?? part)
  const wrong = found.findIndex((one) => !address.test(one))
  if (wrong !== -1) return { wrong: parts[wrong]! }
  const cc = [...new Set(found)]
  return cc.length > replyLimits.copies ? { tooMany: replyLimits.copies } : { cc }
}
