import { hash } from 'node:crypto'

/* RFC 6962: leaves are hashed with prefix 00, nodes with 01, so that a node cannot be presented as a leaf. Hashes are hex. */

// Hex throughout: a new Buffer for each of a million hashes costs more than the hash itself.
const sha256 = (bytes: Buffer): string => hash('sha256', bytes, 'hex')
// Reused for every hash; the first byte is the RFC 6962 prefix.
const leafBytes = Buffer.alloc(33, 0)
const nodeBytes = Buffer.alloc(65, 1)

function leafOf(entryHash: string): string {
  leafBytes.write(entryHash, 1, 32, 'hex')
  return sha256(leafBytes)
}

function nodeOf(left: string, right: string): string {
  nodeBytes.write(left, 1, 32, 'hex')
  nodeBytes.write(right, 33, 32, 'hex')
  return sha256(nodeBytes)
}

/** Computes a root over any number of leaves, storing one hash per level. */
export class MerkleBuilder {
  private readonly peaks: { hash: string; size: number }[] = []
  private leaves = 0

  add(entryHash: string): void {
    let peak = { hash: leafOf(entryHash), size: 1 }
    for (let left = this.peaks.at(-1); left?.size === peak.size; left = this.peaks.at(-1)) {
      this.peaks.pop()
      peak = { hash: nodeOf(left.hash, peak.hash), size: left.size * 2 }
    }
    this.peaks.push(peak)
    this.leaves++
  }

  get count(): number {
    return this.leaves
  }

  root(): string {
    const [last, ...rest] = [...this.peaks].reverse()
    if (!last) return sha256(Buffer.alloc(0))
    return rest.reduce((right, left) => nodeOf(left.hash, right), last.hash)
  }
}

export function merkleRoot(entryHashes: Iterable<string>): string {
  const builder = new MerkleBuilder()
  for (const entryHash of entryHashes) builder.add(entryHash)
  return builder.root()
}

/** The largest power of two below `n`. */
function splitOf(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

/** The sibling hashes from leaf `index` to the root, lowest first. */
export function inclusionPath(entryHashes: readonly string[], index: number): string[] {
  if (index < 0 || index >= entryHashes.length) throw new RangeError('no such leaf')
  const leaves = entryHashes.map(leafOf)
  const rootOf = (from: number, to: number): string => {
    if (to - from === 1) return leaves[from]!
    const middle = from + splitOf(to - from)
    return nodeOf(rootOf(from, middle), rootOf(middle, to))
  }
  const path: string[] = []
  const descend = (from: number, to: number): void => {
    if (to - from === 1) return
    const middle = from + splitOf(to - from)
    if (index < middle) {
      descend(from, middle)
      path.push(rootOf(middle, to))
    } else {
      descend(middle, to)
      path.push(rootOf(from, middle))
    }
  }
  descend(0, leaves.length)
  return path
}

/** RFC 9162 2.1.3.2: whether an entry is at `index` of the `count` entries under `root`. */
export function isIncluded(entryHash: string, index: number, count: number, path: readonly string[], root: string): boolean {
  if (!Number.isInteger(index) || index < 0 || index >= count) return false
  let [node, last] = [index, count - 1]
  let reached = leafOf(entryHash)
  for (const step of path) {
    if (last === 0) return false
    if (!/^[0-9a-f]{64}$/.test(step)) return false
    if (node % 2 === 1 || node === last) {
      reached = nodeOf(step, reached)
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2)
        last = Math.floor(last / 2)
      }
    } else {
      reached = nodeOf(reached, step)
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && reached === root
}
