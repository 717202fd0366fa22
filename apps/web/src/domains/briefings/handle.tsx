import {
  type BriefingDetail,
  changeGangBriefing,
  changeManagerBriefing,
  createGangBriefing,
  removeGangBriefing,
  removeManagerBriefing,
} from '@zhugong/contract/briefings/calls'
import { type BriefingAction, briefingStates, gangMoves, mostBriefingFiles } from '@zhugong/contract/briefings/moves'
import { useEffect, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, LongText, Upload } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'
import { anyProject, paths } from './briefing-words.tsx'
import { MorePeople } from './more-people.tsx'
import { openPlaces, SignMode } from './sign-mode.tsx'

const { Field } = formOf(changeGangBriefing)
type Body = BodyOf<typeof changeGangBriefing>
type Open = 'excuse' | 'scan' | 'void' | 'redo' | 'comment'

const waits: Readonly<Record<string, string>> = {
  0: '草稿由编制人发起签字',
  1: '等待签字',
  2: '签字已齐',
  3: '已归档',
  9: '已作废',
}

export function Handle({ file }: { file: BriefingDetail }) {
  const go = useGo()
  const page = usePage()
  const query = usePageQuery()
  const own = useMe((me) => me.info?.name ?? '')
  const places = openPlaces(file, own)
  const [signing, setSigning] = useState(query.get('sign') === 'yes')
  const [open, setOpen] = useState<Open | 'add' | undefined>(undefined)
  const isManagers = file.type === 'technical'
  const act = useAct(isManagers ? (changeManagerBriefing as typeof changeGangBriefing) : changeGangBriefing, { success: '已办理' })
  const removal = useAct(isManagers ? removeManagerBriefing : removeGangBriefing, {
    success: '草稿已删除',
    onDone: () => page.leave(isManagers ? paths.oversee : paths.list),
  })
  // Without anybody left to sign the screen has nothing to show.
  useEffect(() => {
    if (file.state !== briefingStates.signing) setSigning(false)
  }, [file.state])
  const mayEdit = useCan(createGangBriefing, file)
  const { id, version } = file
  const key = { params: { id }, query: anyProject }
  const may = (action: BriefingAction) => file.actions.some((one) => one.action === action)
  const opens = (action: Open | 'add', danger = false): ItemAction[] =>
    may(action) ? [{ label: gangMoves[action].label, danger, run: () => setOpen(action) }] : []
  const runs = (action: 'finish' | 'archive' | 'remind', main = false): ItemAction[] =>
    may(action) ? [{ label: gangMoves[action].label, main, run: () => act.run({ ...key, body: { action, version } }) }] : []
  const form = isManagers ? paths.managerForm : paths.form
  const actions: ItemAction[] = [
    ...(may('begin') ? [{ label: '继续填写', main: true, run: () => go(form, { id }) }] : []),
    ...(file.state === briefingStates.void && !isManagers && file.replacedBy === null && mayEdit
      ? [{ label: '重新交底', main: true, run: () => go(paths.form, { redo: id }) }]
      : []),
    ...(places.length > 0
      ? [{ label: isManagers && places.length === 1 ? '签字' : '继续签字', main: true, run: () => setSigning(true) }]
      : []),
    ...runs('finish', places.length === 0),
    ...opens('add'),
    ...opens('scan'),
    ...opens('excuse'),
    ...(may('amend') ? [{ label: '修改内容', run: () => go(form, { id }) }] : []),
    ...runs('archive', true),
    ...opens('comment'),
    ...runs('remind'),
    ...opens('redo', true),
    ...opens('void', true),
    ...(may('save')
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () => removal.afterRequesting({ thing: `删除草稿 ${file.name}`, consequence: '草稿不再保留。', verb: '删除草稿' }, key),
          },
        ]
      : []),
  ]
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running || removal.running} none={waits[file.state] ?? ''} />
      {signing && file.state === briefingStates.signing && <SignMode file={file} onClose={() => setSigning(false)} />}
      {open === 'add' && <MorePeople file={file} act={act} onClose={() => setOpen(undefined)} />}
      {open && open !== 'add' && (
        <FormDrawer
          key={open}
          act={act}
          open
          narrow
          title={gangMoves[open].label}
          remark={file.name}
          onClose={() => setOpen(undefined)}
          initial={{ action: open, version }}
          input={(body) => ({ ...key, body: { ...(body as Body), action: open, version } as Body })}
        >
          <Fields open={open} file={file} />
        </FormDrawer>
      )}
    </>
  )
}

function Fields({ open, file }: { open: Open; file: BriefingDetail }) {
  const missing = file.receivers
    .filter((one) => one.state === 'waiting' || one.state === 'excused')
    .map((one) => ({ value: one.id, label: `${one.name} ${one.role}` }))
  switch (open) {
    case 'excuse':
      return (
        <>
          <Field name="receiverId" label="未到的人">
            <Choice clear={false} options={missing} />
          </Field>
          <Field name="reason" label="未到原因" help="之后到场仍可补签">
            <LongText rows={2} />
          </Field>
        </>
      )
    case 'scan':
      return (
        <>
          <Field name="files" label="签字单扫描件" span="all">
            <Upload max={mostBriefingFiles} accept="image/*,.pdf" />
          </Field>
          <Field name="signers" label="扫描件上已签字的人" span="all">
            <Choices options={missing} />
          </Field>
        </>
      )
    case 'comment':
      return (
        <Field name="opinion" label="批阅意见" span="all">
          <LongText rows={3} />
        </Field>
      )
    case 'void':
    case 'redo':
      return (
        <Field name="reason" label={open === 'void' ? '作废原因' : '要求重做的原因'} help="原记录和签字保留，标记为已作废" span="all">
          <LongText rows={3} />
        </Field>
      )
  }
}
