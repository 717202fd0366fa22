import type { ColumnType, Generated } from 'kysely'
import type { Json } from '#kit/columns'

interface ProjectSettingTable {
  projectCode: string
  part: string
  value: Json<unknown>
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
/** A paper as it was before a newer one took its place. */
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
  /** The paper of a company it was taken from, and which edition of it. */
  sourceId: Generated<string | null>
  sourceEdition: Generated<number | null>
  version: Generated<number>
}
/** A paper of a company before a newer one took its place. */
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

declare module '#kit/db' {
  interface Tables {
    projectSetting: ProjectSettingTable
    projectMaterial: ProjectMaterialTable
    corpMaterial: CorpMaterialTable
  }
}
