import { partTypes } from '../labour/codes.ts'
import { registeredFacts, registrationFields } from './model.ts'

/** Dictionary projectAlterType: what an application changes. */
export const alterTypes = {
  name: '1',
  parties: '2',
  manager: '3',
  chief: '4',
  scale: '5',
  schedule: '6',
  place: '7',
  other: '9',
} as const
export type AlterType = (typeof alterTypes)[keyof typeof alterTypes]

/** The fields of a project that an application can change, with their labels. */
export const alterNames = {
  ...registrationFields,
  ...registeredFacts,
  address: '项目地址',
  superviseNo: '监督登记号',
  matter: '变更内容',
} as const
export type AlterField = keyof typeof alterNames

/** The fields of each type. A change of a key person has none: it names the newcomer. */
export const alterFields: Readonly<Record<AlterType, readonly AlterField[]>> = {
  [alterTypes.name]: ['name'],
  [alterTypes.parties]: ['buildCorpCode', 'contractorCorpCode'],
  [alterTypes.manager]: [],
  [alterTypes.chief]: [],
  [alterTypes.scale]: ['invest', 'contractPrice', 'buildingArea'],
  [alterTypes.schedule]: ['startDate', 'completeDate'],
  [alterTypes.place]: ['areaCode', 'address', 'superviseOrg'],
  [alterTypes.other]: ['superviseOrg', 'superviseNo', 'matter'],
}
export const isAlterType = (code: string): code is AlterType => Object.hasOwn(alterFields, code)

/** The part whose leader a type changes, the post of the leader (dictionary managerPost), and the certificates that the leader needs. */
export const keyPersons = {
  [alterTypes.manager]: {
    corpType: partTypes.leader,
    post: '1009',
    name: '项目负责人',
    certs: [
      { name: '项目负责人（B证）', type: '202', special: [] },
      { name: '注册建造师', type: '5', special: ['13', '14', '17', '18'] },
    ],
  },
  [alterTypes.chief]: {
    corpType: partTypes.supervisor,
    post: '1001',
    name: '总监理工程师',
    certs: [{ name: '注册监理工程师', type: '5', special: ['15'] }],
  },
} as const
export type KeyPersonType = keyof typeof keyPersons
export const isKeyPersonType = (code: string): code is KeyPersonType => Object.hasOwn(keyPersons, code)

export const mostAlterFiles = 9
/** An application that has waited longer than this at one step is late. */
export const lateAlterDays = 3
