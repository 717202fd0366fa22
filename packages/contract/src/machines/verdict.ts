/** Types of machines with a service life (dictionary specialDeviceType). */
const tower = '1'
const hoist = '2'
/** Classes of hoists: SC rack and pinion, SS rope. */
export const hoistClasses = { SC: 'SC 齿轮齿条式', SS: 'SS 钢丝绳式' } as const
type HoistClass = keyof typeof hoistClasses

const small = { below: 630, years: 10 }
const middle = { below: 1250, years: 15 }
const largeYears = 20
const hoistYears: Readonly<Record<HoistClass, number>> = { SC: 8, SS: 5 }

/**
 * Years of service after which a machine needs an appraisal (建设部公告第659号; JGJ/T 189): tower cranes by rated moment in kN·m, hoists by class.
 * Null: no limit for this type, or moment or class is unknown.
 */
export function ageLimitOf(deviceType: string, ratedMoment: number | null, hoistClass: string | null): number | null {
  if (deviceType === tower) {
    if (ratedMoment === null) return null
    return ratedMoment < small.below ? small.years : ratedMoment < middle.below ? middle.years : largeYears
  }
  if (deviceType === hoist && hoistClass !== null && Object.hasOwn(hoistYears, hoistClass)) return hoistYears[hoistClass as HoistClass]
  return null
}

/** The day on which a machine reaches its age limit (yyyy-MM-dd); null without one. */
export function retireDateOf(manufactureDate: string, limit: number | null): string | null {
  return limit === null ? null : `${Number(manufactureDate.slice(0, 4)) + limit}${manufactureDate.slice(4)}`.replace(/-02-29$/, '-02-28')
}

/** Days after the joint acceptance within which a machine has to be registered (建设部令第166号 第十七条). */
export const registerDays = 30
/** Months between two tests of a machine in use. */
export const testMonths = 12

/** What the verdict is made of: dates, certificates, licences and the state, never a typed opinion. */
export interface MachineFacts {
  state: string
  /** Past the age limit without an appraisal that still holds. */
  overAge: boolean
  /** Reached 4 or later without a test report, or never tested. */
  untested: boolean
  testOverdue: boolean
  /** Accepted and not registered for more than 30 days. */
  unregisteredLate: boolean
  /** Operators named, and how many of them have no valid certificate. */
  operators: number
  badOperators: number
  /** The installing company holds a valid licence; null: none is named. */
  licensed: boolean | null
  /** The linked device reports, is silent for 24 h, or there is none. */
  iot: 'online' | 'silent' | 'none'
  /** Finished a working cycle within the last half hour. */
  working: boolean
  /** A check found it beyond repair. */
  scrapped?: boolean
}

export interface Verdict {
  usable: boolean
  /** Why it must not be used; for a usable machine what should be put right. */
  reasons: string[]
}

const notInUse: Readonly<Record<string, string>> = {
  0: '未办理产权备案',
  1: '未安装',
  2: '未安装',
  3: '安装中',
  4: '未检测验收',
  5: '未办理使用登记',
  7: '已停用',
  8: '已告知拆卸',
  9: '已拆除',
}
const inUse = '6'

/** Whether a machine may be used today, and why not (建设部令第166号). */
export function verdictOf(facts: MachineFacts): Verdict {
  const say = (is: boolean, text: string) => (is ? [text] : [])
  const legal = [
    ...(facts.state === inUse ? [] : [notInUse[facts.state] ?? '不在使用']),
    ...say(facts.scrapped === true, '检查结论为报废，不得使用'),
    ...say(facts.overAge, '超过规定使用年限且无有效评估'),
    ...say(facts.untested && Number(facts.state) >= 5, '无检测报告'),
    ...say(facts.testOverdue, '检测已过期'),
    ...say(facts.unregisteredLate, `验收合格超过 ${registerDays} 日未登记`),
    ...say(facts.state === inUse && facts.operators === 0, '未登记司机'),
    ...say(facts.badOperators > 0, `${facts.badOperators} 名司机证书无效`),
    ...say(facts.licensed === false, '安装单位无有效资质'),
  ]
  return { usable: legal.length === 0, reasons: [...legal, ...findingsOf(facts)] }
}

/** What telemetry says against the register. */
function findingsOf({ state, iot, working }: MachineFacts): string[] {
  if (state === inUse) return iot === 'silent' ? ['监测失联超过 24 小时'] : []
  if (state === '7') return working ? ['停用期间仍在作业'] : []
  return iot === 'online' && state !== '9' ? ['未登记已有监测数据'] : []
}
