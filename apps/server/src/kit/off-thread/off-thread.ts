import { ThreadPool } from './pool.ts'

/** Number of threads: the cores of a small machine besides the one of the main thread. Threads start on demand. */
const threads = 2
/** Waiting tasks: a waiting call occupies the connection of its transaction, so few may wait, and fewer per group. */
const waitingPerGroup = 2
const waiting = 8
/** Heap limit: fits one month of data of a busy machine and its results. */
const memoryMb = 384
const idleMs = 60_000

/** The worker threads of this process for long computations. */
export const offThread = new ThreadPool({ threads, waitingPerGroup, waiting, memoryMb, idleMs })
