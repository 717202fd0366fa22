import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { DockingMapping } from '@zhugong/contract/equipment/docking-endpoints'
import type pg from 'pg'
import { formatDay } from '#kit/clock'
import { newId } from '#kit/ids'
import { postLocal } from '#kit/local-call'
import type { Log } from '#kit/log'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import type { Secrets } from '#kit/secret'
import { type MappedItem, mapAnswer } from './docking-map.ts'

export interface DockingDependencies {
  pool: pg.Pool
  outgoing: Outgoing
  secrets: Secrets
  log: Log
  ingestSocket: string
  now(): number
}

export interface DockingTable {
  id: string
  code: string
  name: string
  conn_type: string
  endpoint: string | null
  http_method: string
  auth_kind: string
  auth_name: string | null
  auth_secret: Buffer | null
  token_expire: string | null
  mapping: DockingMapping
  model_match: Record<string, string>
  project_match: Record<string, string>
  enable: string
}

export interface RunResult {
  rows: number
  accepted: number
  duplicated: number
  rejected: number
  result: 'ok' | 'partial' | 'failed'
  message: string | null
  refused: { externalId: string; reason: string; item: string }[]
}

const keptRefusals = 200
const failed = (message: string): RunResult => ({
  rows: 0,
  accepted: 0,
  duplicated: 0,
  rejected: 0,
  result: 'failed',
  message,
  refused: [],
})

/** Builds the request to the external platform, with the credentials where it expects them. */
export function questionOf(
  docking: Pick<DockingTable, 'endpoint' | 'http_method' | 'auth_kind' | 'auth_name'>,
  secret: string | null,
  now: number,
  period?: { from?: number | undefined; to?: number | undefined },
) {
  const url = new URL(docking.endpoint ?? '')
  if (period?.from) url.searchParams.set('startTime', String(period.from))
  if (period?.to) url.searchParams.set('endTime', String(period.to))
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'zhugong' }
  if (secret && docking.auth_kind === 'header') headers[docking.auth_name || 'authorization'] = secret
  if (secret && docking.auth_kind === 'query') url.searchParams.set(docking.auth_name || 'token', secret)
  if (secret && docking.auth_kind === 'signature') {
    const timestamp = String(now)
    headers['x-timestamp'] = timestamp
    headers['x-sign'] = createHmac('sha256', secret)
      .update(`${docking.http_method}\n${url.pathname}${url.search}\n${timestamp}`)
      .digest('hex')
  }
  const isPost = docking.http_method === 'POST'
  if (isPost) headers['content-type'] = 'application/json'
  return { url: url.href, method: docking.http_method, headers, body: isPost ? '{}' : undefined }
}

/** One pull: requests, maps, stores and records the run. Never throws. */
export async function runPull(
  deps: DockingDependencies,
  docking: DockingTable,
  run: { id: string; cause: string; from?: number | undefined; to?: number | undefined },
): Promise<RunResult> {
  const begun = deps.now()
  let result: RunResult
  try {
    if (docking.token_expire && docking.token_expire < formatDay(begun))
      result = failed(`凭证已于 ${docking.token_expire} 到期，请更新后重试`)
    else if (!docking.endpoint) result = failed('没有填写接口地址')
    else {
      const text = await deps.outgoing.ask(questionOf(docking, deps.secrets.open(docking.auth_secret), begun, run))
      result = await takeIn(deps, docking, parsed(text), true)
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) deps.log.error({ err: error, docking: docking.id }, 'docking run')
    result = failed(error instanceof OutgoingError ? error.message : '处理返回内容时出错')
  }
  await writeRun(deps, docking.id, run, begun, result)
  return result
}

/** One push: maps, stores and records the run in the same way. */
export async function runPush(deps: DockingDependencies, docking: DockingTable, body: string): Promise<RunResult> {
  const begun = deps.now()
  const result = await takeIn(deps, docking, parsed(body), false).catch((error: unknown) => {
    if (!(error instanceof OutgoingError)) throw error
    return failed(error.message)
  })
  await writeRun(deps, docking.id, { id: newId(), cause: 'push' }, begun, result)
  return result
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OutgoingError('内容不是有效的 JSON')
  }
}

