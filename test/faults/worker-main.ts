import { noFaults, type FaultName, type FaultPoints } from '../../packages/server/src/delivery/index.ts'
import { startFaultWorker } from './fault-worker.ts'

/**
 * A delivery worker with a fault. OVERTURE_FAULT is the fault point. OVERTURE_FAULT_ACTION is the fault: `kill` sends SIGKILL, `stop`
 * sends SIGSTOP, and `tell` notifies the parent and waits for a message. OVERTURE_FAULT_SKIP is the number of passes before the
 * fault. The worker starts on a message from its parent, so that the start of the process isn't part of the measured time.
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
  // The signal may arrive a moment later, so nothing may happen until then.
  await new Promise<void>((resolve) => setTimeout(resolve, 50))
}

process.send?.('ready')
process.once('message', () => {
  void startFaultWorker(faults).then((stop) => {
    process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
    process.send?.('started')
  })
})
