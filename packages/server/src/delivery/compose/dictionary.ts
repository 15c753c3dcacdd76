import { createHash } from 'node:crypto'
import { withoutSoftBreaks } from '../../ground/text/soft-breaks.ts'
import { unrendered } from '../../templates/render.ts'
import { bytesOf, composeCampaignMessage, renderInputOf, type ComposeInput } from './compose.ts'

/** The common part of the messages of one text. Each message is stored as its difference from it. */
export interface Dictionary {
  /** A hash of campaign, month and bytes, so that equal dictionaries have the same id. */
  id: Buffer
  campaignId: string
  bytes: Buffer
}

/** The rest of a longer text is packed without a dictionary, since zlib looks 32 KiB back at most. */
const bytesMax = 16 * 1024
// Eight bytes are enough: the content has a signed link that was never sent, so an author can't search for two equal ids.
const idBytes = 8

// An empty lead: every reader of a message of this text can read the dictionary, so it contains no person's data.
const nobody: ComposeInput['lead'] = {
  id: 'led_',
  email: '',
  firstName: null,
  lastName: null,
  jobTitle: null,
  company: null,
  companyDomain: null,
  linkedinUrl: null,
  mobile: null,
  country: null,
  city: null,
  timezone: null,
  customVariables: {},
}
const noSender: ComposeInput['sender'] = {
  email: '',
  fromName: '',
  signature: null,
  replyTo: null,
  trackingDomain: null,
}

/** The dictionaries of the texts of one batch; each is made once. */
export class Dictionaries {
  readonly #at: Date
  readonly #byVariant = new Map<string, Dictionary>()

  constructor(at: Date) {
    this.#at = at
  }

  of(compose: ComposeInput, variant: ComposeInput['template'] & { id: string }): Dictionary {
    const known = this.#byVariant.get(variant.id)
    if (known !== undefined) return known
    const dictionary = dictionaryOf(compose, variant, this.#at)
    this.#byVariant.set(variant.id, dictionary)
    return dictionary
  }
}

/**
 * Makes the dictionary of a text: the message as it would be for an empty lead. It contains the template as it was written,
 * so it has no data of a lead and needs no rendering. There is one per campaign and month: it is deleted with the campaign,
 * or after the messages of its month (`old-contents.sql.ts`).
 */
export function dictionaryOf(compose: ComposeInput, template: ComposeInput['template'], at: Date): Dictionary {
  const input: ComposeInput = {
    ...compose,
    // Composing the rest would cost time, and the result would be cut off.
    template: { subject: template.subject, body: template.body.slice(0, bytesMax) },
    messageId: '',
    now: new Date(0),
    lead: nobody,
    sender: noSender,
    thread: null,
    meetingUrl: null,
    sealAddress: () => '',
  }
  const content = renderInputOf(input)
  const { mime } = composeCampaignMessage(input, content.unsubscribeUrl, unrendered(content))
  const message = bytesOf(mime)
  const bytes = (withoutSoftBreaks(message) ?? message).subarray(0, bytesMax)
  const month = at.toISOString().slice(0, 7)
  const digest = createHash('sha256').update(month).update(compose.campaignId).update(bytes).digest()
  return { id: digest.subarray(0, idBytes), campaignId: compose.campaignId, bytes }
}