async function writeRun(
  deps: DockingDependencies,
  gatewayId: string,
  run: { id: string; cause: string },
  begun: number,
  r: RunResult,
): Promise<void> {
  await deps.pool.query(
    `insert into gateway3rd_run (id, gateway_id, cause, at, ms, rows, accepted, duplicated, rejected, result, message, refused)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do update set ms = excluded.ms, rows = excluded.rows, accepted = excluded.accepted, duplicated = excluded.duplicated,
       rejected = excluded.rejected, result = excluded.result, message = excluded.message, refused = excluded.refused`,
    [
      run.id,
      gatewayId,
      run.cause,
      new Date(begun),
      deps.now() - begun,
      r.rows,
      r.accepted,
      r.duplicated,
      r.rejected,
      r.result,
      r.message,
      JSON.stringify(r.refused),
    ],
  )
  await deps.pool.query('update gateway3rd set last_run = $2, last_result = $3 where id = $1', [gatewayId, new Date(begun), r.result])
}

interface Known {
  id: string
  external_id: string
  enabled: boolean
  device_id: string | null
  device_sn: string | null
  app_id: string | null
  app_secret: Buffer | null
}

/**
 * Stores external items as readings of our devices. They use the path of the signed open API: deduplicated, checked by rules and shown
 * live. Items without a matching device are kept for manual matching.
 */
async function takeIn(deps: DockingDependencies, docking: DockingTable, answer: unknown, isWhole: boolean): Promise<RunResult> {
  const { items, problem } = mapAnswer(answer, docking.mapping)
  if (problem) return failed(problem)
  const now = new Date(deps.now())
  const refused: RunResult['refused'] = []
  const refuse = (item: MappedItem, reason: string) =>
    refused.push({ externalId: item.externalId, reason, item: JSON.stringify(item.raw).slice(0, 500) })
  await remember(deps.pool, docking, items, now)
  const known = await findKnown(deps.pool, docking.id, items)
  const batches = new Map<string, { device: Known; items: { item: MappedItem; time: number }[] }>()
  for (const item of items) {
    if (item.errors.length) {
      refuse(item, item.errors.join('；'))
      if (!item.externalId || Object.keys(item.values).length === 0) continue
    }
    const device = known.get(item.externalId)
    if (!device?.device_id) refuse(item, '没有匹配到平台设备')
    else if (!device.enabled) refuse(item, '该设备已停用对接')
    else if (!device.app_id) refuse(item, '设备没有开放应用凭证')
    else if (Object.keys(item.values).length === 0) refuse(item, '没有可用的数值')
    else {
      const batch = batches.get(device.device_id) ?? { device, items: [] }
      batch.items.push({ item, time: item.time ?? deps.now() })
      batches.set(device.device_id, batch)
    }
  }
  let accepted = 0
  let duplicated = 0
  for (const { device, items: readings } of batches.values()) {
    const answerOf = await deliver(deps, device, readings)
    accepted += answerOf.accepted
    duplicated += answerOf.duplicated
    for (const { index, reason } of answerOf.rejected) {
      const one = readings[index]
      if (one) refuse(one.item, reason)
    }
    await deps.pool.query('update external_device set last_error = $2 where id = $1', [device.id, answerOf.rejected[0]?.reason ?? null])
  }
  if (isWhole && items.length > 0) {
    await deps.pool.query(
      `update external_device set match_state = '4', last_error = '对方列表中已没有此设备' where gateway_id = $1 and match_state <> '4' and not external_id = any ($2)`,
      [docking.id, items.map((i) => i.externalId)],
    )
  }
  const rejected = refused.length
  return {
    rows: items.length,
    accepted,
    duplicated,
    rejected,
    result: rejected === 0 ? 'ok' : accepted + duplicated > 0 ? 'partial' : items.length === 0 ? 'ok' : 'failed',
    message: rejected ? `${rejected} 条未接收` : null,
    refused: refused.slice(0, keptRefusals),
  }
}

