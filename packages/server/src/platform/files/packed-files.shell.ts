import { open, type FileHandle } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress, constants, gzip } from 'node:zlib'

/** The file extension of packs, which are beside the code. */
export const packEnding = '.pack'

/** The size of a block before compression. A larger file has its own block. */
const blockBytesMax = 1024 * 1024
const indexBytesMax = 16 * 1024 * 1024
const lengthBytes = 4
const [unpack, compress] = [promisify(brotliDecompress), promisify(gzip)]
/** The window spans the whole block, since files of a folder are similar. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }

interface PackIndex {
  /** The position of each block after the index. */
  blocks: { at: number; bytes: number }[]
  files: [name: string, place: FilePlace][]
}

interface FilePlace {
  block: number
  at: number
  bytes: number
}

interface OpenedIndex extends Pick<PackIndex, 'blocks'> {
  files: ReadonlyMap<string, FilePlace>
  /** The position of the first block. */
  begin: number
}

/** Files that are not code, by name: a folder of the clone, or a pack. */
export interface AssetFolder {
  names(): Promise<readonly string[]>
  /** Reads the named files; throws if one does not exist. */
  read(names: readonly string[]): Promise<Buffer[]>
}

/**
 * Combines many files into one: the length of the index, the index, and blocks of several files that are compressed together.
 * Reading a file decompresses only its block.
 */
export function packFiles(files: readonly (readonly [name: string, body: Buffer])[]): Buffer {
  const index: PackIndex = { blocks: [], files: [] }
  const compressed: Buffer[] = []
  for (const [block, members] of groupBlocks(files).entries()) {
    let at = 0
    for (const [name, body] of members) {
      index.files.push([name, { block, at, bytes: body.length }])
      at += body.length
    }
    const bytes = brotliCompressSync(Buffer.concat(members.map(([, body]) => body)), { params })
    index.blocks.push({ at: compressed.reduce((sum, { length }) => sum + length, 0), bytes: bytes.length })
    compressed.push(bytes)
  }
  const head = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, ...compressed])
}

function groupBlocks<File extends readonly [string, Buffer]>(files: readonly File[]): File[][] {
  const blocks: File[][] = []
  let room = 0
  for (const file of files) {
    if (blocks.length === 0 || file[1].length > room) {
      blocks.push([])
      room = blockBytesMax
    }
    blocks.at(-1)!.push(file)
    room -= file[1].length
  }
  return blocks
}

/**
 * Opens a pack. A file that ends in `.gz` is stored uncompressed and is compressed when it is read, because similar pages are
 * smaller together in a block.
 */
export function packedFolder(file: URL): AssetFolder {
  let known: Promise<OpenedIndex> | null = null
  const openIndex = () => (known ??= readIndex(file))
  return {
    names: async () => [...(await openIndex()).files.keys()],
    async read(names) {
      const { files, blocks: all, begin } = await openIndex()
      const places = names.map((name) => {
        const place = files.get(name)
        if (place === undefined) throw new Error(`${name} is not in ${fileURLToPath(file)}`)
        return { name, ...place }
      })
      const blocks = new Map<number, Buffer>()
      await within(file, async (pack) => {
        for (const { block } of places) {
          const { at, bytes } = all[block]!
          if (!blocks.has(block)) blocks.set(block, await unpack(await readPiece(pack, begin + at, bytes)))
        }
      })
      return Promise.all(
        places.map(async ({ name, block, at, bytes }) => {
          const body = blocks.get(block)!.subarray(at, at + bytes)
          // A copy, so that the larger block can be freed.
          return name.endsWith('.gz') ? await compress(body, { level: 9 }) : Buffer.from(body)
        }),
      )
    },
  }
}

async function readIndex(file: URL): Promise<OpenedIndex> {
  return within(file, async (pack) => {
    const length = (await readPiece(pack, 0, lengthBytes)).readUInt32BE()
    if (length > indexBytesMax) throw new Error(`${fileURLToPath(file)} is not a pack of files.`)
    const text = (await readPiece(pack, lengthBytes, length)).toString('utf8')
    const { blocks, files } = JSON.parse(text) as PackIndex
    return { blocks, files: new Map(files), begin: lengthBytes + length }
  })
}

async function within<Result>(file: URL, work: (pack: FileHandle) => Promise<Result>): Promise<Result> {
  const pack = await open(file)
  try {
    return await work(pack)
  } finally {
    await pack.close()
  }
}

async function readPiece(pack: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(bytes)
  const { bytesRead } = await pack.read(piece, 0, bytes, at)
  if (bytesRead < bytes) throw new Error('The pack ends too early.')
  return piece
}
