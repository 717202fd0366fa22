import type { ProofContent } from '@zhugong/contract/settings/career-proof'
import type { DisputeSubject, PersonRequestKind } from '@zhugong/contract/settings/my-requests'
import type { ColumnType, Generated } from 'kysely'
import type { Json } from '#kit/columns'
import type { Row } from '#kit/db'

interface ProjectSettingTable {
  projectCode: string
  part: string
  value: Json<unknown>
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
/** A former version of a site's document. */
export interface EarlierMaterial {
  files: string[]
  validEnd: string | null
  state: string
  opinion: string | null
  byName: string
  at: string
}
interface ProjectMaterialTable {
  id: string
  projectCode: string
  item: string
  stage: string
  name: string
  state: string
  files: Json<string[]>
  validEnd: ColumnType<string | null, string | null, string | null>
  notNeeded: string | null
  opinion: string | null
  askedBy: string | null
  judgedBy: string | null
  judgeTime: Date | null
  earlier: Json<EarlierMaterial[]>
  createTime: Date
  updateTime: Date
  updateBy: string
  /** The company document it was copied from, and its edition. */
  sourceId: Generated<string | null>
  sourceEdition: Generated<number | null>
  version: Generated<number>
}
/** A former edition of a company's document. */
export interface EarlierEdition {
  edition: number
  number: string | null
  files: string[]
  validEnd: string | null
  byName: string
  at: string
}
interface CorpMaterialTable {
  id: string
  corpCode: string
  kind: string
  name: string
  number: string | null
  files: Json<string[]>
  validEnd: ColumnType<string | null, string | null, string | null>
  toSites: boolean
  toBodies: boolean
  edition: Generated<number>
  earlier: Json<EarlierEdition[]>
  createTime: Date
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
/** A group's customisation of one dictionary. */
export interface OwnDictionary {
  order: string[]
  off: string[]
  own: { code: string; name: string; parent: string | null; off: boolean }[]
}
interface DictOwnTable {
  groupId: string
  dictionary: string
  value: Json<OwnDictionary>
  version: Generated<number>
  updateTime: Date
  updateBy: string
}
interface AreaOwnTable {
  code: string
  groupId: string
  /** Null: a disabled default division. */
  name: string | null
  off: boolean
  updateTime: Date
  updateBy: string
}
interface PersonRequestTable {
  id: string
  kind: PersonRequestKind
  userId: string
  workerId: string
  projectCode: string | null
  corpCode: string | null
  subject: DisputeSubject | null
  subjectId: string | null
  about: string
  reason: string
  files: Json<string[]>
  fromMonth: string | null
  toMonth: string | null
  amountCents: number | null
  startDate: string | null
  expiryDate: string | null
  grantOrg: string | null
  frontImage: string | null
  backImage: string | null
  state: Generated<string>
  opinion: string | null
  decidedName: string | null
  decideTime: Date | null
  createTime: Date
  version: Generated<number>
}
interface CareerProofTable {
  id: string
  number: string
  workerId: string
  userId: string
  content: Json<ProofContent>
  digest: string
  issuedAt: Date
}
export type CareerProof = Row<'careerProof'>

declare module '#kit/db' {
  interface Tables {
    projectSetting: ProjectSettingTable
    projectMaterial: ProjectMaterialTable
    corpMaterial: CorpMaterialTable
    dictOwn: DictOwnTable
    areaOwn: AreaOwnTable
    personRequest: PersonRequestTable
    careerProof: CareerProofTable
  }
}
