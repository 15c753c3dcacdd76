import type { ChildProcess } from 'node:child_process'
import { connect, createServer, type AddressInfo } from 'node:net'

const lookEveryMs = 50
const greetingMsMax = 2_000

/** Finds a port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Waits until the server sends this greeting. Returns false if the server exits or doesn't greet within `waitMsMax`. */
export async function untilItGreets(
  child: ChildProcess,
  server: { port: number; greeting: string; waitMsMax: number },
): Promise<boolean> {
  const deadline = performance.now() + server.waitMsMax
  while (performance.now() < deadline && child.exitCode === null) {
    if (await greets(server)) return true
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  return false
}

function greets({ port, greeting }: { port: number; greeting: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const finish = (worked: boolean): void => {
      socket.destroy()
      resolve(worked)
    }
    socket.setTimeout(greetingMsMax, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
    socket.once('data', (data) => finish(data.toString().startsWith(greeting)))
  })
}
