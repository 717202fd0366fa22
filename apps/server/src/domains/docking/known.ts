import type { ObjectType } from '@zhugong/contract/docking/standard'
import type { Row } from '#kit/db'
import type { Source } from './sources.ts'

export type Known = Record<string, unknown>

/** Of these some is a person's own, and changed by whoever employs him next or by himself. */
const files: ReadonlySet<ObjectType> = new Set(['workerBase', 'workerCert'])
const stay: ObjectType = 'projectWorker'
/** Of a stay what is not the stay's, but its person's. */
const ofPerson = ['workerName', '$cellPhone']

/** Fields the entering site records itself, or reads off the identity document. */
const ofPapers: ReadonlySet<string> = new Set(['name', 'idCardType', '$idCardNumber', 'gender', 'birthday'])

/** What a project may send of a row: for an unconfirmed stay only what it recorded itself. */
const known = ({ values, unconfirmed }: Source, projectCode: string): Known =>
  unconfirmed?.includes(projectCode)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, ofPapers.has(name) ? value : null]))
    : values

const isInPlace = (type: ObjectType, source: Source, projectCode: string): boolean =>
  type === stay ? source.values.exitTime === null : source.projectCodes.includes(projectCode)

/** What a record has to remember while the project has the person; undefined where nothing changes hands, or he has left. */
export const knownNow = (type: ObjectType, source: Source, projectCode: string): Known | undefined =>
  (files.has(type) || type === stay) && isInPlace(type, source, projectCode) ? known(source, projectCode) : undefined

/**
 * What of a person a record of a project may say: as it is now while the project has him, as it was known then when he has left. Undefined
 * where nothing was known: then nothing is said.
 */
export function valuesFor(
  { objectType, projectCode, known: kept }: Pick<Row<'dockingRecord'>, 'objectType' | 'projectCode' | 'known'>,
  source: Source,
): Known | undefined {
  if (!(files.has(objectType) || objectType === stay) || isInPlace(objectType, source, projectCode)) return known(source, projectCode)
  if (files.has(objectType)) return kept ?? undefined
  // The stay is the project's for good. Until somebody else enters the person, nobody else has written in his file.
  if (kept === null && !source.movedOn) return source.values
  return { ...source.values, ...Object.fromEntries(ofPerson.map((name) => [name, kept?.[name] ?? null])) }
}
