import { z } from 'zod'
import { blackNotice } from '../labour/black-model.ts'
import { stayRow } from './people-rows.ts'

export const conditionState = z.object({
  code: z.string(),
  name: z.string(),
  met: z.boolean(),
  /** The evidence, or what to do. */
  remark: z.string(),
})

export type ConditionState = z.infer<typeof conditionState>

export const storedConsent = z.object({ kind: z.string(), state: z.string(), version: z.string(), way: z.string(), time: z.string() })
/** With the signed document, for users who maintain the person's record. */
const signedConsent = storedConsent.extend({ file: z.string().nullable() })

/**
 * Relation of the caller to the person. Only the first two may open the record.
 * - `present`: has an open stay.
 * - `keeper`: maintains a record that nobody else has taken over.
 * - `former`: had a stay earlier.
 * - `unconfirmed`: registered the person by document, without a gate record or consent.
 */
export const hold = z.enum(['present', 'keeper', 'former', 'unconfirmed'])
export const isHeld = (one: z.infer<typeof hold>): boolean => one === 'present' || one === 'keeper'

export const workerHead = z.object({
  workerId: z.string(),
  hold,
  name: z.string(),
  gender: z.string(),
  age: z.number().int(),
  nationName: z.string().nullable(),
  idCardType: z.string(),
  idCardNumber: z.string(),
  cellPhone: z.string().nullable(),
  address: z.string().nullable(),
  startDate: z.string().nullable(),
  expiryDate: z.string().nullable(),
  urgentLinkMan: z.string().nullable(),
  urgentLinkManPhone: z.string().nullable(),
  payCard: z.string().nullable(),
  photo: z.string().nullable(),
  realNameState: z.string(),
  workTypeCode: z.string().nullable(),
  workTypeName: z.string().nullable(),
  completeness: z.number().int(),
  incomplete: z.array(z.string()),
  consents: z.array(signedConsent),
  /** The current stay, or the last one. */
  stay: z
    .object({
      id: z.string(),
      projectCode: z.string(),
      projectName: z.string().nullable(),
      corpCode: z.string(),
      corpName: z.string().nullable(),
      teamName: z.string().nullable(),
      workTypeName: z.string().nullable(),
      entryTime: z.string(),
      exitTime: z.string().nullable(),
      formalStatus: z.string(),
      stationed: z.string(),
      blackHit: z.boolean(),
      /** Black list entry that applies to the person. */
      black: blackNotice.nullable(),
      attendDays: z.number().int(),
      conditions: z.array(conditionState),
    })
    .nullable(),
  counts: z.object({
    history: z.number().int(),
    bad: z.number().int(),
    contracts: z.number().int(),
    certs: z.number().int(),
    certsExpired: z.number().int(),
    certsExpiring: z.number().int(),
  }),
  /** The nearest end of a licence or contract. */
  nextEnd: z.string().nullable(),
  version: z.number().int(),
})

export type WorkerHead = z.infer<typeof workerHead>

export const clearFields = ['name', 'idCardNumber', 'cellPhone', 'address', 'urgentLinkManPhone', 'payRollBankCardNumber'] as const

export type ClearField = (typeof clearFields)[number]

export const clearNames: Readonly<Record<ClearField, string>> = {
  name: '姓名',
  idCardNumber: '证件号码',
  cellPhone: '手机号码',
  address: '住址',
  urgentLinkManPhone: '紧急联系电话',
  payRollBankCardNumber: '工资卡号',
}

export const stayDetail = stayRow.extend({
  workRoleName: z.string().nullable(),
  postName: z.string().nullable(),
  paymentType: z.string().nullable(),
  paymentTypeName: z.string().nullable(),
  unitPriceCents: z.number().nullable(),
  hasBuyInsurance: z.boolean().nullable(),
  entryTrained: z.boolean(),
  cardNumber: z.string().nullable(),
  payRollBankCode: z.string().nullable(),
  payRollBankName: z.string().nullable(),
  payRollBankCardNumber: z.string().nullable(),
  bankLinkNumber: z.string().nullable(),
  conditions: z.array(conditionState),
  /**
   * Names of missing fields of person and stay that becoming formal requires besides the conditions; null if the caller does not maintain
   * the record.
   */
  lacking: z.array(z.string()).nullable(),
  history: z.array(
    z.object({ id: z.string(), type: z.string(), date: z.string(), reasonName: z.string().nullable(), sourceName: z.string().nullable() }),
  ),
  trainings: z.array(
    z.object({
      id: z.string(),
      typeName: z.string().nullable(),
      trainDate: z.string(),
      hours: z.number(),
      score: z.number().nullable(),
      passed: z.boolean(),
    }),
  ),
  passes: z.array(z.object({ id: z.string(), time: z.string(), direction: z.string().nullable(), terminal: z.string() })),
  days: z.array(
    z.object({
      day: z.string(),
      firstIn: z.string().nullable(),
      lastOut: z.string().nullable(),
      hours: z.number(),
      results: z.array(z.number().int()),
      expected: z.boolean(),
    }),
  ),
})

export type StayDetail = z.infer<typeof stayDetail>

export const workerDetail = z.object({
  workerId: z.string(),
  hold,
  name: z.string(),
  idCardType: z.string(),
  idCardTypeName: z.string().nullable(),
  idCardNumber: z.string(),
  gender: z.string(),
  genderName: z.string().nullable(),
  /** Null beside a masked identity card number, since both together would reveal the number. */
  birthday: z.string().nullable(),
  age: z.number().int(),
  birthPlaceName: z.string().nullable(),
  nation: z.string().nullable(),
  nationName: z.string().nullable(),
  address: z.string().nullable(),
  grantOrg: z.string().nullable(),
  startDate: z.string().nullable(),
  expiryDate: z.string().nullable(),
  headImage: z.string().nullable(),
  facePhoto: z.string().nullable(),
  /** Links to the card's pictures only with a reason; otherwise whether they exist. */
  positiveIdCardImage: z.string().nullable(),
  negativeIdCardImage: z.string().nullable(),
  cellPhone: z.string().nullable(),
  realNameState: z.string(),
  consents: z.array(signedConsent),
  politics: z.string().nullable(),
  politicsName: z.string().nullable(),
  cultureLevel: z.string().nullable(),
  cultureLevelName: z.string().nullable(),
  degree: z.string().nullable(),
  degreeName: z.string().nullable(),
  maritalStatus: z.string().nullable(),
  maritalStatusName: z.string().nullable(),
  isJoined: z.boolean().nullable(),
  joinedTime: z.string().nullable(),
  specialty: z.string().nullable(),
  workTypeCode: z.string().nullable(),
  workTypeName: z.string().nullable(),
  workCorpName: z.string().nullable(),
  workDate: z.string().nullable(),
  skillLevel: z.string().nullable(),
  skillLevelName: z.string().nullable(),
  urgentLinkMan: z.string().nullable(),
  urgentLinkManPhone: z.string().nullable(),
  hasBadMedicalHistory: z.boolean().nullable(),
  fitness: z.object({ state: z.enum(['fit', 'check', 'unfit', 'unknown']), date: z.string().nullable() }),
  incomplete: z.array(z.string()),
  version: z.number().int(),
  stay: stayDetail.nullable(),
  /** Other stays of this person at the same project. */
  otherStays: z.array(z.object({ id: z.string(), entryTime: z.string(), exitTime: z.string().nullable() })),
  /** Only if requested with a reason. */
  plain: z.record(z.string(), z.string().nullable()).nullable(),
})

export type WorkerDetail = z.infer<typeof workerDetail>
