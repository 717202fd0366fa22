import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PeopleWork } from './people-thread.ts'

/**
 * Passages of past weeks and face pictures, in a worker thread, because the first page does not need them. `onAttendance` is called once the passages
 * are stored. An interrupted run is continued at the next start.
 */
export async function growPeople(work: PeopleWork, onAttendance: () => void, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const thread = new Worker(new URL('./people-thread.ts', import.meta.url), { workerData: work })
  const stop = () => void thread.terminate()
  signal?.addEventListener('abort', stop)
  thread.on('message', onAttendance)
  try {
    const [code] = (await once(thread, 'exit')) as [number]
    if (code !== 0 && !signal?.aborted) throw new Error(`the thread that writes people's past ended with ${code}`)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
