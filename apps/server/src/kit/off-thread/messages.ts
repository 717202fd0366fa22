import type { AppError } from '@zhugong/contract/kit/errors'

/** Messages between the main thread and its worker threads. */
export type ToThread = { kind: 'work'; module: string; input: unknown } | { kind: 'piece'; done: boolean; value: unknown }
export type FromThread =
  | { kind: 'done'; value: unknown }
  /** An AppError for the caller, passed on unchanged. */
  | { kind: 'refused'; error: Pick<AppError, 'kind' | 'message' | 'detail'> }
  | { kind: 'failed'; message: string; stack: string | undefined }
  | { kind: 'more' }

/** The function that a worker module exports as `work`. `pieces` arrive one by one, each when requested. */
export type Work<I, O, P = never> = (input: I, pieces: AsyncIterable<P>) => O | Promise<O>
