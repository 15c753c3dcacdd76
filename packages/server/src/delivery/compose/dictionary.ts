import { createHash } from 'node:crypto'
import { withoutSoftBreaks } from '../../ground/text/soft-breaks.ts'
import { unrendered } from '../../templates/render.ts'
import { bytesOf, composeCampaignMessage, renderInputOf, type ComposeInput } from './compose.ts'

/** What messages of one text have in common: each is stored as what it adds to that. */
export interface Dictionary {
  /** Drawn from the campaign, the month and the bytes: the same for the same. */
  id: Buffer
  campaignId: string
  bytes: Buffer
}

/** Of what is longer, the rest is packed by itself: zlib looks 32 KiB back at most. */
const bytesMax = 16 * 1024
// Enough, for the bytes hold the signature of a link that nobody was sent: who writes texts can't look for two with one id.
const idBytes = 8

// Of nobody: what is packed with it may be read by whoever reads any message of the text.
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

/** Of the texts of one batch, each made once. */
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
 * What messages of one text have in common: the message that it would be without anybody's words in it. The template
 * stands there as it was written, so that it holds nothing of a lead, and nothing is rendered for it. One a month, so that
 * it can go when the messages of its month have gone (`old-contents.sql.ts`), and of one campaign, with which it goes.
 */
export function dictionaryOf(compose: ComposeInput, template: ComposeInput['template'], at: Date): Dictionary {
  const input: ComposeInput = {
    ...compose,
    // What lies behind would be composed, while others wait, and be cut off.
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