/** Stores every external device ever seen, and what its match still lacks. */
async function remember(pool: pg.Pool, docking: DockingTable, items: readonly MappedItem[], now: Date): Promise<void> {
  const rows = new Map(
    items
      .filter((i) => i.externalId)
      .map((i) => [
        i.externalId,
        {
          id: newId(),
          external_id: i.externalId,
          external_name: i.name,
          external_project: i.project,
          external_model: i.model,
          device_sn: i.sn,
          state: i.model && !docking.model_match[i.model] ? '2' : i.project && !docking.project_match[i.project] ? '3' : '2',
        },
      ]),
  )
  if (rows.size === 0) return
  await pool.query(
    `insert into external_device (id, gateway_id, external_id, external_name, external_project, external_model, device_sn, match_state, last_sync, first_seen)
     select id, $2, external_id, external_name, external_project, external_model, device_sn, state, $3, $3
     from jsonb_to_recordset($1::jsonb) as r(id text, external_id text, external_name text, external_project text, external_model text, device_sn text, state text)
     on conflict (gateway_id, external_id) do update set external_name = coalesce(excluded.external_name, external_device.external_name),
       external_project = coalesce(excluded.external_project, external_device.external_project), external_model = coalesce(excluded.external_model, external_device.external_model),
       device_sn = coalesce(excluded.device_sn, external_device.device_sn), last_sync = excluded.last_sync,
       match_state = case when external_device.device_id is not null then '1' else excluded.match_state end`,
    [JSON.stringify([...rows.values()]), docking.id, now],
  )
}

async function findKnown(pool: pg.Pool, gatewayId: string, items: readonly MappedItem[]): Promise<Map<string, Known>> {
  const { rows } = await pool.query<Known>(
    `select x.id, x.external_id, x.enabled, x.device_id, d.device_sn, a.id as app_id, a.secret as app_secret
     from external_device x left join device d on d.id = x.device_id and d.protocol = 'http'
     left join open_app a on a.id = d.access ->> 'appId' and a.project_code = d.project_code and a.status = '1'
     where x.gateway_id = $1 and x.external_id = any ($2)`,
    [gatewayId, items.map((i) => i.externalId)],
  )
  return new Map(rows.map((r) => [r.external_id, r]))
}

interface Delivered {
  accepted: number
  duplicated: number
  rejected: { index: number; reason: string }[]
}

const perCall = 1_000

async function deliver(deps: DockingDependencies, device: Known, readings: { item: MappedItem; time: number }[]): Promise<Delivered> {
  const total: Delivered = { accepted: 0, duplicated: 0, rejected: [] }
  for (let start = 0; start < readings.length; start += perCall) {
    const part = readings.slice(start, start + perCall)
    const body = JSON.stringify({ deviceSn: device.device_sn, items: part.map(({ item, time }) => ({ time, data: item.values })) })
    const answer = await signedPost(deps, device, '/api/v1/open/device/data', body)
    if (!answer.ok) total.rejected.push(...part.map((_, i) => ({ index: start + i, reason: answer.message })))
    else {
      total.accepted += answer.data.accepted
      total.duplicated += answer.data.duplicated
      const seen = new Set<number>()
      for (const r of answer.data.rejected) {
        if (!seen.has(r.index)) total.rejected.push({ index: start + r.index, reason: r.reason })
        seen.add(r.index)
      }
    }
  }
  return total
}

const pushMs = 15_000

async function signedPost(
  deps: DockingDependencies,
  device: Known,
  path: string,
  body: string,
): Promise<{ ok: true; data: Delivered } | { ok: false; message: string }> {
  const timestamp = String(deps.now())
  const nonce = randomBytes(16).toString('hex')
  const text = ['POST', path, timestamp, nonce, createHash('sha256').update(body).digest('hex')].join('\n')
  const headers = {
    'x-app-id': device.app_id ?? '',
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-sign': createHmac('sha256', deps.secrets.open(device.app_secret) ?? '')
      .update(text)
      .digest('hex'),
  }
  try {
    const answer = (await postLocal(deps.ingestSocket, path, body, pushMs, headers)) as { status: number; message: string; data: Delivered }
    return answer.status === 0 ? { ok: true, data: answer.data } : { ok: false, message: answer.message }
  } catch {
    return { ok: false, message: '设备接入服务暂时不可用' }
  }
}
