import { request as httpRequest } from 'node:http'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Config } from '#kit/config'

export interface CommandAnswer {
  cmdId: string
  /** 0 done; 1 and above refused by the device; -1 not reachable, -2 no reply, -3 still waiting, -4 expired. */
  result: number
  message: string
  /** How far an exchange of several steps came. */
  steps?: { at: number; step: string; text: string }[]
  data?: Record<string, unknown>
}

/** A question to the ingest on the local socket, as JSON. */
export function askIngest(config: Pick<Config, 'ingestSocket'>, path: string, body: unknown, timeoutMs = 12_000): Promise<CommandAnswer> {
  return new Promise((resolve, reject) => {
    const away = () => reject(new AppError('unavailable', '设备接入服务暂时不可用，请稍后再试'))
    const request = httpRequest(
      { socketPath: config.ingestSocket, path, method: 'POST', timeout: timeoutMs, headers: { 'content-type': 'application/json' } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString('utf8')) as CommandAnswer)
          } catch {
            away()
          }
        })
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', away)
    request.end(JSON.stringify(body))
  })
}
