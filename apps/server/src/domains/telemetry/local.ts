import { AppError } from '@zhugong/contract/kit/errors'
import type { Config } from '#kit/config'
import { postLocal } from '#kit/local-call'

export interface CommandAnswer {
  cmdId: string
  /** 0 done; 1 and above refused by the device; -1 not reachable, -2 no reply, -3 still waiting, -4 expired. */
  result: number
  message: string
  /** Progress of a request with several steps. */
  steps?: { at: number; step: string; text: string }[]
  data?: Record<string, unknown>
}

/**
 * Sends a request to the ingest on the local socket, as JSON.
 * @throws AppError `unavailable` when the ingest does not reply.
 */
export async function askIngest(
  config: Pick<Config, 'ingestSocket'>,
  path: string,
  body: unknown,
  timeoutMs = 12_000,
): Promise<CommandAnswer> {
  try {
    return (await postLocal(config.ingestSocket, path, JSON.stringify(body), timeoutMs)) as CommandAnswer
  } catch {
    throw new AppError('unavailable', '设备接入服务暂时不可用，请稍后再试')
  }
}
