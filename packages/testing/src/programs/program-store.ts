import { join } from 'node:path'
import { buildProgram, buildThreads } from './build-program.ts'

export interface ProgramStore {
  /** Builds the program, or returns the path of the one that was built before. */
  build(entry: string): Promise<string>
}

/** Keeps built programs in a folder, each in a folder of its own, and the threads that they share. */
export function createProgramStore(folder: string): ProgramStore {
  const built = new Map<string, Promise<string>>()
  let threads: Promise<string> | null = null
  const build = async (entry: string, name: string): Promise<string> => {
    threads ??= buildThreads(folder)
    return buildProgram(entry, { folder: join(folder, name), threads: await threads })
  }
  return {
    build(entry) {
      const path = built.get(entry) ?? build(entry, String(built.size))
      built.set(entry, path)
      return path
    },
  }
}
