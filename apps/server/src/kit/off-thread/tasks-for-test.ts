import { AppError } from '@zhugong/contract/kit/errors'
import type { Work } from './messages.ts'

type Task =
  | { kind: 'echo'; value: unknown }
  | { kind: 'spin'; ms: number }
  | { kind: 'grow' }
  | { kind: 'refuse' }
  | { kind: 'fail' }
  | { kind: 'sum' }

/** Tasks that tests run in a thread. */
export const work: Work<Task, unknown, number> = async (task, pieces) => {
  switch (task.kind) {
    case 'echo':
      return task.value
    case 'spin': {
      const until = Date.now() + task.ms
      while (Date.now() < until);
      return 'spun'
    }
    case 'grow': {
      const all: number[][] = []
      for (;;) all.push(Array.from({ length: 10_000 }, (_, i) => i + all.length))
    }
    case 'refuse':
      throw new AppError('invalidInput', '不行', { field: 'x' })
    case 'fail':
      throw new Error('broken')
    case 'sum': {
      let sum = 0
      for await (const piece of pieces) sum += piece
      return sum
    }
  }
}
