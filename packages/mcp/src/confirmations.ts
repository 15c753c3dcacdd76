import { createHash } from 'node:crypto'
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { visible } from './clean-text.ts'

/** The time that a person has to answer. */
const answerSeconds = 600
const key = 'confirm'
const answerSchema = z.object({ confirm: z.boolean().describe('Yes, send it.') })

/** The content that a person consented to, by its hash. A consent is used only once. */
interface Consent {
  hash: string
  nonce: string
}

export interface Confirmations {
  codec: RequestStateCodec<Consent>
  /** Reads a person's answer: the consent, `declined`, or null if there is no answer yet. */
  read(context: ServerContext, content: unknown): Confirmed | 'declined' | null
  /** Asks the person, in a message that shows everything that matters. */
  ask(
    context: ServerContext,
    question: { content: unknown; message: string; nonce: string },
  ): Promise<InputRequiredResult>
}

export interface Confirmed {
  /** The same consent always has the same key, so a repetition is the same request. */
  idempotencyKey: string
}

/**
 * A consent is valid for the content that was shown, for ten minutes, for the key that asked, and only once. If the content has changed,
 * the person is asked again. `secret` is 32 bytes that all nodes share. `principal` identifies the caller.
 */
export function createConfirmations(secret: Uint8Array, principal: string): Confirmations {
  const codec = createRequestStateCodec<Consent>({ key: secret, ttlSeconds: answerSeconds, bind: () => principal })
  return {
    codec,
    read(context, content) {
      const { inputResponses, requestState } = context.mcpReq
      const consent = requestState<Consent>()
      if (inputResponses?.[key] === undefined || consent === undefined) return null
      const answer = acceptedContent(inputResponses, key, answerSchema)
      if (answer?.confirm !== true) return 'declined'
      return consent.hash === hashContent(content) ? { idempotencyKey: `mcp-${consent.nonce}` } : null
    },
    async ask(context, { content, message, nonce }) {
      return inputRequired({
        inputRequests: { [key]: inputRequired.elicit({ message: visible(message), requestedSchema: answerSchema }) },
        requestState: await codec.mint({ hash: hashContent(content), nonce }, context),
      })
    },
  }
}

function hashContent(content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(content)))
    .digest('hex')
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, child]) => [name, ordered(child)]))
}
