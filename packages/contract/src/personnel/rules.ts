/** Rules of the trade, shared by server and web. Pure. */

/** The seven entry conditions. A worker becomes formal when all are met (entities.md, 项目人员). */
export const entryConditions = {
  realName: '实名',
  age: '年龄',
  contract: '合同',
  training: '教育',
  cert: '证书',
  blacklist: '黑名单',
  payCard: '工资卡',
} as const
export type EntryCondition = keyof typeof entryConditions

/**
 * Trades that require a licence for special operations, and the kinds of licence (dictionary specialCertType, first two digits) that are
 * accepted. 建质〔2008〕75号; the dictionary marks them `special`.
 */
export const licencesByTrade: Readonly<Record<string, readonly string[]>> = {
  '030': ['02'],
  '031': ['02'],
  '032': ['02'],
  '033': ['02', '06'],
  '034': ['06'],
  // The dictionary has no trade for crane drivers: they and signalmen are registered as 起重工.
  '081': ['03', '04'],
  '130': ['01'],
  '131': ['01'],
  '132': ['01'],
  '170': ['03'],
  '171': ['03'],
  '180': ['05'],
  '270': ['07'],
  '271': ['07'],
}
/**
 * Posts that require a certificate of safety production knowledge, and the accepted kinds (dictionary certType): project managers class B,
 * full-time safety officers class C (住建部令第 17 号 第三条).
 */
export const papersByPost: Readonly<Record<string, readonly string[]>> = {
  '1009': ['202'],
  '1018': ['203', '204', '205'],
  '1029': ['203', '204', '205'],
}
export const licencesFor = (workType: string | null | undefined): readonly string[] => (workType && licencesByTrade[workType]) || []
export const needsLicence = (workType: string | null | undefined): boolean => licencesFor(workType).length > 0

/** Certificate types (dictionary certType) that are licences for special operations. */
export const licenceTypes = ['7', '8'] as const
/** Types whose kind has a dictionary of its own. */
export const kindDictionaryOf: Readonly<Record<string, string>> = { '1': 'skillType', '5': 'practiceType', '7': 'specialCertType' }

/** A licence that ends within this many days causes a warning. */
export const expiringDays = 30
export const certStates = {
  none: '--',
  valid: '有效',
  expiring: '即将到期',
  expired: '已过期',
  pending: '待审核',
  missing: '缺证',
} as const
export type CertState = keyof typeof certStates

/** Full years at entry. Below the minimum nobody may enter; above the maximum the condition 年龄 is not met. */
export const ageLimits = { least: 18, mostMale: 60, mostFemale: 55 } as const
export function ageFits(age: number, gender: string): boolean {
  return age >= ageLimits.least && age <= (gender === '2' ? ageLimits.mostFemale : ageLimits.mostMale)
}

/** Fields required when a worker becomes formal, not at registration. */
export const fileFields = {
  nation: '民族',
  address: '住址',
  grantOrg: '发证机关',
  startDate: '证件有效期起',
  expiryDate: '证件有效期止',
  headImage: '证件头像',
  cellPhone: '手机号码',
  cultureLevel: '文化程度',
  workTypeCode: '当前工种',
  urgentLinkMan: '紧急联系人',
  urgentLinkManPhone: '紧急联系电话',
  hasBadMedicalHistory: '有无重大病史',
  consent: '个人信息告知同意',
} as const
export type FileField = keyof typeof fileFields

/** Fields of the stay required when a worker becomes formal. */
export const formalStayFields = {
  paymentType: '计酬方式',
  hasBuyInsurance: '工伤或意外险',
} as const
export type FormalStayField = keyof typeof formalStayFields

/** End date of an identity card that never expires (printed as 长期). */
export const lifelongCard = '2099-12-31'

export const realNameStates = { '0': '未核验', '1': '一致', '2': '不一致', '3': '库中无此号' } as const
export const consentKinds = { personal: '个人信息处理', face: '人脸用于门禁' } as const
export const consentVersion = '1.0'

/** State of a contract; computed from its dates, never stored. */
export const contractStates = { future: '未生效', valid: '有效', ending: '30 日内到期', ended: '已到期', terminated: '已终止' } as const
export type ContractState = keyof typeof contractStates
export function contractStateOf(
  c: { startDate: string; endDate: string | null; terminateDate: string | null },
  today: string,
): ContractState {
  if (c.terminateDate && c.terminateDate <= today) return 'terminated'
  if (c.startDate > today) return 'future'
  if (c.endDate && c.endDate < today) return 'ended'
  const soon = new Date(Date.parse(`${today}T00:00:00Z`) + expiringDays * 86_400_000).toISOString().slice(0, 10)
  return c.endDate && c.endDate <= soon ? 'ending' : 'valid'
}

/**
 * Whether training for entry is complete: entry training, or all three levels of safety education (trade practice: 003002 or
 * 003101-003103).
 */
export function isEntryTrained(passed: readonly string[]): boolean {
  return passed.includes('003002') || ['003101', '003102', '003103'].every((type) => passed.includes(type))
}

/** Years for which a bad record counts, from its confirmation; and points deducted, by severity. */
export const badRecordYears: Readonly<Record<string, number>> = { '1': 1, '2': 1, '3': 3 }
export const badRecordScore: Readonly<Record<string, number>> = { '1': 1, '2': 3, '3': 6 }

/** Conditions that exclude work at height until they have been reviewed (dictionary medicalContraindication). */
export const heightRisks = ['2', '3', '4', '5', '7'] as const
/** Validity of a medical examination in days. */
export const examDays = 365

/** Text for the end of a contract without an end date, by its type (dictionary contractType): until the work is done, or open-ended. */
export const openEndOf = (contractPeriodType: string): string => (contractPeriodType === '1' ? '工作完成' : '无固定期限')
/** The same as a sentence fragment, with 至 where it fits. */
export const openEndWords = (contractPeriodType: string): string =>
  contractPeriodType === '1' ? `至${openEndOf(contractPeriodType)}` : openEndOf(contractPeriodType)

/** Usual pay on sites in yuan, by payment type (dictionary paymentType); other amounts need confirmation. */
const usualPay: Readonly<Record<string, { word: string; low: number; high: number }>> = {
  '1': { word: '日工资', low: 100, high: 2_000 },
  '2': { word: '月工资', low: 2_000, high: 60_000 },
  '3': { word: '小时工资', low: 12, high: 300 },
}
/** Confirmation question for unusual pay; undefined if usual. */
export function unusualPay(paymentType: string | null | undefined, cents: number | null | undefined): string | undefined {
  const usual = usualPay[paymentType ?? '']
  if (!usual || !cents) return undefined
  const yuan = cents / 100
  if (yuan >= usual.low && yuan <= usual.high) return undefined
  return `${usual.word} ${yuan.toLocaleString('en-US')} 元，${yuan < usual.low ? '低' : '高'}于常见的 ${usual.low.toLocaleString('en-US')} 至 ${usual.high.toLocaleString('en-US')} 元，请核对`
}
