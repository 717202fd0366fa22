import {
  asyncStates,
  type Operation,
  operations,
  platformState,
  platformStates,
  type UploadStatus,
  upload,
  uploadStates,
} from '@zhugong/contract/docking/codes'
import { type ObjectType, objectOf, objectTypes } from '@zhugong/contract/docking/standard'
import type { Tone } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'

const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

export const objectOptions = objectTypes.map((value) => ({ value, label: objectOf(value).name }))
/** Failed first, then in the order of processing. */
const order: readonly UploadStatus[] = ['-1', '0', '4', '2', '5', '1', '3']
export const statusOptions = order.map((value) => ({ value, label: uploadStates[value] }))
export const asyncOptions = optionsOf(asyncStates)
export const opOptions = optionsOf(operations)
export const stateOptions = optionsOf(platformStates)
export const opName = (op: Operation): string => operations[op]

export const statusTones: Readonly<Record<UploadStatus, Tone>> = {
  '0': 'neutral',
  '4': 'running',
  '2': 'running',
  '5': 'running',
  '1': 'fine',
  '3': 'maintenance',
  '-1': 'danger',
}

interface Line {
  status: string
  paused: boolean
  downSince: string | null
}
/** State of a connection in one word. */
export function lineState({ status, paused, downSince }: Line): { tone: Tone; word: string } {
  if (status !== platformState.running) return { tone: 'neutral', word: platformStates[status as keyof typeof platformStates] }
  if (paused) return { tone: 'warning', word: '已暂停' }
  return downSince ? { tone: 'danger', word: '对方无响应' } : { tone: 'fine', word: '正常' }
}

/** Page on which missing data of a record can be filled in; undefined if there is none. */
export function mendHref(type: ObjectType, sourceId: string): string | undefined {
  switch (type) {
    case 'workerBase':
      return hrefOf('/personListEdit', { id: sourceId })
    case 'team':
      return hrefOf('/teamEdit', { id: sourceId })
    case 'projectCorp':
      return hrefOf('/unitListEdit', { id: sourceId })
    case 'project':
      return hrefOf('/informationSettings/project/information', { projectCode: sourceId })
    case 'projectWorker':
      return hrefOf('/personListDetails', { id: sourceId })
    case 'corporation':
      return hrefOf('/companySystem/info', { corpCode: sourceId })
    default:
      return undefined
  }
}

export const isFailed = (status: UploadStatus): boolean => status === upload.failed
export const isLocked = (status: UploadStatus): boolean => status === upload.locked
/** Score of data freshness: 80 and above is fine, 60 and above a warning. */
export const freshTone = (score: number | null | undefined): 'fine' | 'warning' | 'danger' | undefined =>
  score === null || score === undefined ? undefined : score >= 80 ? 'fine' : score >= 60 ? 'warning' : 'danger'
