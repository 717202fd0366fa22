import { ageOn } from '@zhugong/contract/kit/checks'
import { workRoles } from '@zhugong/contract/labour/model'
import { realNames } from '@zhugong/contract/personnel/codes'
import {
  ageFits,
  type CertState,
  certStates,
  contractStateOf,
  type EntryCondition,
  entryConditions,
  type FormalStayField,
  fileFields,
  formalStayFields,
  openEndWords,
  realNameStates,
} from '@zhugong/contract/personnel/rules'
import type { ConditionState } from '@zhugong/contract/personnel/worker-model'
import { formatDay } from '#kit/clock'
import type { Row } from '#kit/db'

/** The fields of a stay that the entry conditions read. */
export type StayFacts = Pick<
  Row<'projectWorker'>,
  'birthday' | 'gender' | 'entryTime' | 'hasContract' | 'entryTrained' | 'blackHit' | 'workRole' | 'payRollBankCardHash'
>

/** The entry conditions (of seven) that are not met. The age is that on the day of entry. */
export function conditionsMissing(stay: StayFacts, realNameState: string | null, cert: CertState): EntryCondition[] {
  const met: Record<EntryCondition, boolean> = {
    realName: realNameState === realNames.matched,
    age: ageFits(ageOn(stay.birthday, formatDay(stay.entryTime)), stay.gender),
    contract: stay.hasContract,
    training: stay.entryTrained,
    cert: ['none', 'valid', 'expiring'].includes(cert),
    blacklist: !stay.blackHit,
    payCard: stay.workRole !== workRoles.worker || stay.payRollBankCardHash !== null,
  }
  return (Object.keys(met) as EntryCondition[]).filter((c) => !met[c])
}

export type Signed = Pick<Row<'workerContract'>, 'startDate' | 'endDate' | 'terminateDate' | 'contractPeriodType'>
/** The contract that meets the condition, or the reason why none does. */
export function contractWords(signed: Signed | undefined, today: string): string {
  if (!signed) return '未签合同'
  const state = contractStateOf(signed, today)
  if (state === 'future') return `已签，${signed.startDate} 起生效`
  if (state === 'ended') return `已于 ${signed.endDate} 到期`
  if (state === 'terminated') return `已于 ${signed.terminateDate} 终止`
  return signed.endDate ? `至 ${signed.endDate}` : openEndWords(signed.contractPeriodType)
}

/** The seven conditions with evidence, for the detail page of one person. */
export function conditionStates(
  stay: StayFacts,
  realNameState: string,
  cert: CertState,
  evidence: { contract: Signed | undefined; training: string | null; certEnd: string | null; today: string },
): ConditionState[] {
  const missing = conditionsMissing(stay, realNameState, cert)
  const age = ageOn(stay.birthday, formatDay(stay.entryTime))
  const remarks: Record<EntryCondition, string> = {
    realName: realNameState in realNameStates ? realNameStates[realNameState as keyof typeof realNameStates] : '未核验',
    age: `进场时 ${age} 岁`,
    contract: contractWords(evidence.contract, evidence.today),
    training: stay.entryTrained ? (evidence.training ?? '已完成') : '未完成入场教育',
    cert:
      cert === 'none' ? '本工种不要求' : cert === 'valid' || cert === 'expiring' ? `至 ${evidence.certEnd ?? '长期'}` : certStates[cert],
    blacklist: stay.blackHit ? '在黑名单内' : '未列入',
    payCard: stay.workRole !== workRoles.worker ? '管理人员不要求' : stay.payRollBankCardHash ? '已登记' : '未登记工资卡',
  }
  return (Object.keys(entryConditions) as EntryCondition[]).map((code) => ({
    code,
    name: entryConditions[code],
    met: !missing.includes(code),
    remark: remarks[code],
  }))
}

/** The fields that completeness of a file depends on. For encrypted fields, only whether they are present. */
export interface WorkerFile {
  name: string
  gender: string
  birthday: string
  idCardMask: string
  cellPhoneMask: string | null
  realNameState: string
  nation: string | null
  grantOrg: string | null
  startDate: string | null
  expiryDate: string | null
  headImage: string | null
  cultureLevel: string | null
  workTypeCode: string | null
  urgentLinkMan: string | null
  hasBadMedicalHistory: boolean | null
  consents: readonly { kind: string; state: string }[]
  hasAddress: boolean
  hasPhone: boolean
  hasUrgentPhone: boolean
}

/** The names of missing required fields, and the completeness of the file in tenths. */
export function incompleteOf(p: WorkerFile): { incomplete: string[]; completeness: number } {
  const there: Record<keyof typeof fileFields, boolean> = {
    nation: p.nation !== null,
    address: p.hasAddress,
    grantOrg: p.grantOrg !== null,
    startDate: p.startDate !== null,
    expiryDate: p.expiryDate !== null,
    headImage: p.headImage !== null,
    cellPhone: p.hasPhone,
    cultureLevel: p.cultureLevel !== null,
    workTypeCode: p.workTypeCode !== null,
    urgentLinkMan: p.urgentLinkMan !== null,
    urgentLinkManPhone: p.hasUrgentPhone,
    hasBadMedicalHistory: p.hasBadMedicalHistory !== null,
    consent: p.consents.some((c) => c.kind === 'personal' && c.state === '同意'),
  }
  const names = Object.keys(there) as (keyof typeof fileFields)[]
  const incomplete = names.filter((f) => !there[f]).map((f) => fileFields[f])
  return { incomplete, completeness: Math.floor(((names.length - incomplete.length) / names.length) * 10) }
}
/** The same fields, from a whole row. */
export const fileOf = (p: Row<'worker'>): WorkerFile => ({
  ...p,
  consents: p.consents ?? [],
  hasAddress: p.address !== null,
  hasPhone: p.cellPhone !== null,
  hasUrgentPhone: p.urgentLinkManPhone !== null,
})

const formalStayKeys = Object.keys(formalStayFields) as FormalStayField[]

/** What formal status requires beyond the entry conditions: fields of the file and the stay, and unexpired documents. */
export const fieldsLacking = (worker: Row<'worker'>, stay: Pick<Row<'projectWorker'>, FormalStayField>, today: string): string[] => [
  ...incompleteOf(fileOf(worker)).incomplete,
  ...formalStayKeys.filter((field) => !stay[field]).map((field) => formalStayFields[field]),
  ...(worker.expiryDate && worker.expiryDate < today ? ['有效期内的证件'] : []),
]
