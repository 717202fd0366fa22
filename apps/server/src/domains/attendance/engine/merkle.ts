import { hash } from 'node:crypto'

/* RFC 6962: a leaf is hashed behind 00, a node behind 01, so that no node can pass for a leaf. Hashes are hex. */

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')
const leafMark = Buffer.of(0)
const nodeMark = Buffer.of(1)

const leafOf = (entryHash: string): Buffer => sha256(Buffer.concat([leafMark, Buffer.from(entryHash, 'hex')]))
const nodeOf = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.concat([nodeMark, left, right]))

/** A root over any number of leaves, holding one hash per level only. */
export class MerkleBuilder {
  private readonly peaks: { hash: Buffer; size: number }[] = []
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
    if (!last) return sha256(Buffer.alloc(0)).toString('hex')
    return rest.reduce((right, left) => nodeOf(left.hash, right), last.hash).toString('hex')
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

/** The hashes that lead from leaf `index` to the root, lowest first. */
export function inclusionPath(entryHashes: readonly string[], index: number): string[] {
  if (index < 0 || index >= entryHashes.length) throw new RangeError('no such leaf')
  const leaves = entryHashes.map(leafOf)
  const rootOf = (from: number, to: number): Buffer => {
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
      path.push(rootOf(middle, to).toString('hex'))
    } else {
      descend(middle, to)
      path.push(rootOf(from, middle).toString('hex'))
    }
  }
  descend(0, leaves.length)
  return path
}

/** RFC 9162 2.1.3.2: whether an entry stands at `index` of the `count` entries under `root`. */
export function isIncluded(entryHash: string, index: number, count: number, path: readonly string[], root: string): boolean {
  if (!Number.isInteger(index) || index < 0 || index >= count) return false
  let [node, last] = [index, count - 1]
  let reached = leafOf(entryHash)
  for (const step of path) {
    if (last === 0) return false
    const sibling = Buffer.from(step, 'hex')
    if (node % 2 === 1 || node === last) {
      reached = nodeOf(sibling, reached)
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2)
        last = Math.floor(last / 2)
      }
    } else {
      reached = nodeOf(reached, sibling)
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && reached.toString('hex') === root
}
