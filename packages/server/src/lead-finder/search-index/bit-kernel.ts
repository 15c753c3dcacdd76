import { bitKernelText } from './bit-kernel-text.ts'
import { popcount } from './postings.ts'
import { assemble } from './wasm-text.ts'

/**
 * Loops over sets of documents in one memory. Sets and columns are byte addresses, and sizes are bytes of bits; both are
 * multiples of 16. An owner (a company) has the documents `docs[offsets[owner] … offsets[owner + 1]]`.
 */
export interface BitKernel {
  or(to: number, from: number, bytes: number): void
  and(to: number, from: number, bytes: number): void
  copy(to: number, from: number, bytes: number): void
  clear(to: number, bytes: number): void
  count(from: number, bytes: number): number
  setList(to: number, list: number, length: number): void
  /** The number of documents that the owners have. `bytes` is the size of the owners' set. */
  sumOwned(owners: number, bytes: number, offsets: number): number
  setOwned(to: number, owners: number, bytes: number, offsets: number, docs: number): void
  /** Keeps documents whose owner, from a column of 32 bits, is in the set `owners`. */
  keepOwned(to: number, bytes: number, column: number, owners: number): void
  /** Keeps documents whose byte is between `min` and `max`, both inclusive. */
  keepBytes(to: number, bytes: number, column: number, min: number, max: number): void
  /** The same for a column of signed 32-bit values. */
  keepInts(to: number, bytes: number, column: number, min: number, max: number): void
}

const pageBytes = 65_536
const pagesMax = 65_536

export type KernelKind = 'wasm' | 'javascript'

/** The used part of WebAssembly, which Node's types don't contain. */
interface WasmEngine {
  Memory: new (size: { initial: number; maximum: number }) => BitMemory['memory']
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object, imports: object) => { exports: BitKernel }
}
const { WebAssembly: engine } = globalThis as unknown as { WebAssembly: WasmEngine }

/** Memory that is allocated once and never freed, with the kernel that works in it. */
export class BitMemory {
  readonly kernel: BitKernel
  /** Views of the whole memory, which are replaced after each allocation. */
  words: Uint32Array
  bytes: Uint8Array
  private readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  private top = 64
  private sealed = false

  /** `bytes` is a lower bound of the needed size; the memory grows. Pages that are not written cost nothing. */
  constructor(bytes: number, kind: KernelKind) {
    const pages = Math.min(pagesMax, Math.ceil(bytes / pageBytes) + 1)
    if (kind === 'wasm') {
      this.memory = new engine.Memory({ initial: pages, maximum: pagesMax })
      this.kernel = new engine.Instance(wasmModule(), { env: { memory: this.memory } }).exports
    } else {
      const plain = {
        buffer: new ArrayBuffer(pages * pageBytes),
        grow(more: number): number {
          const before = plain.buffer.byteLength
          const grown = new ArrayBuffer(before + more * pageBytes)
          new Uint8Array(grown).set(new Uint8Array(plain.buffer))
          plain.buffer = grown
          return before / pageBytes
        },
      }
      this.memory = plain
      this.kernel = javaScriptKernel(this)
    }
    this.words = new Uint32Array(this.memory.buffer)
    this.bytes = new Uint8Array(this.memory.buffer)
  }

  get used(): number {
    return this.top
  }

  /** Forbids further allocations, so that views stay valid. */
  seal(): void {
    this.sealed = true
  }

  /** Returns the address of this many zero bytes. Views from before may be invalid afterwards. */
  allocate(bytes: number): number {
    if (this.sealed) throw new Error('the memory is sealed')
    const at = this.top
    this.top = at + Math.ceil(bytes / 16) * 16
    const missing = this.top - this.memory.buffer.byteLength
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / pageBytes))
      this.words = new Uint32Array(this.memory.buffer)
      this.bytes = new Uint8Array(this.memory.buffer)
    }
    return at
  }

  put(values: Uint8Array | Uint32Array | Int32Array): number {
    const at = this.allocate(values.byteLength)
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    return at
  }

  list(at: number, length: number): Uint32Array {
    return this.words.subarray(at >>> 2, (at >>> 2) + length)
  }
}

let compiled: object | null = null

