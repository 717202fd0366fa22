import { lookup } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'

const inside = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(net, bits, 'ipv6')

/** Loop-back, private and link-local addresses: a docking must not reach into the house. */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  return inside.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

export class OutsideError extends Error {}

const maxBytes = 4 * 1024 * 1024
const timeoutMs = 20_000

export interface Outgoing {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

/**
 * Asks another platform. The address is looked up once and that very address is connected to, so that a name cannot be turned to
 * something inside between the check and the call. Redirects are not followed. Throws OutsideError in Chinese.
 */
export async function fetchOutside(asked: Outgoing, mayBeInside: boolean): Promise<string> {
  const url = new URL(asked.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch(() => [])
  const [first] = found
  if (!first) throw new OutsideError(`域名 ${host} 无法解析`)
  if (!mayBeInside && found.some((one) => isInside(one.address))) throw new OutsideError('地址指向内网或本机，不允许访问')
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: asked.method,
        headers: asked.headers,
        timeout: timeoutMs,
        lookup: (_host, options, done) => {
          if (options.all) (done as (e: null, a: { address: string; family: number }[]) => void)(null, [first])
          else done(null, first.address, first.family)
        },
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > maxBytes) request.destroy(new OutsideError('返回内容超过 4 MB'))
          else parts.push(part)
        })
        response.on('error', () => reject(new OutsideError('连接中断')))
        response.on('end', () => {
          const code = response.statusCode ?? 0
          if (code >= 300 && code < 400) reject(new OutsideError(`对方要求跳转（HTTP ${code}），请填写最终地址`))
          else if (code === 401 || code === 403) reject(new OutsideError(`对方拒绝了凭证（HTTP ${code}）`))
          else if (code >= 400) reject(new OutsideError(`对方返回 HTTP ${code}`))
          else resolve(Buffer.concat(parts).toString('utf8'))
        })
      },
    )
    request.on('timeout', () => request.destroy(new OutsideError('对方 20 秒内没有应答')))
    request.on('error', (error) => reject(error instanceof OutsideError ? error : new OutsideError('无法连接对方地址')))
    request.end(asked.body)
  })
}
