import { ThreadPool } from './pool.ts'

/** As many as a small machine has cores beside the one that answers calls; the first is there when it is first needed. */
const threads = 2
/** A call that waits holds its transaction's connection: few may, and fewer of one group. */
const waitingPerGroup = 2
const waiting = 8
/** A month of a busy machine and what is worked out of it. */
const memoryMb = 384
const idleMs = 60_000

/** This process's threads for heavy work. */
export const offThread = new ThreadPool({ threads, waitingPerGroup, waiting, memoryMb, idleMs })