function wasmModule(): object {
  return (compiled ??= new engine.Module(assemble(bitKernelText)))
}

/** Whether this machine can run the kernel. Every engine of Node 20 has SIMD, but not every processor, and flags can disable it. */
export function hasWasm(): boolean {
  try {
    return wasmModule() !== null
  } catch {
    return false
  }
}

/** The kernel in JavaScript. It serves small segments, which don't justify a separate memory, and it is the reference in tests. */
function javaScriptKernel(memory: { readonly words: Uint32Array; readonly bytes: Uint8Array }): BitKernel {
  return {
    or(to, from, bytes) {
      const { words } = memory
      for (let index = 0; index < bytes >>> 2; index++) {
        words[(to >>> 2) + index] = words[(to >>> 2) + index]! | words[(from >>> 2) + index]!
      }
    },
    and(to, from, bytes) {
      const { words } = memory
      for (let index = 0; index < bytes >>> 2; index++) {
        words[(to >>> 2) + index] = words[(to >>> 2) + index]! & words[(from >>> 2) + index]!
      }
    },
    copy: (to, from, bytes) => void memory.bytes.copyWithin(to, from, from + bytes),
    clear: (to, bytes) => void memory.bytes.fill(0, to, to + bytes),
    count(from, bytes) {
      let count = 0
      for (let index = from >>> 2; index < (from + bytes) >>> 2; index++) count += popcount(memory.words[index]!)
      return count
    },
    setList(to, list, length) {
      const { words } = memory
      for (let index = list >>> 2; index < (list >>> 2) + length; index++) setAt(words, to, words[index]!)
    },
    ...owners(memory),
    ...ranges(memory),
  }
}

function owners(memory: { readonly words: Uint32Array }): Pick<BitKernel, 'sumOwned' | 'setOwned' | 'keepOwned'> {
  return {
    sumOwned(set, bytes, offsets) {
      const { words } = memory
      let sum = 0
      eachBit(words, set, bytes, (owner) => {
        const at = (offsets >>> 2) + owner
        sum += words[at + 1]! - words[at]!
      })
      return sum
    },
    setOwned(to, set, bytes, offsets, docs) {
      const { words } = memory
      eachBit(words, set, bytes, (owner) => {
        const at = (offsets >>> 2) + owner
        for (let index = words[at]!; index < words[at + 1]!; index++) setAt(words, to, words[(docs >>> 2) + index]!)
      })
    },
    keepOwned(to, bytes, column, set) {
      const { words } = memory
      eachBit(words, to, bytes, (doc) => {
        const owner = words[(column >>> 2) + doc]!
        const isKept = (words[(set >>> 2) + (owner >>> 5)]! >>> (owner & 31)) & 1
        if (!isKept) words[(to >>> 2) + (doc >>> 5)]! &= ~(1 << (doc & 31))
      })
    },
  }
}

function ranges(memory: {
  readonly words: Uint32Array
  readonly bytes: Uint8Array
}): Pick<BitKernel, 'keepBytes' | 'keepInts'> {
  const keep = (to: number, bytes: number, passes: (doc: number) => boolean) => {
    const { words } = memory
    eachBit(words, to, bytes, (doc) => {
      if (!passes(doc)) words[(to >>> 2) + (doc >>> 5)]! &= ~(1 << (doc & 31))
    })
  }
  return {
    keepBytes: (to, bytes, column, min, max) =>
      keep(to, bytes, (doc) => memory.bytes[column + doc]! >= min && memory.bytes[column + doc]! <= max),
    keepInts: (to, bytes, column, min, max) =>
      keep(to, bytes, (doc) => {
        const value = memory.words[(column >>> 2) + doc]! | 0
        return value >= min && value <= max
      }),
  }
}

function setAt(words: Uint32Array, to: number, doc: number): void {
  words[(to >>> 2) + (doc >>> 5)]! |= 1 << (doc & 31)
}

function eachBit(words: Uint32Array, from: number, bytes: number, visit: (doc: number) => void): void {
  for (let index = 0; index < bytes >>> 2; index++) {
    let word = words[(from >>> 2) + index]!
    while (word !== 0) {
      const lowest = word & -word
      visit((index << 5) + 31 - Math.clz32(lowest))
      word ^= lowest
    }
  }
}
