import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = {
  list: '/civiConsInspection/list',
  detail: '/civiConsInspection/details',
  edit: '/civiConsInspection/edit',
  items: '/civiConsInspection/check-item-list',
  item: '/civiConsInspection/check-item-detail',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

export const marks = (value: number | null | undefined): string => (value === null || value === undefined ? '--' : value.toFixed(2))

const results: Readonly<Record<string, Tone>> = { 1: 'fine', 2: 'danger', 3: 'neutral', 4: 'warning' }
export const ResultTag = ({ row }: { row: { result: string; resultName: string } }) => (
  <Tag tone={results[row.result]}>{row.resultName}</Tag>
)

export const CandidateTag = ({ row }: { row: { candidate: boolean } }) =>
  row.candidate ? (
    <Tag tone="fine" icon={false}>
      评优候选
    </Tag>
  ) : null
