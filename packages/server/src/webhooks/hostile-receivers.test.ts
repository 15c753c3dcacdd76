import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loopback } from '@overture/testing/mail/reach.ts'
import { postWebhook } from './post.client.ts'

type Behaviour = (socket: Socket) => void

let server: Server
const behaviours = new Map<string, Behaviour>()
const open = new Set<Socket>()
const bytesSent = new Map<string, number>()

beforeAll(async () => {
  server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    let head = ''
    socket.on('data', (chunk) => {
      if (head.includes('\r\n\r\n')) return
      head += chunk.toString('latin1')
      if (head.includes('\r\n\r\n')) behaviours.get(head.split(' ')[1]!)?.(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const socket of open) socket.destroy()
  server.close()
})

/** Writes until the other side stops reading. */
function flood(path: string, piece: string): Behaviour {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.writable) {
        bytesSent.set(path, (bytesSent.get(path) ?? 0) + piece.length)
        if (!socket.write(piece)) return void socket.once('drain', more)
      }
    }
    more()
  }
}

async function post(path: string, behaviour: Behaviour, timeoutMs = 4_000, body = '{}') {
  behaviours.set(path, behaviour)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const result = await postWebhook({ url, headers: {}, body, reach: loopback }, timeoutMs)
  // A paused socket notices the end of the other side only after it reads again. It may be accepted and paused after the response.
  const left = () => {
    for (const socket of open) socket.resume()
    return open.size
  }
  await expect.poll(left, { timeout: 60_000, interval: 10 }).toBe(0)
  return result
}

describe('a hostile receiver', () => {
  test('with an endless body counts by its status, without waiting for the end', async () => {
    const result = await post('/drip', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthanks')
      const timer = setInterval(() => socket.write('.'), 50)
      socket.on('close', () => clearInterval(timer))
    })
    expect(result).toMatchObject({ kind: 'answered', status: 200, excerpt: expect.stringMatching(/^thanks\.*$/) })
  })

  test('with an endless body is cut after 64 KiB', async () => {
    const endless = flood('/endless', 'x'.repeat(16_384))
    const result = await post('/endless', (socket) => {
      socket.write('HTTP/1.1 500 No\r\n\r\n')
      endless(socket)
    })
    expect(result).toMatchObject({ kind: 'answered', status: 500, excerpt: 'x'.repeat(1000) })
    // Bytes in the kernel's buffers were sent, but not read.
    expect(bytesSent.get('/endless')).toBeLessThan(16_000_000)
  })

  test('with endless or slow headers fails', async () => {
    const endless = flood('/headers', `x-more: ${'y'.repeat(1000)}\r\n`)
    const headers = await post('/headers', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      endless(socket)
    })
    expect(headers).toMatchObject({ kind: 'failed', error: expect.stringContaining('Header') })
    const drip = await post(
      '/slow-headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write('x-a: b\r\n'), 50)
        socket.on('close', () => clearInterval(timer))
      },
      700,
    )
    expect(drip).toMatchObject({ kind: 'failed', error: 'No response within 0.7 s.' })
  })

  test('that sends 100 Continue forever fails', async () => {
    const result = await post('/continue', flood('/continue', 'HTTP/1.1 100 Continue\r\n\r\n'), 700)
    expect(result).toMatchObject({ kind: 'failed', error: 'No response within 0.7 s.' })
  })

  test('that sends a gzip bomb is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const result = await post('/bomb', (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    })
    expect(result).toMatchObject({ kind: 'answered', status: 200 })
    expect((result as { excerpt: string }).excerpt.length).toBeLessThanOrEqual(1000)
  })

  test('without HTTP, with a closed connection or without reading fails with a message', async () => {
    expect(await post('/noise', (socket) => socket.end('220 mail.example.com ESMTP\r\n'))).toMatchObject({
      kind: 'failed',
    })
    expect(await post('/hang-up', (socket) => socket.destroy())).toMatchObject({ kind: 'failed' })
    const unread = await post('/unread', (socket) => socket.pause(), 700, 'x'.repeat(9_000_000))
    expect(unread).toMatchObject({ kind: 'failed', error: 'No response within 0.7 s.' })
  })

  test('may respond early without reading a large event', async () => {
    const result = await post(
      '/early',
      (socket) => socket.write('HTTP/1.1 413 Too large\r\ncontent-length: 0\r\n\r\n'),
      4_000,
      'x'.repeat(9_000_000),
    )
    expect(result).toMatchObject({ kind: 'answered', status: 413 })
  })
})
