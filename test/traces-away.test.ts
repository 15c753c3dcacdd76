import { createServer, type Server } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { launchAtFullSpeed } from '@overture/testing/server/launched-campaign.ts'
import { startRunningServer } from '@overture/testing/server/running-server.ts'

// Each test waits for the time limits of the exporter.
vi.setConfig({ testTimeout: 240_000 })

const sockets = new Set<Socket>()
let silent: Server | null = null
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  silent?.close()
})

/** Starts a server that accepts connections and never responds. */
async function startSilence(): Promise<string> {
  silent = createServer((socket) => sockets.add(socket))
  await new Promise<void>((listening) => silent!.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
}

/** Counts the spans that this process sent so far. Other test files of the process may have sent some. */
async function countSentSpans(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^overture_trace_spans_total\{outcome="sent"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}

test.each([
  ['that does not exist', async () => 'http://127.0.0.1:9'],
  ['that never responds', startSilence],
  ['whose name can not be resolved', async () => 'http://collector.invalid:4318'],
])('a collector %s delays no request, message or stop', async (_what, collector) => {
  const smtp = await startSmtpDouble({ users: { 'ada@sender.test': 'secret' } })
  const product = await startRunningServer({
    OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector(),
  })
  const sentBefore = await countSentSpans(product.url)
  await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
  await launchAtFullSpeed(product, smtp, { name: 'Untraced', leadCount: 20 })
  await vi.waitFor(() => expect(smtp.accepted).toHaveLength(20), { timeout: 120_000, interval: 100 })
  expect((await product.live('GET', '/v2/campaigns')).status).toBe(200)
  expect(await countSentSpans(product.url)).toBe(sentBefore)
  await product.stop()
  await smtp.stop()
})
