import { dayMs } from '@zhugong/contract/kit/time'
import type { City, Device } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { idOf } from './equipment-given.ts'

/** Two that push, one with an expired credential, one disabled; and a vendor's devices with typical problems. */
export async function seedDockings(tx: Tx, city: City, secrets: Secrets, now: number): Promise<void> {
  const today = formatDay(now)
  const mapping = {
    list: 'data.list',
    externalId: 'deviceId',
    name: 'deviceName',
    project: 'site',
    model: 'type',
    sn: 'sn',
    time: 'ts',
    values: [{ from: 'weight', metric: 'weight', factor: 1 }],
  }
  const sample = JSON.stringify(
    {
      code: 0,
      data: {
        list: [
          { deviceId: 'WB-01', deviceName: '1# 地磅', site: '云东智谷二期', type: 'SCS100', sn: 'WB26040001', ts: now, weight: 12.36 },
        ],
      },
    },
    null,
    2,
  )
  const dockings = [
    {
      code: 'DK-ZH',
      name: '准衡称重云',
      vendor: '准衡称重设备公司',
      type: '2',
      enable: '1',
      expire: null,
      endpoint: null,
      result: 'partial',
    },
    { code: 'DK-CD', name: '楚电能耗平台', vendor: '楚电仪表公司', type: '2', enable: '1', expire: null, endpoint: null, result: 'ok' },
    {
      code: 'DK-LM',
      name: '路明车联平台',
      vendor: '路明车载终端公司',
      type: '3',
      enable: '1',
      expire: addDays(today, -3),
      endpoint: 'https://vehicle.example.com/api/v2/latest',
      result: 'failed',
    },
    {
      code: 'DK-YC',
      name: '岩测监测云',
      vendor: '岩测科技公司',
      type: '3',
      enable: '0',
      expire: addDays(today, 120),
      endpoint: 'https://monitor.example.com/open/points',
      result: 'ok',
    },
  ] as const
  for (const [i, d] of dockings.entries()) {
    const id = idOf('docking', d.code)
    await sql`insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, auth_kind, auth_name, auth_secret, token_expire, schedule_minutes, mapping, model_match, project_match,
        push_secret, sample, enable, last_run, last_result, create_time, create_by, update_time)
      values (${id}, ${d.code}, ${d.name}, ${d.vendor}, ${d.type}, ${d.endpoint}, ${d.type === '3' ? 'header' : 'none'}, ${d.type === '3' ? 'x-token' : null},
        ${d.type === '3' ? secrets.seal(idOf('token', d.code)) : null}, ${d.expire}, 1440, ${JSON.stringify(mapping)}::jsonb, '{}'::jsonb, '{}'::jsonb,
        ${d.type === '2' ? secrets.seal(idOf('push', d.code, now)) : null}, ${i === 0 ? sample : null}, ${d.enable}, ${new Date(now - (i + 1) * 600_000)}, ${d.result},
        ${new Date(now - 90 * dayMs)}, '平台管理员', ${new Date(now - 9 * dayMs)})`.execute(tx)
    const runs = i === 0 ? 30 : i === 2 ? 6 : 10
    for (let r = 0; r < runs; r++) {
      const failed = i === 2 ? r < 2 : i === 0 && (r === 7 || r === 19)
      const partial = !failed && i === 0 && r === 0
      const rows = failed ? 0 : 26 + ((r * 7) % 5)
      const refused = partial
        ? [
            { externalId: 'WB-27', reason: '没有匹配到平台设备', item: '{"deviceId":"WB-27","weight":3.2}' },
            { externalId: 'WB-28', reason: 'weight 不是数字', item: '{"deviceId":"WB-28","weight":"--"}' },
          ]
        : []
      await sql`insert into gateway3rd_run (id, gateway_id, cause, at, ms, rows, accepted, duplicated, rejected, result, message, refused)
        values (${idOf('run', d.code, r)}, ${id}, ${d.type === '2' ? 'push' : 'schedule'}, ${new Date(now - (i + 1) * 600_000 - r * (d.type === '2' ? 3 * 3_600_000 : dayMs))}, ${180 + ((r * 37) % 400)},
          ${rows}, ${failed ? 0 : rows - refused.length}, ${failed ? 0 : r % 4 === 3 ? 2 : 0}, ${refused.length}, ${failed ? 'failed' : partial ? 'partial' : 'ok'},
          ${failed ? (i === 2 ? `凭证已于 ${addDays(today, -3)} 到期，请更新后重试` : '对方 20 秒内没有应答') : partial ? `${refused.length} 条未接收` : null}, ${JSON.stringify(refused)}::jsonb)`.execute(
        tx,
      )
    }
  }
  await seedExternals(tx, city, now)
}

/** Meters of the energy platform and the bridge of the weighing platform; four unmatched, one missing, one under two names. */
async function seedExternals(tx: Tx, city: City, now: number): Promise<void> {
  const bridge = city.devices.find((d) => d.access.protocol === 'http')
  const meters = city.devices.filter((d) => d.family === 'electricMeter' || d.family === 'waterMeter')
  const siteOf = (d: Device | undefined, n: number) => {
    const project = city.projects.find((p) => p.projectCode === d?.projectCode) ?? city.projects[n % city.projects.length]
    return project?.shortName ?? project?.name ?? null
  }
  const rows = [
    ...(bridge
      ? [
          {
            docking: 'DK-ZH',
            id: 'WB-01',
            name: bridge.name,
            model: 'SCS100',
            device: bridge,
            state: '1',
            sn: bridge.deviceSn,
            error: null,
          },
        ]
      : []),
    ...meters.map((d, i) => ({
      docking: 'DK-CD',
      id: `M-${1001 + i}`,
      name: d.name,
      model: d.family === 'waterMeter' ? 'CD-LXS' : 'CD-DTSY',
      device: d,
      state: '1',
      sn: d.deviceSn,
      error: i === 5 ? '数值类型不正确' : null,
    })),
    ...['2', '2', '2', '3'].map((state, i) => ({
      docking: 'DK-CD',
      id: `M-${1101 + i}`,
      name: `${i + 1}# 临时配电箱电表`,
      model: state === '3' ? 'CD-DTSY' : 'CD-DDS',
      device: undefined,
      state,
      sn: `CDX26${String(i + 1).padStart(5, '0')}`,
      error: null,
    })),
    {
      docking: 'DK-CD',
      id: 'M-1201',
      name: '原办公区电表',
      model: 'CD-DTSY',
      device: undefined,
      state: '4',
      sn: 'CDX2500031',
      error: '对方列表中已没有此设备',
    },
    {
      docking: 'DK-CD',
      id: 'M-1202',
      name: `${meters[0]?.name ?? '电表'}（旧标识）`,
      model: 'CD-DTSY',
      device: undefined,
      state: '2',
      sn: meters[0]?.deviceSn ?? null,
      error: null,
    },
  ]
  for (const [n, r] of rows.entries())
    await sql`insert into external_device (id, gateway_id, external_id, external_name, external_project, external_model, device_sn, device_id, match_state, last_sync, last_error, first_seen)
      values (${idOf('external', n)}, ${idOf('docking', r.docking)}, ${r.id}, ${r.name}, ${siteOf(r.device, n)}, ${r.model}, ${r.sn}, ${r.device?.id ?? null}, ${r.state},
        ${new Date(now - (r.state === '4' ? 4 * dayMs : (n + 1) * 61_000))}, ${r.error}, ${new Date(now - 60 * dayMs)})`.execute(tx)
  await sql`update device set source = '2' where id = ${bridge?.id ?? ''}`.execute(tx)
}
