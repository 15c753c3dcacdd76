/** One recipient of a delivery report (RFC 3464, section 2.3), as written. */
export interface ReportedRecipient {
  finalRecipient: string | null
  originalRecipient: string | null
  action: string | null
  status: string | null
  diagnostic: string | null
}

const recipientLimit = 500

/** Reads the fields of a `message/delivery-status` part, or of a text that carries the same fields. */
export function readDeliveryStatus(text: string): ReportedRecipient[] {
  const found: ReportedRecipient[] = []
  let current = blank()
  const keep = () => {
    if (current.finalRecipient !== null || current.originalRecipient !== null || current.action !== null)
      found.push(current)
    current = blank()
  }
  for (const { name, value } of readFields(text)) {
    if (name === '') {
      keep()
      if (found.length >= recipientLimit) return found
      continue
    }
    const field = fieldNames[name]
    if (field === undefined || value === '') continue
    // Some reports put all recipients into one block. A recipient field that occurs again begins the next recipient.
    if (current[field] !== null && (field === 'finalRecipient' || field === 'originalRecipient')) keep()
    current[field] ??= value
  }
  keep()
  return found
}

/** `rfc822;<a@b.test>`, `a@b.test (expanded from …)`, `system;<>` → the address, or null. */
export function addressOfField(value: string | null): string | null {
  if (value === null) return null
  const address =
    /(?:^|;)\s{0,20}<?(?:rfc822;)?\s{0,20}("[^"\n]{1,64}"@[^\s<>;,]{1,255}|[^\s<>;,"]{1,200}@[^\s<>;,"]{1,255})/i.exec(
      value,
    )?.[1]
  return address === undefined ? null : address.replace(/[.>)\]]+$/, '')
}

const fieldNames: Record<string, keyof ReportedRecipient> = {
  'final-recipient': 'finalRecipient',
  'original-recipient': 'originalRecipient',
  'x-actual-recipient': 'originalRecipient',
  action: 'action',
  status: 'status',
  'diagnostic-code': 'diagnostic',
}

function blank(): ReportedRecipient {
  return { finalRecipient: null, originalRecipient: null, action: null, status: null, diagnostic: null }
}

// Continuation lines begin with a space. Real servers forget it in long diagnostics, so a line without a field name is a
// continuation too.
function* readFields(text: string): Generator<{ name: string; value: string }> {
  let open: { name: string; value: string } | null = null
  for (const line of text.split('\n', 20_000)) {
    const field = /^([A-Za-z][\w-]{1,60}):\s?(.*)$/.exec(line)
    if (line.trim() === '') {
      if (open !== null) yield open
      open = null
      yield { name: '', value: '' }
    } else if (field !== null && !(open?.name === 'diagnostic-code' && /^https?$/i.test(field[1]!))) {
      if (open !== null) yield open
      open = { name: field[1]!.toLowerCase(), value: field[2]!.trim() }
    } else if (open !== null && open.value.length < 8_000) {
      open.value += ` ${line.trim()}`
    }
  }
  if (open !== null) yield open
}
