import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const nobody = 65534
const agent = '/usr/lib/dovecot/dovecot-lda'

/**
 * Whether Debian's Dovecot can deliver through Sieve on this machine (`dovecot-sieve`). Tests that need it are skipped with a message
 * if it can't.
 */
export function sieveAvailable(): boolean {
  return existsSync(agent) && existsSync('/usr/lib/dovecot/modules/lib90_sieve_plugin.so')
}

/** Delivers a message to a user with the given Sieve script. Mail that the script sends goes to an SMTP server. */
export async function deliverThroughSieve(delivery: {
  script: string
  to: string
  from: string
  raw: string
  smtpPort: number
}): Promise<{ exitCode: number | null; log: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sieve-'))
  await chmod(folder, 0o777)
  try {
    await mkdir(join(folder, 'home'))
    await writeFile(join(folder, 'home/.dovecot.sieve'), delivery.script)
    await writeFile(join(folder, 'dovecot.conf'), configuration(folder, delivery.smtpPort))
    spawnSync('chmod', ['-R', 'a+rwX', folder])
    // Without -d, the agent delivers to the user who runs it and needs no user database.
    const child = spawn(agent, ['-e', '-c', join(folder, 'dovecot.conf'), '-f', delivery.from, '-a', delivery.to], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: join(folder, 'home'), USER: delivery.to },
      ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
    })
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => void (log += chunk.toString()))
    child.stdin.end(delivery.raw.replaceAll('\n', '\r\n'))
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { exitCode, log }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function configuration(folder: string, smtpPort: number): string {
  return `
base_dir = ${folder}/run
log_path = /dev/stderr
hostname = there.test
postmaster_address = postmaster@there.test
mail_location = maildir:${folder}/home/mail
mail_home = ${folder}/home
first_valid_uid = 1
submission_host = 127.0.0.1:${smtpPort}
protocol lda {
  mail_plugins = sieve
}
plugin {
  sieve = file:${folder}/home/.dovecot.sieve
  sieve_vacation_use_original_recipient = no
}
`
}
