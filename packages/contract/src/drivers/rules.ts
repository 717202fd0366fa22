/** Kinds of operators that are registered for machines (part of dictionary driverType). */
interface DriverType {
  name: string
  /** Licences (dictionary specialCertType) that fit; the two-digit kind fits where a licence names no machine. */
  licences: readonly string[]
  /** Families of the machines. */
  families: readonly string[]
}
export const driverTypes: Readonly<Record<string, DriverType>> = {
  1: { name: '塔式起重机司机', licences: ['0401', '04'], families: ['towerCrane'] },
  2: { name: '施工升降机司机', licences: ['0402', '04'], families: ['lifter'] },
  4: { name: '起重信号司索工', licences: ['03'], families: ['towerCrane'] },
  5: { name: '安拆人员', licences: ['05', '0501', '0502'], families: ['towerCrane', 'lifter'] },
}
/** Who drives: a machine without one of them stands without a driver. */
export const drivingTypes: readonly string[] = ['1', '2']
export const driverFamilies: readonly string[] = ['towerCrane', 'lifter']
/** A licence that ends within this many days is shown as ending. */
export const endingDays = 30

export const licenceFits = (driverType: string, certType: string | null): boolean =>
  certType !== null && (driverTypes[driverType]?.licences.includes(certType) ?? false)

/** What an auditor looks at, and whether it holds. */
interface Check {
  key: 'identity' | 'validity' | 'fits' | 'onSite' | 'blackList'
  label: string
  ok: boolean
  text: string
}
interface Facts {
  driverType: string
  certType: string
  /** yyyy-MM-dd. */
  certValidEnd: string
  realName: boolean
  onSite: boolean
  listed: boolean
}
export function checksOf({ driverType, certType, certValidEnd, realName, onSite, listed }: Facts, today: string): Check[] {
  const fits = licenceFits(driverType, certType)
  return [
    { key: 'identity', label: '身份', ok: realName, text: realName ? '已实名核验' : '未通过实名核验' },
    {
      key: 'validity',
      label: '有效期',
      ok: certValidEnd >= today,
      text: certValidEnd >= today ? `至 ${certValidEnd}` : `已于 ${certValidEnd} 到期`,
    },
    { key: 'fits', label: '证书类别', ok: fits, text: fits ? '与人员类型相符' : '与人员类型不符' },
    { key: 'onSite', label: '在册', ok: onSite, text: onSite ? '在本项目场内' : '不在本项目场内' },
    { key: 'blackList', label: '黑名单', ok: !listed, text: listed ? '已列入黑名单' : '不在黑名单' },
  ]
}
/** Why a driver cannot be passed; the identity is looked at by eye. */
export const failing = (checks: readonly Check[]): string | undefined =>
  checks
    .filter((one) => !one.ok && one.key !== 'identity')
    .map((one) => one.text)
    .join('；') || undefined
