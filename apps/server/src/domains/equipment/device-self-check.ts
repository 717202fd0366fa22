import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Health, selfChecks } from './device-health.ts'
import type { DeviceDetailRow } from './device-write.ts'
import { soundFrameResults } from './frame-words.ts'

const refusals: Readonly<Record<string, string>> = {
  unregistered: '标识没有登记，核对序列号或 MN',
  wrongPassword: '密码错误，核对设备里的密码或在此更换',
  notBound: '设备没有绑定到发来消息的网关',
  notInService: '设备没有投入使用',
  encryptedNoKey: '报文已加密，请填写密钥',
}

export async function findSelfCheck(
  ctx: Pick<Context, 'db' | 'clock'>,
  row: DeviceDetailRow,
  health: Health | undefined,
  offlineSeconds: number,
) {
  const now = ctx.clock.now()
  const hour = new Date(now - 3_600_000)
  const { rows } = await sql<{
    gatewayOnline: boolean | null
    gatewayStatus: string | null
    gatewayName: string | null
    bad: number
    refused: string | null
    rules: number
  }>`select g.online as gateway_online, g.status as gateway_status, g.name as gateway_name,
      (select count(*)::int from device_frame f where f.device_id = ${row.id} and f.time > ${hour} and not f.result = any (${[...soundFrameResults]})) as bad,
      coalesce((select u.reason from unregistered_device u where u.identifier in (${row.deviceSn}, ${row.accessKey}) and u.last_time > ${hour} order by u.last_time desc limit 1),
        (select f.result from device_frame f where f.device_id = ${row.id} and f.time > ${hour} and f.result in ('wrongPassword', 'notBound') order by f.time desc limit 1)) as refused,
      (select count(*)::int from rule_trigger t where t.family = ${row.family} and t.enabled) as rules
    from (select 1) one left join gateway g on g.id = ${row.gatewayId}`.execute(ctx.db)
  const facts = rows[0] ?? { gatewayOnline: null, gatewayStatus: null, gatewayName: null, bad: 0, refused: null, rules: 0 }
  const family = familyOf(row.family)
  const heardSeconds = row.receivedAt ? (now - row.receivedAt.getTime()) / 1000 : null
  const heard = heardSeconds !== null && heardSeconds <= offlineSeconds
  return selfChecks({
    inService: row.status === '1',
    waitsForReview: row.status === '0',
    heardSeconds,
    offlineSeconds,
    // A refusal from before the last good reading is over.
    refusedReason: facts.refused && !heard ? (refusals[facts.refused] ?? facts.refused) : null,
    gateway:
      facts.gatewayName === null
        ? null
        : { online: facts.gatewayOnline ?? false, enabled: facts.gatewayStatus === '1', name: facts.gatewayName },
    badFramesHour: facts.bad,
    skewSeconds: health?.clockSkewSeconds ?? null,
    doubtful: (health?.doubtful ?? []).map((key) => family?.metric(key)?.label ?? key),
    rules: facts.rules,
  })
}
