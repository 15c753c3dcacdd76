import { noFaults, type FaultName, type FaultPoints } from '../../packages/server/src/delivery/index.ts'
import { startFaultWorker } from './fault-worker.ts'

/**
 * A delivery worker of the test build: OVERTURE_FAULT names the point at which it is hit, OVERTURE_FAULT_ACTION how
 * (`kill`: SIGKILL; `stop`: SIGSTOP; `tell`: tells its parent and waits for a word). OVERTURE_FAULT_SKIP passes that
 * often first. It begins when its parent says so, so that starting a process is not part of what is measured.
 */
const point = process.env.OVERTURE_FAULT
const action = process.env.OVERTURE_FAULT_ACTION ?? 'kill'
let skip = Number(process.env.OVERTURE_FAULT_SKIP ?? 0)
let done = false

const faults: FaultPoints = point === undefined ? noFaults : { armed: true, hit }

async function hit(name: FaultName): Promise<void> {
  if (done || name !== point || skip-- > 0) return
  done = true
  if (action === 'tell') {
    process.send?.('hit')
    await new Promise<void>((resolve) => process.once('message', () => resolve()))
    return
  }
  process.kill(process.pid, action === 'stop' ? 'SIGSTOP' : 'SIGKILL')
  // The signal may reach the process a moment later: nothing more happens until then.
  await new Promise<void>((resolve) => setTimeout(resolve, 50))
}

process.send?.('ready')
process.once('message', () => {
  void startFaultWorker(faults).then((stop) => {
    process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
    process.send?.('started')
  })
})
