import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, untilItGreets } from './loopback-process.server.ts'

const binary = '/usr/sbin/dovecot'
const startTimeoutMs = 15_000

/** Whether Debian's Dovecot is installed. Tests that need it are skipped with a message if it isn't. */
export function dovecotAvailable(): boolean {
  return existsSync(binary) && existsSync('/usr/lib/dovecot/imap')
}

export interface Dovecot {
  port: number
  /** The password of every user. */
  password: string
  /** Delivers a raw message into a user's folder, like a delivery agent. */
  deliver(user: string, raw: string | Buffer, at?: { folder?: string; receivedAt?: Date }): Promise<void>
  /** Replaces every UID of a user's inbox, like a restored backup. */
  renewUidValidity(user: string): Promise<void>
  stop(): Promise<void>
}

/** Starts Dovecot in a temporary folder on a free loopback port. A user's maildir is created at the first login. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), 'dovecot-'))
  await chmod(folder, 0o755)
  // If Dovecot runs as root, its mail processes run as another user and create the maildirs themselves.
  await mkdir(join(folder, 'mail'))
  await chmod(join(folder, 'mail'), 0o777)
  const port = await freePort()
  const password = 'secret'
  const config = join(folder, 'dovecot.conf')
  await writeFile(config, configuration(folder, port, password))
  const child = spawn(binary, ['-F', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()))
  if (!(await untilItGreets(child, { port, greeting: '* OK', waitMsMax: startTimeoutMs }))) {
    await end(child)
    await rm(folder, { recursive: true, force: true })
    throw new Error(`Dovecot did not start: ${errors}`)
  }
  let delivered = 0
  return {
    port,
    password,
    async deliver(user, raw, { folder: target, receivedAt } = {}) {
      const maildir = target === undefined ? join(folder, 'mail', user) : join(folder, 'mail', user, `.${target}`)
      for (const part of ['new', 'cur', 'tmp']) await mkdir(join(maildir, part), { recursive: true })
      const name = `${port}.${process.pid}.${delivered++}.test`
      await writeFile(join(maildir, 'tmp', name), raw)
      if (receivedAt !== undefined) await utimes(join(maildir, 'tmp', name), receivedAt, receivedAt)
      spawnSync('chmod', ['-R', 'a+rwX', join(folder, 'mail')])
      spawnSync('mv', [join(maildir, 'tmp', name), join(maildir, 'new', name)])
    },
    async renewUidValidity(user) {
      const maildir = join(folder, 'mail', user)
      for (const file of await readdir(maildir))
        if (/^dovecot[-.](?:uid|index)/.test(file)) await rm(join(maildir, file), { force: true })
    },
    async stop() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, port: number, password: string): string {
  const me = userInfo()
  // Under root, the mail processes need another user. Under any other user, Dovecot runs everything as that user.
  const mailUser = me.uid === 0 ? 'nobody' : me.username
  const mailGroup = me.uid === 0 ? 'nogroup' : String(me.gid)
  const own =
    me.uid === 0
      ? ''
      : `default_internal_user = ${me.username}\ndefault_login_user = ${me.username}\ndefault_internal_group = ${me.gid}`
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
mail_uid = ${mailUser}
mail_gid = ${mailGroup}
${own}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${mailUser} gid=${mailGroup} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
  mailbox Junk {
    special_use = \\Junk
    auto = create
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
mail_max_userip_connections = 2000
`
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await ended
}
