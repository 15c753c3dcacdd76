// In the place of the thread that reads mail: does what a message tells it to, as a fault of the reader might.
import { parentPort } from 'node:worker_threads'

const held = []
parentPort.on('message', (raw) => {
  const text = Buffer.from(raw).toString('latin1')
  const what = /X-Fault: (\w+)/.exec(text)?.[1]
  if (what === 'loop') for (;;) held.length = 0
  if (what === 'pattern') /^(?:a+)+$/.test(`${'a'.repeat(60)}b`)
  if (what === 'memory') for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
  if (what === 'throw') throw new Error('A fault of the reader.')
  if (what === 'exit') process.exit(1)
  if (what === 'refuse') return parentPort.postMessage({ failed: 'A fault of the reader.' })
  return parentPort.postMessage({ reading: { outcome: 'set_aside', reason: 'empty' } })
})
parentPort.postMessage({ ready: true })
