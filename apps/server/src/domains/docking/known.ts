import type { ObjectType } from '@zhugong/contract/docking/standard'
import type { Row } from '#kit/db'
import type { Source } from './sources.ts'

export type Known = Record<string, unknown>

/** Objects with a person's own data, which the next employer or the person may change. */
const files: ReadonlySet<ObjectType> = new Set(['workerBase', 'workerCert'])
const stay: ObjectType = 'projectWorker'
/** Fields of a stay that belong to the person. */
const ofPerson = ['workerName', '$cellPhone']

/** Fields the entering site records itself, or reads from the identity document. */
const ofPapers: ReadonlySet<string> = new Set(['name', 'idCardType', '$idCardNumber', 'gender', 'birthday'])

/** The values a project may send; for an unconfirmed stay, only what it recorded itself. */
const known = ({ values, unconfirmed }: Source, projectCode: string): Known =>
  unconfirmed?.includes(projectCode)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, ofPapers.has(name) ? value : null]))
    : values

const isInPlace = (type: ObjectType, source: Source, projectCode: string): boolean =>
  type === stay ? source.values.exitTime === null : source.projectCodes.includes(projectCode)

/**
 * The personal values to store with a record while the project has the person. Undefined for other objects, and after the person has left.
 */
export const knownNow = (type: ObjectType, source: Source, projectCode: string): Known | undefined =>
  (files.has(type) || type === stay) && isInPlace(type, source, projectCode) ? known(source, projectCode) : undefined

/**
 * The personal values a project's record may contain: current ones while the project has the person, later those known when the person
 * left. Undefined if none were known; then nothing is sent.
 */
export function valuesFor(
  { objectType, projectCode, known: kept }: Pick<Row<'dockingRecord'>, 'objectType' | 'projectCode' | 'known'>,
  source: Source,
): Known | undefined {
  if (!(files.has(objectType) || objectType === stay) || isInPlace(objectType, source, projectCode)) return known(source, projectCode)
  if (files.has(objectType)) return kept ?? undefined
  // The stay belongs to the project. Until another project registers the person, no other group has changed the file.
  if (kept === null && !source.movedOn) return source.values
  return { ...source.values, ...Object.fromEntries(ofPerson.map((name) => [name, kept?.[name] ?? null])) }
}
