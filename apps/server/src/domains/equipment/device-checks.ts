import { metersOutside } from '@zhugong/contract/organisation/fence'
import type { Point } from '@zhugong/contract/rules/polygon'
import type { Family } from '@zhugong/contract/telemetry/families'
import { missingParams, paramErrors } from './params.ts'

export interface Check {
  key: string
  label: string
  ok: boolean
  text: string
}

/** Families whose monitor is useless without the registered machine it is mounted on (建设部令第166号). */
export const familiesWithRecord: readonly string[] = ['towerCrane', 'lifter']
/** A position further off the fence than this (in metres) is on another site, or the point is wrong. */
export const fenceToleranceMeters = 200

export interface CheckFacts {
  family: Family | undefined
  params: Record<string, unknown>
  protocol: string
  gateway: { enabled: boolean; sameProject: boolean } | null
  /** Readings or frames received within the last hour. */
  heard: boolean
  modelName: string | null
  modelEnabled: boolean | null
  specialRecordNo: string | null
  place: readonly [number, number] | null
  /** Polygons of the project's fence. */
  fence: readonly (readonly Point[])[]
  twins: number
}

const label = {
  access: '接入',
  params: '参数',
  place: '位置',
  data: '数据',
  model: '型号',
  record: '备案',
  twin: '重复',
} as const

/** The seven automatic checks shown to the reviewer. */
export function deviceChecks(f: CheckFacts): Check[] {
  const check = (key: keyof typeof label, ok: boolean, good: string, bad: string): Check => ({
    key,
    label: label[key],
    ok,
    text: ok ? good : bad,
  })
  const wrong = f.family ? paramErrors(f.family, f.params) : []
  const missing = missingParams(f.family, f.params)
  const off = f.place && metersOutside(f.place, f.fence)
  const needsGateway = f.protocol === 'mqtt' || f.protocol === 'poll'
  return [
    needsGateway
      ? check(
          'access',
          Boolean(f.gateway?.enabled && f.gateway.sameProject),
          '网关可用',
          f.gateway ? (f.gateway.enabled ? '网关属于另一个项目' : '网关已停用') : '没有网关',
        )
      : check('access', true, '直连平台', ''),
    check(
      'params',
      wrong.length === 0 && missing.length === 0,
      '齐全且在范围内',
      wrong.length ? wrong.map((w) => w.text).join('；') : `缺少：${missing.slice(0, 6).join('、')}${missing.length > 6 ? ' 等' : ''}`,
    ),
    check(
      'place',
      f.place !== null && (off ?? 0) <= fenceToleranceMeters,
      off ? `围栏外 ${Math.round(off)} 米` : '在围栏内',
      f.place ? `在围栏外 ${Math.round(off ?? 0)} 米` : '没有坐标',
    ),
    check('data', f.heard, '一小时内收到报文', '一小时内没有收到报文'),
    check(
      'model',
      f.modelName !== null && f.modelEnabled === true,
      `型号 ${f.modelName ?? ''}`,
      f.modelName ? (f.modelEnabled === null ? '型号不在型号库' : '型号已停用') : '没有型号',
    ),
    f.family && familiesWithRecord.includes(f.family.key)
      ? check('record', Boolean(f.specialRecordNo), `产权备案编号 ${f.specialRecordNo ?? ''}`, '没有产权备案编号')
      : check('record', true, '不需要备案', ''),
    check('twin', f.twins === 0, '没有同名同类设备', `本项目另有 ${f.twins} 台同名同类设备`),
  ]
}
