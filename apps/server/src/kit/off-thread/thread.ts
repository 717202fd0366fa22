import { parentPort } from 'node:worker_threads'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FromThread, ToThread, Work } from './messages.ts'

const port = parentPort
if (!port) throw new Error('runs in a thread only')
const tell = (message: FromThread) => port.postMessage(message)

let arrived: ((piece: Extract<ToThread, { kind: 'piece' }>) => void) | undefined
async function* pieces(): AsyncGenerator<unknown> {
  const ask = () => {
    const requested = new Promise<Extract<ToThread, { kind: 'piece' }>>((resolve) => {
      arrived = resolve
    })
    tell({ kind: 'more' })
    return requested
  }
  for (let next = ask(); ; ) {
    const { done, value } = await next
    if (done) return
    // Request the next piece while the current one is processed.
    next = ask()
    yield value
  }
}

async function take(task: Extract<ToThread, { kind: 'work' }>): Promise<void> {
  try {
    const { work } = (await import(task.module)) as { work: Work<unknown, unknown, unknown> }
    tell({ kind: 'done', value: await work(task.input, pieces()) })
  } catch (error) {
    if (error instanceof AppError) tell({ kind: 'refused', error: { kind: error.kind, message: error.message, detail: error.detail } })
    else tell({ kind: 'failed', message: String((error as Error).message), stack: (error as Error).stack })
  }
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'piece') arrived?.(message)
  else void take(message)
})
