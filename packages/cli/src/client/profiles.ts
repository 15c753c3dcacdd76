import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from '../output.ts'

/** A login: the URL of the server and the key. */
export interface Profile {
  url: string
  apiKey: string
}

type Profiles = Record<string, Profile>

const privateMode = 0o600

function profilesFile(): string {
  const folder = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  return join(folder, 'overture', 'profiles.json')
}

export async function readProfile(name: string): Promise<Profile | null> {
  return (await readProfiles())[name] ?? null
}

/** Stores a login in a file that only the user can read, even if the file had another mode before. */
export async function writeProfile(name: string, profile: Profile): Promise<string> {
  const file = profilesFile()
  const profiles: Profiles = { ...(await readProfiles()), [name]: profile }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.next`
  await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: privateMode })
  await chmod(next, privateMode)
  await rename(next, file)
  return file
}

async function readProfiles(): Promise<Profiles> {
  const file = profilesFile()
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return JSON.parse(text) as Profiles
  } catch {
    throw new CommandError(`${file} can't be read. Fix or remove it.`)
  }
}
