import { dayMs, hourMs, minuteMs } from '../kit/time.ts'

/** Who decides about a permit, from the lowest. */
export const approvers = { gang: '班组长', safety: '安全员', manager: '项目负责人' } as const
export type Approver = keyof typeof approvers

interface Grade {
  most: number
  approver: Approver
}
interface PermitType {
  name: string
  /** By level; a type without levels has one. */
  grades: Readonly<Record<string, Grade>>
  /** Licences (dictionary specialCertType, first two digits) of which each worker needs one. */
  licences: readonly string[]
  /** What is confirmed before the permit is asked for; `photo`: with a photograph. */
  measures: readonly { text: string; photo?: true }[]
}

const day = (days: number, approver: Approver): Readonly<Record<string, Grade>> => ({ '': { most: days * dayMs, approver } })
const shift = 24 * hourMs

/**
 * Kinds of dangerous work (dictionary dangerousWorkType). Longest times of hot work by its level are 24 hours, 3 and 7 days; those of the
 * others are the house's own.
 */
export const permitTypes: Readonly<Record<string, PermitType>> = {
  1: {
    name: '动火作业',
    grades: {
      一级: { most: shift, approver: 'manager' },
      二级: { most: 3 * dayMs, approver: 'safety' },
      三级: { most: 7 * dayMs, approver: 'gang' },
    },
    licences: ['07'],
    measures: [
      { text: '清除动火点周围 10 m 可燃物，不能清除的已覆盖隔离', photo: true },
      { text: '配备灭火器材，接火斗已设置', photo: true },
      { text: '气瓶间距与距明火距离符合要求' },
      { text: '已向作业人员交底' },
    ],
  },
  2: {
    name: '高处作业',
    grades: day(7, 'safety'),
    licences: ['02', '06'],
    measures: [
      { text: '安全带、安全绳高挂低用', photo: true },
      { text: '作业平台、临边防护牢固', photo: true },
      { text: '下方设警戒区' },
      { text: '已向作业人员交底' },
    ],
  },
  3: {
    name: '吊装作业',
    grades: day(1, 'safety'),
    licences: ['03', '04'],
    measures: [
      { text: '吊索具、吊钩、限位检查合格', photo: true },
      { text: '吊装区域设警戒，无关人员撤离', photo: true },
      { text: '信号指挥与司机通信畅通' },
      { text: '已向作业人员交底' },
    ],
  },
  4: {
    name: '临时用电',
    grades: day(15, 'gang'),
    licences: ['01'],
    measures: [{ text: '一机一闸一漏一箱，漏电保护器试跳正常', photo: true }, { text: '电缆架空或穿管保护' }, { text: '接地电阻符合要求' }],
  },
  5: {
    name: '有限空间作业',
    grades: day(1, 'manager'),
    licences: [],
    measures: [
      { text: '先通风、再检测、后作业，通风设备运转', photo: true },
      { text: '安全绳、呼吸器、救援三脚架到位', photo: true },
      { text: '进出人员登记，内外联络畅通' },
      { text: '已向作业人员交底' },
    ],
  },
  6: {
    name: '动土开挖',
    grades: day(7, 'safety'),
    licences: [],
    measures: [{ text: '地下管线已查明并标识', photo: true }, { text: '放坡或支护符合方案' }, { text: '坑边堆载与临边防护符合要求' }],
  },
  7: {
    name: '拆除作业',
    grades: day(7, 'safety'),
    licences: [],
    measures: [{ text: '拆除区域隔离并有人看守', photo: true }, { text: '水、电、气已切断' }, { text: '拆除顺序已交底' }],
  },
  8: {
    name: '爆破作业',
    grades: day(1, 'manager'),
    licences: [],
    measures: [{ text: '警戒范围与撤离已确认', photo: true }, { text: '爆破单位与人员资格已核对' }, { text: '周边告知已完成' }],
  },
  9: {
    name: '夜间施工',
    grades: day(1, 'safety'),
    licences: [],
    measures: [{ text: '作业面与通道照明充足', photo: true }, { text: '值班管理人员在场' }],
  },
  99: {
    name: '其他',
    grades: day(1, 'safety'),
    licences: [],
    measures: [{ text: '作业环境与防护已确认' }, { text: '已向作业人员交底' }],
  },
}
export const hotWork = '1'
export const liftingWork = '3'
export const confinedSpace = '5'
/** Work that wind or heat endangers. */
export const weatherTypes: readonly string[] = ['1', '2', '3']
/** Alarms of the site's instruments that warn against it. */
export const weatherAlarms: readonly string[] = ['windAlarm', 'windDanger', 'windWarning', 'heatYellow', 'heatOrange', 'heatRed']
/** Licences of whoever drives the lifting machine. */
const driverLicences: readonly string[] = ['04']

