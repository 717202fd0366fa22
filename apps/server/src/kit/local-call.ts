import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { refuseInTransaction } from './inside-transaction.ts'

/**
 * Posts JSON text to the process behind a Unix socket and returns the parsed response. Rejects on a timeout or when the response is not
 * JSON.
 */
export async function postLocal(
  socketPath: string,
  path: string,
  body: string,
  timeoutMs: number,
  headers: OutgoingHttpHeaders = {},
): Promise<unknown> {
  // The ingest may have to wait for a slow device.
  refuseInTransaction('the ingest')
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        socketPath,
        path,
        method: 'POST',
        timeout: timeoutMs,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString('utf8')))
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    request.on('timeout', () => request.destroy(new Error(`no answer in ${timeoutMs} ms`)))
    request.on('error', reject)
    request.end(body)
  })
}

/** Sends GET to the process behind a Unix socket. `isOk` means status 200; undefined means no response in time. */
export function readLocal(socketPath: string, path: string, timeoutMs: number): Promise<{ isOk: boolean; text: string } | undefined> {
  return new Promise((resolve) => {
    const request = httpRequest({ socketPath, path, timeout: timeoutMs }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', () => resolve(undefined))
      response.on('end', () => resolve({ isOk: response.statusCode === 200, text: Buffer.concat(parts).toString('utf8') }))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
    request.end()
  })
}
