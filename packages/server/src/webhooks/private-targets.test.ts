import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createNamesDouble } from '@overture/testing/mail/names-double.ts'
import type { Reach } from '../platform/mail/network-guard.client.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { webhookRoutes } from './index.ts'
import { postWebhook } from './post.client.ts'

const names = createNamesDouble()

let server: TestServer
let receiver: Server
let port: number
let hosts: string[] = []

beforeAll(async () => {
  server = await startTestServer({ routes: () => webhookRoutes(), names })
  receiver = createServer((request, response) => {
    hosts.push(request.headers.host ?? '')
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
beforeEach(() => {
  hosts = []
  names.answers.clear()
})
afterAll(async () => {
  receiver.close()
  await server.stop()
})

const create = (url: string) => server.call('POST', '/v2/webhooks', { key: server.keys.live, body: { url } })
const reach = (allowPrivate: boolean): Reach => ({ names, accountId: 'acc_test', allowPrivate })
const post = (url: string, allowPrivate = false) =>
  postWebhook({ url, headers: {}, body: '{}', reach: reach(allowPrivate) })

/** One address in all spellings, and other addresses outside the public internet. */
const privateHosts = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0x7f000001',
  '①②⑦.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '0.0.0.0',
  '[::]',
  '10.0.0.1',
  '172.16.3.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '224.0.0.1',
  '255.255.255.255',
]

describe('a private target', () => {
  test.each(privateHosts)('%s is refused when an endpoint is created, changed and called', async (host) => {
    const url = `http://${host}:${port}/`
    const answer = await create(url)
    expect([answer.status, answer.body.error.details.issues[0].rule]).toEqual([400, 'private_target'])
    names.answers.set('receiver.test', [['8.8.8.8']])
    const made = await create(`http://receiver.test:${port}/`)
    expect(made.status).toBe(201)
    const changed = await server.call('PUT', `/v2/webhooks/${made.body.id}`, { key: server.keys.live, body: { url } })
    expect(changed.status).toBe(400)
    await server.call('DELETE', `/v2/webhooks/${made.body.id}`, { key: server.keys.live })
    expect(await post(url)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/private or loopback|never a target/),
    })
    expect(hosts).toEqual([])
  })

  test('with a name is refused even if only one of its addresses is private', async () => {
    names.answers.set('inside.test', [['10.0.0.7']])
    names.answers.set('both.test', [['8.8.8.8', '127.0.0.1']])
    names.answers.set('mapped.test', [['::ffff:169.254.169.254']])
    for (const name of ['inside.test', 'both.test', 'mapped.test']) {
      expect((await create(`https://${name}/`)).status).toBe(400)
      expect(await post(`http://${name}:${port}/`)).toMatchObject({ kind: 'failed' })
    }
    expect(hosts).toEqual([])
  })

  test('is refused at the call if the name had another address at creation (rebinding)', async () => {
    names.answers.set('rebind.test', [['8.8.8.8'], ['127.0.0.1']])
    expect((await create(`http://rebind.test:${port}/`)).status).toBe(201)
    expect(await post(`http://rebind.test:${port}/`)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('private or loopback'),
    })
    expect(hosts).toEqual([])
  })

  test('is connected by the checked address, without another DNS query', async () => {
    names.answers.set('once.test', [['127.0.0.1'], ['192.0.2.1']])
    expect(await post(`http://once.test:${port}/`, true)).toMatchObject({ kind: 'answered', status: 204 })
    expect(hosts).toEqual([`once.test:${port}`])
  })
})
