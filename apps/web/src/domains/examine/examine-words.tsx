import type { ExamineRow } from '@zhugong/contract/examine/calls'
import { roundCodes, roundNames } from '@zhugong/contract/examine/rhythm'
import { Tag } from '#kit/feedback.tsx'
import { StateTag } from '../checks/public.tsx'

export const paths = {
  list: '/safetyP/examine/list',
  form: '/safetyP/examine/create',
  detail: '/safetyP/examine/details',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }
export const draftState = '0'
export const roundOptions = roundCodes.map((value) => ({ value, label: roundNames[value] }))

export const ExamineTag = ({ row }: { row: Pick<ExamineRow, 'state' | 'stateName' | 'archived'> }) =>
  row.archived ? <Tag icon={false}>已归档</Tag> : <StateTag row={row} />
