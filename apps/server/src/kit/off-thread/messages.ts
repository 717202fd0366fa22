import type { AppError } from '@zhugong/contract/kit/errors'

/** What passes between a process and its working threads. */
export type ToThread = { kind: 'work'; module: string; input: unknown } | { kind: 'piece'; done: boolean; value: unknown }
export type FromThread =
  | { kind: 'done'; value: unknown }
  /** A refusal for the caller, word for word. */
  | { kind: 'refused'; error: Pick<AppError, 'kind' | 'message' | 'detail'> }
  | { kind: 'failed'; message: string; stack: string | undefined }
  | { kind: 'more' }

/** What a module that works in a thread exports as `work`. `pieces` come one by one, each when it is asked for. */
export type Work<I, O, P = never> = (input: I, pieces: AsyncIterable<P>) => O | Promise<O>
