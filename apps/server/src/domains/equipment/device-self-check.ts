import { frameHint } from '@zhugong/contract/telemetry/commands'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { type FrameFacts, type Health, selfChecks } from './device-health.ts'
import type { DeviceDetailRow } from './device-write.ts'
import { soundFrameResults } from './frame-words.ts'

const refusals: Readonly<Record<string, string>> = {
  unregistered: '标识没有登记，核对序列号或 MN',
  wrongPassword: '密码错误，核对设备里的密码或在此更换',
  notBound: '设备没有绑定到发来消息的网关',
  notInService: '设备没有投入使用',
  encryptedNoKey: '报文已加密，请填写密钥',
  registeredBefore: '终端已注册过又来注册，多为丢了鉴权码：在“接入”中开放注册，再让终端上线',
  registrationClosed: '终端在注册开放时间之外注册：在“接入”中开放注册，再让终端上线',
  otherPlate: '终端注册的车牌与档案不符，核对终端里的车牌或设备档案',
  tooManyTries: '密码或鉴权码连续错误，平台暂停核对，改对后最长 5 分钟恢复',
  otherTerminal: '注册的不是档案或绑定的那台终端：换装时在“接入”中按更换终端开放注册',
  notAuthenticated: '终端没有鉴权就发消息，检查终端的上线流程',
  signature: '推送的签名不正确，核对应用密钥与签名串',
  clock: '推送的时间戳与平台相差超过 5 分钟，给推送方的服务器校时',
  disabled: '推送所用的应用已停用，在应用管理中启用',
  forbidden: '推送所用的应用无权访问这台设备所属的项目或类别',
}
/** Frame results that concern the time, not the format. */
const timeResults: ReadonlySet<string> = new Set(['tooOld', 'time'])

interface Came {
  result: string
  count: number
  newest: Date
  hint: string | null
}

/** Newest first. */
function frameFacts(protocol: string, came: readonly Came[], receivedAt: Date | null): FrameFacts {
  const since = receivedAt?.getTime() ?? 0
  const badTime = came.find((one) => timeResults.has(one.result) && one.newest.getTime() > since)
  const bad = came.find((one) => !soundFrameResults.includes(one.result) && !timeResults.has(one.result))
  return {
    came: came.some((one) => one.result !== 'noAnswer'),
    onlyAccepted: came.length > 0 && came.every((one) => one.result === 'accepted' || one.result === 'ignored'),
    badTime: badTime ? (badTime.hint ?? frameHint(protocol, badTime.result) ?? null) : null,
    badHint: bad ? (bad.hint ?? frameHint(protocol, bad.result) ?? null) : null,
  }
}

export async function findSelfCheck(
  ctx: Pick<Context, 'db' | 'clock'>,
  row: DeviceDetailRow,
  health: Health | undefined,
  offlineSeconds: number,
) {
  const now = ctx.clock.now()
  const hour = new Date(now - 3_600_000)
  // Frames from before the device's registration count too, as in the frame log.
  const names = [row.deviceSn, row.accessKey, row.accessKey.replace(/^0+(?=\d)/, '')]
  const came =
    await sql<Came>`select f.result, count(*)::int as count, max(f.time) as newest, (array_agg(f.hint order by f.time desc))[1] as hint
    from device_frame f where f.time > ${hour} and f.direction = 'up'
      and (f.device_id = ${row.id} or (f.device_id is null and f.identifier = any (${names})))
    group by f.result order by max(f.time) desc`.execute(ctx.db)
  const { rows } = await sql<{
    gatewayOnline: boolean | null
    gatewayStatus: string | null
    gatewayName: string | null
    refused: string | null
    rules: number
  }>`select g.online as gateway_online, g.status as gateway_status, g.name as gateway_name,
      coalesce((select u.reason from unregistered_device u where u.identifier in (${row.deviceSn}, ${row.accessKey}) and u.last_time > ${hour} order by u.last_time desc limit 1),
        (select f.result from device_frame f where (f.device_id = ${row.id} or (f.device_id is null and f.identifier = any (${names}))) and f.time > ${hour}
          and f.result = any (${Object.keys(refusals)}) order by f.time desc limit 1)) as refused,
      (select count(*)::int from rule_trigger t where t.family = ${row.family} and t.enabled) as rules
    from (select 1) one left join gateway g on g.id = ${row.gatewayId}`.execute(ctx.db)
  const facts = rows[0] ?? { gatewayOnline: null, gatewayStatus: null, gatewayName: null, refused: null, rules: 0 }
  const family = familyOf(row.family)
  const heardSeconds = row.receivedAt ? (now - row.receivedAt.getTime()) / 1000 : null
  const heard = heardSeconds !== null && heardSeconds <= offlineSeconds
  return selfChecks({
    inService: row.status === '1',
    waitsForReview: row.status === '0',
    heardSeconds,
    offlineSeconds,
    intervalSeconds: row.intervalSeconds,
    // A refusal before the last good reading is no longer relevant.
    refusedReason: facts.refused && !heard ? (refusals[facts.refused] ?? facts.refused) : null,
    gateway:
      facts.gatewayName === null
        ? null
        : { online: facts.gatewayOnline ?? false, enabled: facts.gatewayStatus === '1', name: facts.gatewayName },
    frames: frameFacts(row.protocol, came.rows, row.receivedAt),
    badFramesHour: came.rows.reduce(
      (sum, one) => (soundFrameResults.includes(one.result) || timeResults.has(one.result) ? sum : sum + one.count),
      0,
    ),
    skewSeconds: health?.clockSkewSeconds ?? null,
    doubtful: (health?.doubtful ?? []).map((key) => family?.metric(key)?.label ?? key),
    rules: facts.rules,
  })
}
