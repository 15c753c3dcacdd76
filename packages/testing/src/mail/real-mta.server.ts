import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort, untilItGreets } from './loopback-process.server.ts'
import { mtaSetups, type MtaName, type MtaPorts, type MtaSetup } from './real-mta-setups.ts'

const startTimeoutMs = 20_000

/** The folder into which `.ci/mail-servers` unpacked the servers. */
const folder = process.env['OVERTURE_MAIL_SERVERS'] ?? '/var/tmp/overture-mail-servers'

/** Whether this machine can run the mail server. Tests that need it are skipped with a message if it can't. */
export function mtaAvailable(name: MtaName): boolean {
  return process.getuid?.() === 0 && existsSync(join(folder, name, 'ready'))
}

export interface RealMta {
  /** The SMTP port for submitting messages. */
  port: number
  /** The server's log, for the message of a failing test. */
  log(): string
  stop(): Promise<void>
}

/** Starts a real Postfix, Exim or OpenSMTPD on loopback with its own root folder, and routes the mail of `ports` to doubles. */
export async function startMta(name: MtaName, ports: Omit<MtaPorts, 'listen'>): Promise<RealMta> {
  const root = await mkdtemp(join(tmpdir(), `${name}-`))
  await chmod(root, 0o755)
  // Keeps links and device nodes as they are.
  spawnSync('cp', ['-a', `${join(folder, name)}/.`, root])
  const listen = await freePort()
  const setup: MtaSetup = mtaSetups[name]({ ...ports, listen })
  await writeFile(join(root, 'etc/passwd'), users.map((user) => `${user}:/nonexistent:/bin/false\n`).join(''))
  await writeFile(join(root, 'etc/group'), groups.map((group) => `${group}:\n`).join(''))
  await writeFile(join(root, 'etc/resolv.conf'), `nameserver ${ports.dnsHost}\noptions timeout:1 attempts:1\n`)
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost mx.relay.test\n')
  await writeFile(join(root, 'etc/services'), 'smtp 25/tcp\n')
  for (const [path, owner, mode] of setup.folders) {
    await mkdir(join(root, path), { recursive: true })
    await own(join(root, path), owner, mode)
  }
  for (const [path, text] of Object.entries(setup.files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const [path, owner, mode] of setup.owned ?? []) await own(join(root, path), owner, mode)
  const child = spawn('chroot', [root, ...setup.command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-50_000)))
  const log = () => `${output}\n${readLog(join(root, setup.log))}`
  const stop = async () => {
    await end(child)
    await rm(root, { recursive: true, force: true })
  }
  if (!(await untilItGreets(child, { port: listen, greeting: '220', waitMsMax: startTimeoutMs }))) {
    const output = log()
    await stop()
    throw new Error(`${name} did not start: ${output}`)
  }
  return { port: listen, log, stop }
}

const users = [
  'root:x:0:0:root',
  'nobody:x:65534:65534:nobody',
  'postfix:x:901:901:postfix',
  'Debian-exim:x:902:902:exim',
  'opensmtpd:x:903:903:opensmtpd',
  'opensmtpq:x:904:904:opensmtpq',
  'ada:x:1901:1901:Ada',
]
const groups = [
  'root:x:0',
  'mail:x:8',
  'nogroup:x:65534',
  'postfix:x:901',
  'postdrop:x:905',
  'Debian-exim:x:902',
  'opensmtpd:x:903',
  'opensmtpq:x:904',
  'ada:x:1901',
]

async function own(path: string, owner: string, mode: number): Promise<void> {
  const [uid, gid] = findIds(owner)
  await chown(path, uid, gid)
  await chmod(path, mode)
}

function findIds(owner: string): [uid: number, gid: number] {
  const [user = '', group = user] = owner.split(':')
  const parseId = (lines: string[], name: string) =>
    Number(lines.find((line) => line.startsWith(`${name}:`))?.split(':')[2] ?? 0)
  return [parseId(users, user), parseId(groups, group)]
}

function readLog(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').slice(-20_000) : ''
}

// Each server has several processes, so the whole process group is stopped.
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.kill(-child.pid, 'SIGTERM')
  const forced = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 3_000)
  await ended
  clearTimeout(forced)
}