/** After hot work somebody looks for embers, not sooner than this. */
export const emberMs = 30 * minuteMs
/** Within this time after the end of hot work the look for embers is due. */
export const emberDueMs = 60 * minuteMs
/** A gas test before the work begins is not older than this. */
const gasAgeMs = 30 * minuteMs
export const gasLimits = { oxygenLow: 19.5, oxygenHigh: 23.5, combustible: 10, carbonMonoxide: 20, hydrogenSulfide: 10 } as const

export const gradeOf = (type: string, level: string | null): Grade | undefined => permitTypes[type]?.grades[level ?? '']

interface Gas {
  oxygen: number
  combustible: number
  carbonMonoxide: number
  hydrogenSulfide: number
}
/** What is beyond its limit; empty: the air is fit. */
export function gasFaults({ oxygen, combustible, carbonMonoxide, hydrogenSulfide }: Gas): string[] {
  return [
    ...(oxygen < gasLimits.oxygenLow || oxygen > gasLimits.oxygenHigh ? [`氧含量 ${oxygen} %`] : []),
    ...(combustible >= gasLimits.combustible ? [`可燃气 ${combustible} %LEL`] : []),
    ...(carbonMonoxide > gasLimits.carbonMonoxide ? [`一氧化碳 ${carbonMonoxide} mg/m³`] : []),
    ...(hydrogenSulfide > gasLimits.hydrogenSulfide ? [`硫化氢 ${hydrogenSulfide} mg/m³`] : []),
  ]
}

export const roles = { worker: '作业人员', driver: '司机', guardian: '监护人' } as const
export type PermitRole = keyof typeof roles

export interface PersonFact {
  workerId: string
  name: string
  role: PermitRole
  /** The stay on the site has not ended. */
  onSite: boolean
  /** By the gates, at this minute. */
  inside: boolean
  listed: boolean
  /** The last day of each licence by its two digits; `9999-12-31` without an end. */
  licences: Readonly<Record<string, string>>
}
export interface PermitFacts {
  type: string
  level: string | null
  /** Epoch milliseconds. */
  startTime: number
  endTime: number
  people: readonly PersonFact[]
  /** Measures that are not confirmed, or lack their photograph. */
  open: readonly string[]
  hasDevice: boolean
  /** The newest gas test. */
  gas: { at: number; faults: readonly string[] } | null
  /** The stop of the site that holds, in words. */
  stop: string | null
}

export const reasonNames = {
  window: '时间',
  guardian: '监护人',
  certificate: '证书',
  onSite: '在册',
  inside: '在场',
  measures: '措施',
  device: '设备',
  gas: '气体检测',
  stop: '停工',
} as const
export type ReasonKey = keyof typeof reasonNames
interface Reason {
  key: ReasonKey
  text: string
}

/** What each transition asks. */
const requirements = {
  submit: ['window', 'guardian', 'certificate', 'onSite', 'measures', 'device'],
  approve: ['window', 'guardian', 'certificate', 'onSite', 'stop'],
  start: ['window', 'guardian', 'certificate', 'onSite', 'inside', 'gas', 'stop'],
  extend: ['certificate', 'onSite', 'stop'],
} as const satisfies Record<string, readonly ReasonKey[]>
export type AskedAt = keyof typeof requirements

const named = (people: readonly PersonFact[]) => people.map((one) => one.name).join('、')

