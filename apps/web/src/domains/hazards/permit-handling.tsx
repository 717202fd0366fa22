import { mostHazardPhotos } from '@zhugong/contract/hazards/moves'
import { draftPermit, type PermitAction, permitMoves, rejectedPermit } from '@zhugong/contract/hazards/permit-moves'
import { changePermit, type PermitDetail, permitPeople, removePermit } from '@zhugong/contract/hazards/permits'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText, NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { useGo, usePage } from '#kit/page.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'
import { anyProject, paths } from './hazard-words.tsx'
import { Person } from './permit-form.tsx'

const { Field } = formOf(changePermit)
type Body = BodyOf<typeof changePermit>

type Open = Exclude<PermitAction, 'save' | 'submit'>
/** The usual next step first. */
const offered: readonly Open[] = [
  'approve',
  'start',
  'close',
  'finish',
  'extendPass',
  'gas',
  'handover',
  'extend',
  'extendRefuse',
  'reject',
]
const dangers: readonly Open[] = ['reject', 'extendRefuse']

/** What the caller may do with a permit now. */
export function HandlePermit({ file }: { file: PermitDetail }) {
  const go = useGo()
  const page = usePage()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const act = useAct(changePermit, { success: '已办理' })
  const removal = useAct(removePermit, { success: '草稿已删除', onDone: () => page.leave(`${paths.list}?kind=permit`) })
  const { id, version } = file
  const key = { params: { id }, query: anyProject }
  const may = (action: PermitAction) => file.actions.some((one) => one.action === action)
  const first = offered.find(may)
  const actions: ItemAction[] = [
    ...(may('submit')
      ? [{ label: file.state === rejectedPermit ? '修改后重新提交' : '继续填写', main: true, run: () => go(paths.form, { permit: id }) }]
      : []),
    ...offered.filter(may).map((action) => ({
      label: labelOf(action, file),
      main: action === first,
      danger: dangers.includes(action),
      run: () => setOpen(action),
    })),
    ...(may('save') && file.state === draftPermit
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () =>
              removal.afterRequesting({ thing: '删除作业票草稿', consequence: '草稿和其中的照片不再保留。', verb: '删除草稿' }, key),
          },
        ]
      : []),
  ]
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running || removal.running} none={waits[file.state] ?? ''} />
      {open && (
        <FormDrawer
          key={open}
          act={act}
          open
          narrow
          title={labelOf(open, file)}
          remark={file.part}
          onClose={() => setOpen(undefined)}
          initial={initialOf(open, file)}
          input={(body) => ({ ...key, body: { ...(body as Body), action: open, version } as Body })}
        >
          <ActionFields open={open} file={file} />
        </FormDrawer>
      )}
    </>
  )
}

const labelOf = (action: Open, file: PermitDetail): string =>
  action === 'close' && file.startedAt === null
    ? '未作业，关闭'
    : action === 'close' && file.endedAt
      ? '余火检查并完工'
      : permitMoves[action].label

const initialOf = (open: Open, { version, endTime, guardian }: PermitDetail): Values => ({
  action: open,
  version,
  opinion: '',
  photos: [],
  ...(open === 'extend' ? { extendTo: endTime } : {}),
  ...(open === 'gas' ? { tester: guardian } : {}),
})

function ActionFields({ open, file }: { open: Open; file: PermitDetail }) {
  switch (open) {
    case 'approve':
    case 'reject':
    case 'extendPass':
    case 'extendRefuse':
      return (
        <Field name="opinion" label="意见" span="all">
          <LongText rows={3} />
        </Field>
      )
    case 'gas':
      return (
        <>
          <Field name="oxygen" label="氧含量">
            <NumberInput unit="%" min={0} precision={1} />
          </Field>
          <Field name="combustible" label="可燃气">
            <NumberInput unit="%LEL" min={0} precision={1} />
          </Field>
          <Field name="carbonMonoxide" label="一氧化碳">
            <NumberInput unit="mg/m³" min={0} precision={1} />
          </Field>
          <Field name="hydrogenSulfide" label="硫化氢">
            <NumberInput unit="mg/m³" min={0} precision={1} />
          </Field>
          <Field name="spot" label="检测点">
            <Input placeholder="例如 井底、井中" />
          </Field>
          <Field name="tester" label="检测人">
            <Input />
          </Field>
        </>
      )
    case 'handover':
      return <Handover file={file} />
    case 'extend':
      return (
        <>
          <Field name="extendTo" label="延至" span="all" help="须重新批准">
            <TimeInput />
          </Field>
          <Field name="opinion" label="延时理由" span="all">
            <LongText rows={2} />
          </Field>
        </>
      )
    case 'start':
      return (
        <Field name="photos" label="现场照片" span="all">
          <Upload max={mostHazardPhotos} camera="environment" />
        </Field>
      )
    case 'finish':
      return (
        <Field name="photos" label="现场照片" span="all" required>
          <Upload max={mostHazardPhotos} camera="environment" />
        </Field>
      )
    case 'close':
      return (
        <>
          <Field name="photos" label={file.endedAt ? '余火检查照片' : '完工照片'} span="all" required={file.startedAt !== null}>
            <Upload max={mostHazardPhotos} camera="environment" />
          </Field>
          <Field name="note" label="完工情况" span="all">
            <LongText rows={2} />
          </Field>
        </>
      )
  }
}

function Handover({ file }: { file: PermitDetail }) {
  const { projectCode, type, people: named } = file
  const people = useCall(permitPeople, { query: { projectCode, type } }, { quiet: true }).data?.people
  const busy = new Set(named.filter((one) => one.until === null).map((one) => one.workerId))
  return (
    <>
      <Field name="guardianId" label="接班监护人" span="all">
        <Person people={people} reason={(one) => (busy.has(one.workerId) ? '已在本票' : one.inside ? null : '不在场')} />
      </Field>
      <Field name="note" label="交接情况" span="all">
        <LongText rows={2} />
      </Field>
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  0: '草稿由申请方提交',
  1: '等待批准',
  2: '等待开工确认',
  3: '作业中，由项目完工确认',
  4: '已关闭',
  5: '已驳回，由申请方修改后重新提交',
  6: '等待补办完工确认',
}
