import { dirname } from 'node:path'
import { charactersPerLineMax, filesPerRoomMax, linesPerFileMax } from './rooms.ts'
import { findRoom, findSubRoom, type Module } from './source.ts'

/** Finds files that are too long and probably contain several ideas. Tests and generated files are exempt. */
export function longFiles(modules: readonly Module[]): string[] {
  return modules
    .filter(
      (module) =>
        !isGenerated(module) && !/\.test\.tsx?$/.test(module.path) && splitLines(module).length - 1 > linesPerFileMax,
    )
    .map(modulePath)
}

/** Lines that are too long, by file and line number. */
export function longLines(module: Module): string[] {
  if (isGenerated(module)) return []
  return splitLines(module)
    .map((line, index) => ({ length: line.length, number: index + 1 }))
    .filter(({ length }) => length > charactersPerLineMax)
    .map(({ length, number }) => `${module.path}:${number}: ${length} characters`)
}

/** Folders with too many files to scan quickly. In the server, the files of a slice or sub-folder count at any depth. */
export function crowdedRooms(modules: readonly Module[]): string[] {
  const crowd = new Map<string, number>()
  for (const { path } of modules) {
    const room = findRoom(path)
    const place = room === null ? dirname(path) : [room, findSubRoom(path)].filter(Boolean).join('/')
    crowd.set(place, (crowd.get(place) ?? 0) + 1)
  }
  return [...crowd].filter(([, files]) => files > filesPerRoomMax).map(([place, files]) => `${place}: ${files} files`)
}

function splitLines({ text }: Module): string[] {
  return text.split('\n')
}

function modulePath({ path }: Module): string {
  return path
}

function isGenerated({ path }: Module): boolean {
  return path.includes('/generated/')
}