/** Why a person may not do this work; undefined when he may. `today`: yyyy-MM-dd. */
export function whyNotPerson(type: string, person: PersonFact, today: string): Reason | undefined {
  if (!person.onSite) return { key: 'onSite', text: `${person.name}不在本项目场内` }
  if (person.listed) return { key: 'onSite', text: `${person.name}已列入黑名单` }
  if (person.role === 'guardian') return undefined
  const wanted = person.role === 'driver' ? driverLicences : (permitTypes[type]?.licences ?? [])
  if (wanted.length === 0) return undefined
  const ends = wanted.flatMap((kind) => person.licences[kind] ?? [])
  if (ends.some((end) => end >= today)) return undefined
  const last = ends.sort().at(-1)
  if (last) return { key: 'certificate', text: `${person.name}的操作证已于 ${last} 到期` }
  return {
    key: 'certificate',
    text: Object.keys(person.licences).length > 0 ? `${person.name}的操作证与作业类型不符` : `${person.name}没有操作证`,
  }
}

/** Every reason why a permit may not take this step now. Pure: time, people, stop and air are handed in. */
export function whyNot(at: AskedAt, facts: PermitFacts, now: number, today: string): Reason[] {
  const rules: Record<ReasonKey, () => Reason[]> = {
    window: () => windowOf(at, facts, now),
    guardian: () => guardianOf(facts),
    certificate: () => facts.people.flatMap((one) => whyNotPerson(facts.type, one, today) ?? []).filter((one) => one.key === 'certificate'),
    onSite: () => facts.people.flatMap((one) => whyNotPerson(facts.type, one, today) ?? []).filter((one) => one.key === 'onSite'),
    inside: () => {
      const out = facts.people.filter((one) => one.onSite && !one.inside)
      return out.length > 0 ? [{ key: 'inside', text: `${named(out)}此刻不在场（闸机记录）` }] : []
    },
    measures: () => (facts.open.length > 0 ? [{ key: 'measures', text: `未确认：${facts.open.join('；')}` }] : []),
    device: () => (facts.type === liftingWork && !facts.hasDevice ? [{ key: 'device', text: '吊装作业须选择起重设备' }] : []),
    gas: () => gasOf(facts, now),
    stop: () => (facts.stop ? [{ key: 'stop', text: facts.stop }] : []),
  }
  return requirements[at].flatMap((key) => rules[key]())
}

function windowOf(at: AskedAt, { type, level, startTime, endTime }: PermitFacts, now: number): Reason[] {
  const grade = gradeOf(type, level)
  const too = (text: string): Reason[] => [{ key: 'window', text }]
  if (endTime <= startTime) return too('结束时间须晚于开始时间')
  if (grade && endTime - startTime > grade.most) return too(`${level ?? ''}${permitTypes[type]?.name ?? ''}最长 ${hoursIn(grade.most)}`)
  if (endTime <= now) return too('已过结束时间，请重新开票')
  return at === 'start' && now < startTime ? too('还没有到开始时间') : []
}

/** Words for a longest time: whole days from two days on. */
export const hoursIn = (ms: number): string => (ms >= 2 * dayMs ? `${ms / dayMs} 天` : `${ms / hourMs} 小时`)

function guardianOf({ people }: PermitFacts): Reason[] {
  const guardian = people.find((one) => one.role === 'guardian')
  const works = guardian && people.some((one) => one.role !== 'guardian' && one.workerId === guardian.workerId)
  return works ? [{ key: 'guardian', text: `监护人${guardian.name}不得是作业人员` }] : []
}

/** In a confined space the air is tested before the work; hot work may need it too, and then its test has to be fit. */
export const testsAir = (type: string): boolean => type === confinedSpace || type === hotWork

function gasOf({ type, gas }: PermitFacts, now: number): Reason[] {
  if (!testsAir(type)) return []
  if (!gas) return type === confinedSpace ? [{ key: 'gas', text: '有限空间须先检测气体' }] : []
  if (gas.faults.length > 0) return [{ key: 'gas', text: `气体不合格：${gas.faults.join('、')}` }]
  return now - gas.at > gasAgeMs ? [{ key: 'gas', text: `最近一次检测已超过 ${gasAgeMs / minuteMs} 分钟，请重新检测` }] : []
}
