import { strict as assert } from 'node:assert'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Overture } from '@overture/sdk'
import { SMTPServer } from 'smtp-server'

// Kills the server with kill -9 while it sends. The receiving mail server shows that no message was sent twice.
const leads = 60
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const received: string[] = []
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    stream.resume()
    stream.once('end', () => {
      received.push(...session.envelope.rcptTo.map((to) => to.address))
      done()
    })
  },
})
// A killed server breaks its connections, which is no error here.
mail.on('error', () => undefined)
await new Promise<void>((resolve) => void mail.listen(0, '127.0.0.1', resolve))
const folder = await mkdtemp(join(tmpdir(), 'overture-example-'))
let server = await start()
try {
  const overture = new Overture({ apiKey: server.key, baseUrl: server.url })
  await overture.account.update({ postalAddress: '1 Main Street, Springfield' })
  const sender = await overture.sendingAccounts.create({
    email: 'ada@sender.example.com',
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: (mail.server.address() as AddressInfo).port, security: 'none' },
    minGapSeconds: 0,
    maxGapSeconds: 0,
    dailyLimit: 1_000,
  })
  const campaign = await overture.campaigns.launch({
    name: 'Under fire',
    sendingAccountIds: [sender.id],
    schedule: { windows: [{ days: [...everyDay], from: '00:00', to: '24:00' }] },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi there.' }] }],
    leads: Array.from({ length: leads }, (_, index) => ({ email: `p${index}@r${index % 20}.example.com` })),
  })
  await until(() => received.length > 5)
  server.child.kill('SIGKILL')
  await once(server.child, 'exit')
  console.log(`killed after ${received.length} messages`)

  server = { ...(await start()), key: server.key }
  const again = new Overture({ apiKey: server.key, baseUrl: server.url })
  const settled = async () => {
    const all = await again.campaigns.leads.list(campaign.id).toArray({ max: leads })
    const inDoubt = all.filter((lead) => lead.blockedReason === 'delivery_uncertain').length
    return all.filter((lead) => lead.status === 'completed').length + inDoubt === leads ? { inDoubt } : null
  }
  let end: { inDoubt: number } | null = null
  await until(async () => (end = await settled()) !== null)
  console.log(`${received.length} received, ${end!['inDoubt']} in doubt, ${new Set(received).size} addresses`)
  assert.equal(new Set(received).size, received.length)
} finally {
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
  mail.close()
  await rm(folder, { recursive: true, force: true })
}

async function start(): Promise<{ child: ChildProcess; url: string; key: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'packages/server/src/composition/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LOG_LEVEL: 'fatal',
      OVERTURE_DATA_DIR: folder,
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let key = ''
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('live key: ')) key = line.slice('live key: '.length)
    if (line.startsWith('listening on ')) {
      child.stdout.resume()
      return { child, url: line.slice('listening on '.length), key }
    }
  }
  throw new Error('The server ended before it listened.')
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 240_000
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error('It took too long.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
