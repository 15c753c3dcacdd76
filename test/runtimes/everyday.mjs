/**
 * Uses the client like a typical program and returns plain data, which must be the same under every runtime. The modules of the
 * package, as the runtime loads them, are in `published`. Runtimes that can't send a stream as a body set `streams` to false.
 */
export async function everyday({ published, url, key, streams = true, inPage = false }) {
  const { sdk, webhooks, testing } = published
  const options = { apiKey: key, baseUrl: url, ...(inPage && { dangerouslyAllowBrowser: true }) }
  const overture = new sdk.Overture(options)
  return {
    account: await account(sdk, overture),
    errors: await errors(sdk, options),
    campaign: await campaign(overture, testing),
    leads: await leads(overture, streams),
    texts: await texts(overture),
    deliveries: await deliveries(webhooks),
  }
}

async function account(sdk, overture) {
  const { data, requestId, rateLimit, version, status } = await overture.account.get().withMeta()
  const raw = await overture.account.get().raw()
  return {
    environment: data.environment,
    requestId: requestId.startsWith('req_'),
    limited: rateLimit.limit > 0,
    sameVersion: version === sdk.version,
    status,
    rawIsSame: (await raw.json()).id === data.id,
  }
}

async function errors({ ApiError, ConnectionError, Overture, OvertureError, TimeoutError }, options) {
  const caught = async (call) => {
    try {
      await call()
      return null
    } catch (error) {
      return error
    }
  }
  const overture = new Overture(options)
  const body = { name: 'x', steps: [{ variants: [{ weight: -1 }] }] }
  const refused = await caught(() => overture.campaigns.create(body))
  const unreachable = new Overture({ ...options, baseUrl: 'http://127.0.0.1:1', retries: 0 })
  const silent = (_url, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  let tries = 0
  const shaky = (address, init) => (tries++ === 0 ? Promise.reject(new TypeError('cut off')) : fetch(address, init))
  const { name } = await new Overture({ ...options, fetch: shaky }).campaigns.create({ name: 'At the second try' })
  const leaving = new AbortController()
  const reason = new Error('never mind')
  setTimeout(() => leaving.abort(reason), 10)
  const left = await caught(() => new Overture({ ...options, fetch: silent }).account.get({ signal: leaving.signal }))
  return {
    refused: [ApiError.is(refused, 'VALIDATION_ERROR'), refused.status, refused.details.issues[0].path],
    words: refused.message.includes('steps[0].variants[0].weight') && refused.message.includes(refused.requestId),
    connection: ConnectionError.is(await caught(() => unreachable.account.get())),
    timeout: TimeoutError.is(
      await caught(() => new Overture({ ...options, fetch: silent, retries: 0, timeoutMs: 20 }).account.get()),
    ),
    left: left === reason,
    again: [name, tries],
    settings: (await caught(async () => new Overture({ ...options, apiKey: 'sk_live_1' }))) instanceof OvertureError,
  }
}

async function campaign(overture, { inbox, prospect, testClock }) {
  const clock = testClock(overture)
  await clock.freeze()
  const newest = (await overture.events.list({ order: 'desc', limit: 1 })).results[0]
  const sender = await overture.sendingAccounts.create({
    email: `sender${Math.random().toString(36).slice(2)}@example.com`,
    fromName: 'Sender',
    provider: 'sandbox',
  })
  const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const { id, leadResults } = await overture.campaigns.launch({
    name: 'Everyday',
    steps: [{ variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] }],
    schedule: { windows: [{ days: everyDay, from: '00:00', to: '24:00' }] },
    sendingAccountIds: [sender.id],
    leads: [
      { email: prospect('ada', 'interested'), firstName: 'Ada' },
      { email: prospect('bob'), firstName: 'Bob' },
    ],
  })
  await clock.advance('2d')
  const mailbox = inbox(overture, leadResults.results[1].leadId)
  const subjects = (await mailbox.received()).map(({ subject }) => subject)
  await mailbox.reply('Sounds good.')
  let followed = null
  for await (const event of overture.events.follow({ after: newest?.id, types: ['reply.received'], campaignId: id })) {
    followed = event.type
    break
  }
  // Messages that were due while the clock was frozen may have been sent before the clock was moved. The statistics count both.
  const { sent, replied, uniqueReplied } = await overture.campaigns.stats(id)
  return { sent, replied, subjects, followed, uniqueReplied }
}

async function leads(overture, streams) {
  const { id } = await overture.campaigns.create({ name: 'Rows' })
  const rows = Array.from({ length: 25 }, (_, index) => ({ email: `row${index}@prospects.test`, firstName: 'Žofie' }))
  const { added } = await overture.campaigns.leads.addAll(id, rows)
  const walked = []
  for await (const { email } of overture.campaigns.leads.list(id, { limit: 10 })) walked.push(email)
  const csv = 'email,first name\nada@prospects.test,Ada\nnobody,No\n'
  const body = streams ? new Blob([csv]).stream() : csv
  let { id: importId, status } = await overture.campaigns.leads.import(id, body)
  while (status === 'pending' || status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 50))
    status = (await overture.imports.get(importId)).status
  }
  const found = await overture.campaigns.leads.list(id, { email: 'ada@prospects.test' }).toArray({ max: 5 })
  return { added, walked: new Set(walked).size, status, found: found.map(({ firstName }) => firstName) }
}

async function texts(overture) {
  const asked = { modelId: 'builtin/drafter', prompt: 'Invite them to a demo.', lead: { firstName: 'Ada' } }
  let written = ''
  let result = null
  for await (const part of overture.ai.generateEmail.stream(asked)) {
    if (part.type === 'delta' && part.field === 'body') written += part.text
    if (part.type === 'restart') written = ''
    if (part.type === 'result') result = part.result
  }
  return { streamed: written.length > 0 && written === result.body }
}

async function deliveries({ SignatureError, sign, verify, webhookHandler }) {
  const secret = `whsec_${btoa('a secret of some length, for tests')}`
  const sent = { id: 'evt_1', type: 'reply.received', occurredAt: '', environment: 'test', data: { leadId: 'led_1' } }
  const body = JSON.stringify(sent)
  const headers = await sign(body, { id: sent.id, secret })
  const handled = []
  const handler = webhookHandler({ secret, on: { 'reply.received': ({ data }) => void handled.push(data.leadId) } })
  const post = (text) => handler(new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body: text }))
  const forged = await verify(`${body} `, headers, secret).catch((error) => error)
  return {
    taken: (await post(body)).status,
    refused: (await post(`${body} `)).status,
    handled,
    forged: forged instanceof SignatureError,
  }
}
